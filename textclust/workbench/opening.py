"""The first line of a journal: what was opened and how, and the state that it leads to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textclust.errors import InputError
from textclust.methods.choice import Run
from textclust.pipeline import selection_for
from textclust.sources import SupervisionSource
from textclust.supervision.links import KINDS, Link
from textclust.workbench.collection import Collection
from textclust.workbench.refitting import first_fit
from textclust.workbench.state import State

__all__ = ["first_state", "opening", "require_same"]


def opening(
    collection: Collection,
    k: int | str,
    random_state: int,
    seeds: Mapping[str, str] | None = None,
    links: Sequence[Link[str]] | None = None,
) -> dict[str, object]:
    """The line for a collection, k or "auto", and what was given on opening."""
    background = collection.background
    return {
        "action": "open",
        "documents": len(collection),
        "sha256": collection.sha256,
        "terms": collection.terms_sha256,
        "k": k,
        "random_state": random_state,
        "seeds": dict(seeds or {}),
        "links": [[link.left, link.right, link.kind] for link in links or ()],
        "background": None if background is None else len(background),
    }


def require_same(collection: Collection, line: Mapping[str, object], where: str) -> None:
    """Raise an InputError where a journal was begun with other documents."""
    if line.get("action") != "open":
        raise InputError(f"{where}: the first line does not say what was opened; is it a journal?")
    background = None if collection.background is None else len(collection.background)
    if line.get("background") != background:
        raise InputError(f"{where}: was begun with other older documents; give the same background")
    if line.get("sha256") == collection.sha256:
        if line.get("terms") != collection.terms_sha256:
            raise InputError(
                f"{where}: was begun with other terms of the same documents; give the same options "
                "for language, stemming, n-grams and rare terms"
            )
        return
    before, now = line.get("documents"), len(collection)
    many = f"{before} documents then, {now} now" if before != now else "a text or an id differs"
    raise InputError(
        f"{where}: the collection is not the one that the journal was begun with ({many}), or is "
        "read in another way; begin a new project with the seeds and constraints of this one"
    )


def first_state(collection: Collection, line: Mapping[str, Any]) -> State:
    """What is found before a person says anything."""
    seeds, links = line["seeds"], [Link(*link) for link in line["links"]]
    if any(link.kind not in KINDS for link in links):
        raise InputError("the first line of the journal has a link of an unknown kind; mend it")
    given = SupervisionSource(
        seeds=seeds or None, constraints=links or None, background=collection.background
    )
    run = Run.of(given.kinds, line["k"], random_state=line["random_state"])
    supervision = given.resolve(collection.corpus.documents, run.k, collection.corpus)
    selection = selection_for(run, collection.X, supervision)
    if selection is not None:
        run = run.with_k(selection.k)
    return first_fit(collection, run, supervision, line["random_state"])
