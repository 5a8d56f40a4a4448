"""Clustering past one machine: documents stay with the workers of a Dask cluster.

vectorising   paths to a matrix in parts: read and counted where they lie
matrix        that matrix, which estimators take as they take CSR
backend       how the loop asks about its rows: part, what a worker answers; sent, what it is sent;
              asking, questions that survive the loss of a worker
"""

from textclust.distributed.matrix import PartitionedMatrix as PartitionedMatrix
from textclust.distributed.vectorising import PartitionedTexts as PartitionedTexts
from textclust.distributed.vectorising import vectorise as vectorise

__all__ = ["PartitionedMatrix", "PartitionedTexts", "vectorise"]
