"""What a reader knows of some documents: which belong together and which do not."""
