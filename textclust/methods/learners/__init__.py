"""What a distortion can learn from a partition and its links: the extra M-step of a method."""
