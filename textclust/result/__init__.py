"""What is handed on: a `Clustering` with names, terms, explanations, and its files."""
