"""Corpora by name: the embedded sample, and larger ones that are fetched once.

A corpus is looked for in this package, in the folder that TEXTCLUST_DATA names (by
default ../shared/data beside a source checkout), and in the user's cache.
"""

from __future__ import annotations

from .fetching import fetch
from .registry import REGISTRY, Corpus, cache_folder, data_folders, find, path

__all__ = ["REGISTRY", "Corpus", "cache_folder", "data_folders", "fetch", "find", "path"]
