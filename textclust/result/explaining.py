"""Why a document of a clustering, or a new text, is where it is: by its terms, and its vector."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textclust.geometry.affine import Array, Matrix
from textclust.geometry.capabilities import label_margin
from textclust.result.explanation import Explanation, explain_row

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering

__all__ = ["explain_document", "explain_new"]


def explain_document(clustering: Clustering, row: int, vocabulary: list[str]) -> Explanation:
    """Why a clustered document is in its cluster."""
    terms, name = clustering.texts[row : row + 1], clustering.cards[row].id
    cluster, beside = int(clustering.placement.labels[row]), clustering.beside
    if beside is None or beside.said is None:
        return _by_terms(clustering, terms, name, cluster, vocabulary)
    terms, said = beside.terms_of(terms, row), beside.said[row]
    return _by_both(clustering, terms, said, name, cluster, vocabulary)


def explain_new(clustering: Clustering, text: str, name: str, vocabulary: list[str]) -> Explanation:
    """Where a new text would go, and why."""
    terms, beside = clustering.vectorizer.transform([text]), clustering.beside
    if beside is None or beside.said is None:
        return _by_terms(clustering, terms, name, None, vocabulary)
    space = clustering.space
    row = space.distortion.prepare(beside.rows(terms, [text], None))
    said = beside.says(row, space)[0]
    return _by_both(clustering, row[:, : terms.shape[1]], said, name, None, vocabulary)


def _by_terms(
    clustering: Clustering, row: Matrix, name: str, cluster: int | None, vocabulary: list[str]
) -> Explanation:
    space = clustering.text_space
    row = space.distortion.prepare(row)
    found = explain_row(row, space.form, vocabulary, clustering.names, name, cluster)
    opinion = label_margin(space.distortion, row, found.cluster, found.runner_up)
    return replace(found, label_model=opinion)


def _by_both(
    clustering: Clustering,
    terms: Matrix,
    said: Array,
    name: str,
    cluster: int | None,
    vocabulary: list[str],
) -> Explanation:
    """By the terms of a prepared row, and what its vector says of each cluster."""
    assert clustering.beside is not None
    form = clustering.beside.form_of_terms(clustering.space)
    return explain_row(terms, form, vocabulary, clustering.names, name, cluster, said=said)
