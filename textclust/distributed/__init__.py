"""Clustering past one machine: documents stay with the workers of a Dask cluster.

clustering    the whole way: from paths to named clusters; placing, where documents are among them
vectorising   paths to a matrix in parts: read and counted where they lie; documents, what is
              kept of them beside their rows
matrix        that matrix, which estimators take as they take CSR
backend       how the loop asks about its rows: part, what a worker answers; sent, what it is sent;
              asking, questions that survive the loss of a worker
"""

from textclust.distributed.clustering import PartitionedClustering as PartitionedClustering
from textclust.distributed.clustering import cluster as cluster
from textclust.distributed.matrix import PartitionedMatrix as PartitionedMatrix
from textclust.distributed.vectorising import PartitionedTexts as PartitionedTexts
from textclust.distributed.vectorising import vectorise as vectorise

__all__ = [
    "PartitionedClustering",
    "PartitionedMatrix",
    "PartitionedTexts",
    "cluster",
    "vectorise",
]
