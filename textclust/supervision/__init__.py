"""What is known of some documents beforehand, and the potentials that follow from it."""
