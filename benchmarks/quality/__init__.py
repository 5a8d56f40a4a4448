"""How good the clusters of several tools are on the same texts, and what they cost."""
