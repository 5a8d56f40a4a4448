"""What the page gets: states, lists of documents and single documents as plain data."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from textclust.active.stopping import recent_surprises
from textclust.errors import InputError
from textclust.geometry.affine import Labels
from textclust.result.clustering import Clustering
from textclust.result.explanation import Explanation
from textclust.supervision.constraints import Constraints
from textclust.supervision.links import Link
from textclust.workbench.history import History
from textclust.workbench.questions import dialogue_of
from textclust.workbench.state import DISCARDED
from textclust.workbench.view import View

__all__ = [
    "LONGEST",
    "document_content",
    "documents_content",
    "link_content",
    "outcome_sentences",
    "state_content",
]

_TERMS = 8  # of a cluster
_EXCERPT = 400  # characters
LONGEST = 200_000  # characters of a text that is shown
_NAMES = 200  # of actions that are listed
_WORD = re.compile(r"\w+")
_MOVING = 12  # terms at most, to say what would move a document
ORDERS = ("collection", "typical", "borderline", "novel", "duplicates")


def state_content(view: View, history: History, version: int) -> dict[str, Any]:
    """Everything of a state but the texts."""
    state = view.state
    return {
        "version": version,
        "clusters": [_cluster(view, number) for number in state.place],
        "groups": [{"name": name, "clusters": inside} for name, inside in view.groups],
        "labels": state.labels.tolist(),
        "seconds": view.seconds.tolist(),
        "scores": np.round(view.scores, 3).tolist(),
        "x": np.round(view.points[:, 0], 4).tolist(),
        "y": np.round(view.points[:, 1], 4).tolist(),
        "seeds": sorted(state.seeds),
        "discarded": np.flatnonzero(state.labels == DISCARDED).tolist(),
        "links": [link_content(link) for link in view.links],
        "conflicts": _conflicts(view),
        "pending": state.pending,
        "undo": history.done[-1].name if history.done else None,
        "redo": history.undone[-1].name if history.undone else None,
        "history": ["open", *(step.name for step in history.done[-_NAMES:])],
        "outcome": outcome_sentences(view),
        "stopping": _stopping(view),
    }


def outcome_sentences(view: View) -> list[str]:
    """What became of all that was said: what was kept, what it moved, how sure it is."""
    outcome, state, fit = view.clustering.outcome, view.state, view.state.fit
    found = []
    if outcome.seeds:
        found.append(f"{outcome.kept_seeds} of {outcome.seeds} seeds in their cluster")
    if outcome.links:
        kept = outcome.links - len(outcome.overruled_links)
        found.append(f"{kept} of {outcome.links} links kept")
    if state.seeds or state.links:
        moved = int((state.labels != state.unsupervised)[view.rows].sum())
        found.append(f"{moved:,} of {len(view.rows):,} documents elsewhere than without them")
    if fit is not None and outcome.accuracy is not None:
        found.append(f"Cross-validated accuracy {outcome.accuracy:.2f} on what you gave")
    return found


def link_content(link: Link[int]) -> dict[str, Any]:
    """A link with its price, and whether it is kept."""
    return {
        "left": link.left,
        "right": link.right,
        "kind": link.kind,
        "kept": not link.violated,
        "price": None if link.price is None else round(link.price, 4),
    }


def documents_content(
    view: View,
    cluster: int | None,
    order: str,
    search: str | None,
    regex: bool,
    rows: list[int] | None,
    offset: int,
    limit: int,
) -> dict[str, Any]:
    """A part of a list of documents, and every row that a search finds."""
    found = None if not search else view.collection.search(search, regex)
    listed = ordered(view, order)
    for wanted in (rows, found):
        if wanted is not None:
            listed = listed[np.isin(listed, wanted)]
    if cluster is not None:
        if cluster != DISCARDED:
            view.state.cluster(cluster)
        listed = listed[view.state.labels[listed] == cluster]
    return {
        "total": len(listed),
        "rows": [_line(view, int(row)) for row in listed[offset : offset + limit]],
        "matches": None if found is None else found.tolist(),
    }


def ordered(view: View, order: str) -> Labels:
    """The rows of the documents in one of the orders that the page offers."""
    if order not in ORDERS:
        raise InputError(f"no order {order!r:.40}; orders are {', '.join(ORDERS)}")
    every, alive = np.arange(len(view.state.labels)), view.rows
    if order == "typical":
        return alive[np.argsort(view.distances[alive], kind="stable")]
    if order == "borderline":
        return alive[np.argsort(view.scores[alive], kind="stable")]
    if order == "novel":
        return alive[np.argsort(-view.distances[alive], kind="stable")]
    if order == "duplicates":
        return np.array(view.collection.with_twins, dtype=np.intp)
    return every


def document_content(view: View, row: int) -> dict[str, Any]:
    """A document with its text, word by word, and why it is where it is."""
    collection, state = view.collection, view.state
    if not 0 <= row < len(collection):
        raise InputError(f"there is no document {row}; rows are 0 to {len(collection) - 1}")
    text = collection.documents.texts[row]
    dates = collection.documents.dates
    when = None if dates is None else dates[row]
    links = [link_content(link) for link in view.links if row in (link.left, link.right)]
    content = {
        **_line(view, row),
        "date": None if when is None else when.date().isoformat(),
        "pieces": [[text[:LONGEST], 0.0]],
        "why": "discarded",
        "here": [],
        "there": [],
        "moves": None,
        "links": links,
        "neighbours": collection.neighbours(row),
        "duplicates": collection.twins(row),
        "cut": len(text) > LONGEST,
    }
    if state.labels[row] == DISCARDED:
        return content
    why = view.clustering.explain(int(np.searchsorted(view.rows, row)))
    pulls = {term.term: term.weight for term in (*why.here, *why.there)}
    content.update(
        pieces=_pieces(text[:LONGEST], pulls, view.clustering),
        why=_why(why),
        here=[{"term": t.term, "weight": round(t.weight, 4)} for t in why.here[:_TERMS]],
        there=[{"term": t.term, "weight": round(t.weight, 4)} for t in why.there[:_TERMS]],
        moves=_moves(why),
    )
    return content


def _cluster(view: View, number: int) -> dict[str, Any]:
    state, place = view.state, view.numbers.index(number)
    cluster = state.cluster(number)
    named = "class" if cluster.is_class else "terms" if cluster.name is None else "user"
    x, y = view.layout.centres[place]
    return {
        "number": number,
        "name": view.names[place],
        "named": named,
        "size": int((state.labels == number).sum()),
        "terms": view.terms(number, _TERMS),
        "locked": cluster.locked,
        "colour": (number - 1) % 40,
        "seeds": sum(seeded == number for seeded in state.seeds.values()),
        "new": view.collection.background is not None and not cluster.is_class,
        "x": round(float(x), 4),
        "y": round(float(y), 4),
        "radius": round(float(view.layout.radii[place]), 4),
    }


def _line(view: View, row: int) -> dict[str, Any]:
    state, collection = view.state, view.collection
    return {
        "row": row,
        "id": collection.documents.ids[row],
        "title": collection.titles[row],
        "excerpt": collection.documents.texts[row][:_EXCERPT],
        "cluster": int(state.labels[row]),
        "second": int(view.seconds[row]),
        "score": round(float(view.scores[row]), 3),
        "seed": row in state.seeds,
    }


def _pieces(text: str, pulls: dict[str, float], clustering: Clustering) -> list[list[object]]:
    """The text in pieces, each with its pull: words of terms, and all between them."""
    vocabulary = clustering.vectorizer.readable_terms()
    pull_of_word: dict[str, float] = {}
    pieces: list[list[object]] = []
    last = 0
    for match in _WORD.finditer(text):
        word = match.group()
        if word not in pull_of_word:
            column = clustering.vectorizer.column_of(word)
            pull_of_word[word] = 0.0 if column is None else pulls.get(vocabulary[column], 0.0)
        if pull_of_word[word]:
            if match.start() > last:
                pieces.append([text[last : match.start()], 0.0])
            pieces.append([word, round(pull_of_word[word], 4)])
            last = match.end()
    if last < len(text):
        pieces.append([text[last:], 0.0])
    return pieces


def _why(why: Explanation) -> str:
    if why.cluster == why.runner_up:
        return "the only cluster"
    nearer = "nearer to" if why.margin >= 0 else "further from"
    return (
        f"{abs(why.margin):.3f} {nearer} {why.name!r} than {'to' if why.margin >= 0 else 'from'} "
        f"{why.runner_up_name!r}"
    )


def _moves(why: Explanation) -> str | None:
    """Without which terms the document would be in its second choice."""
    if why.cluster == why.runner_up or why.margin <= 0:
        return None
    left, without = why.margin, []
    for term in why.here[:_MOVING]:
        without.append(term.term)
        left -= term.weight
        if left < 0:
            return f"It would move to {why.runner_up_name!r} without: {', '.join(without)}"
    return f"No few terms keep it from {why.runner_up_name!r}"


def _conflicts(view: View) -> list[dict[str, Any]]:
    """Contradictory links as chains, each with what to drop to mend all at the lowest price."""
    links = [
        link for link in view.state.links if (view.state.labels[[link.left, link.right]]).all()
    ]
    if not links:
        return []
    constraints = Constraints.from_links(links)
    found = constraints.conflicts()
    if not found:
        return []
    ids = view.collection.documents.ids
    drops = [pair for _, pair in constraints.repair()]
    repair = "; ".join(f"drop the link of {ids[left]} and {ids[right]}" for left, right in drops)
    actions = [{"action": "unlink", "left": ids[i], "right": ids[j]} for i, j in drops]
    chains = [conflict.describe(ids.__getitem__) for conflict in found]
    return [{"chain": chain, "repair": repair, "actions": actions} for chain in chains]


def _stopping(view: View) -> str | None:
    """Whether further answers are worth it, once there are some."""
    if not view.state.events:
        return None
    ahead = recent_surprises(dialogue_of(view.state))
    if not ahead.recent:
        return None
    worth = "further answers bring little" if ahead.is_settled else "further answers are worth it"
    return f"{ahead.surprises} of the last {ahead.recent} answers were a surprise: {worth}"
