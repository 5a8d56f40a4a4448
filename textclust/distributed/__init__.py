"""Clustering past one machine: documents stay with the workers of a Dask cluster."""
