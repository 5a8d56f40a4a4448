"""A browser application to sort a collection by looking at it, editing clusters and refitting."""
