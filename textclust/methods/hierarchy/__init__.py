"""Trees of merges, and the clusters they are cut into."""
