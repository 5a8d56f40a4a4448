"""Pictures of a clustering for notebooks and papers: one file for each, on axes of matplotlib."""
