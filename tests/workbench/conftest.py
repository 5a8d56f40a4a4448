from __future__ import annotations

import pytest

from tests.workbench.small import sample_documents
from textclust.pipeline import default_vectorizer
from textclust.text.documents import Documents
from textclust.workbench.collection import Collection
from textclust.workbench.opening import first_state, opening
from textclust.workbench.state import State


@pytest.fixture(scope="session")
def documents(sample) -> Documents:
    """Twenty posts of each group of the sample."""
    return sample_documents(sample, 20)


@pytest.fixture(scope="session")
def collection(documents) -> Collection:
    """The same, counted; nothing in it is to be changed."""
    return Collection.read(documents, default_vectorizer(frozenset()))


@pytest.fixture(scope="session")
def first(collection) -> State:
    """Three clusters of them, before anything was said."""
    return first_state(collection, opening(collection, 3, 0))
