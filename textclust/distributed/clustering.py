"""The whole way past one machine: from paths to named clusters, documents on the workers."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from distributed import Client

from textclust.distributed.asking import ask
from textclust.distributed.documents import PieceDocuments, rows_with_excerpts
from textclust.distributed.placing import (
    Kept,
    Target,
    kept_documents,
    terms_of_clusters,
    write_labels,
)
from textclust.distributed.vectorising import PartitionedTexts, vectorise
from textclust.engine.problem import Solution
from textclust.errors import InputError
from textclust.geometry import Distortion
from textclust.geometry.affine import Labels, Matrix
from textclust.methods import METHODS
from textclust.methods.choice import Run
from textclust.pipeline import default_vectorizer, refuse_too_many
from textclust.result.clustering import Card, Clustering, Whole
from textclust.result.naming import Naming
from textclust.result.outcome import SupervisionOutcome
from textclust.result.placement import Placement, Space, place
from textclust.result.settings import run_settings
from textclust.result.sizes_outcome import SizesOutcome
from textclust.result.wording import Wording, sampled_rows
from textclust.sources import ConstraintsLike, SeedsLike, SupervisionSource
from textclust.supervision.given import Supervision, given_kinds
from textclust.supervision.links import SEED
from textclust.text.catalogue import Skipped
from textclust.text.splitting import Piece, ReadingSettings
from textclust.text.termspace import TermSpace
from textclust.writing import LABELS_FORMAT, write_whole

__all__ = ["PartitionedClustering", "cluster"]


@dataclass(frozen=True, eq=False)
class PartitionedClustering:
    """Documents in named clusters, of which few are on this machine.

    `kept` has the clusters with those documents that stand for them, and all that supervision
    names; it explains, predicts and is saved as any clustering.
    """

    texts: PartitionedTexts
    labels: Labels  # of all documents, in the order of the parts
    kept: Clustering
    skipped: tuple[Skipped, ...]
    fixed: bool  # whether documents may be elsewhere than in the cluster of the nearest prototype

    def write(self, folder: str | os.PathLike[str], *, keep_formulas: bool = False) -> None:
        """Write clusters.json, the model, and the labels, a table for each part.

        The workers write the labels, into a folder that they see under the same name. Ids and names
        that a spreadsheet would run get a mark before them, unless they are kept as they are.
        """
        out = Path(folder)
        tables = out / "labels"
        tables.mkdir()
        fixed = self.labels if self.fixed else None
        target = Target(tuple(self.kept.names), str(tables), keep_formulas)
        written = write_labels(self.texts, self.kept.space, fixed, target)
        manifest = {"format": LABELS_FORMAT, "version": 1, "files": written}
        write_whole(tables / "manifest.json", json.dumps(manifest, indent=2) + "\n")
        self.kept.save(out / "model")
        content = json.dumps(self.kept.to_dict(), ensure_ascii=False, indent=2)
        write_whole(out / "clusters.json", content + "\n")


def cluster(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    k: int,
    client: Client,
    *,
    method: str | None = None,
    distortion: str | Distortion | None = None,
    seeds: SeedsLike | None = None,
    constraints: ConstraintsLike | None = None,
    vectorizer: TermSpace | None = None,
    settings: ReadingSettings | None = None,
    pieces: Sequence[Piece] | None = None,
    random_state: int | None = 0,
    **parameters: Any,
) -> PartitionedClustering:
    """Read, vectorise, cluster and name a collection on the workers of a Dask cluster.

    Parameters
    ----------
    paths, client, settings, pieces : see `vectorise`

    The other parameters are those of `textclust.cluster`, which makes the same labels on one
    machine.
    """
    kinds = given_kinds(
        seeds=seeds, constraints=constraints, background=None, examples=None, seed_words=None
    )
    run = Run.of(kinds, k, method, distortion, random_state, parameters)
    if not METHODS[run.method].in_parts:
        able = ", ".join(name for name, found in METHODS.items() if found.in_parts)
        raise InputError(f"method {run.method!r} needs all documents on one machine; use {able}")
    known = SupervisionSource.read(seeds, constraints)
    if vectorizer is None:
        vectorizer = default_vectorizer(kinds, bool(parameters.get("as_published")))
    texts = vectorise(paths, client, vectorizer, settings, pieces)
    if texts.shape[0] < k:
        raise InputError(f"{k} clusters cannot be made of {texts.shape[0]} documents")
    named = _rows_named(texts, known)
    supervision = known.resolve_ids(named, texts.shape[0], (), k)
    solution = run.solve(texts, supervision)
    refuse_too_many(run, solution, supervision)
    return _Result(texts, run, supervision, solution, named).clustering(_sources(paths))


def _rows_named(texts: PartitionedTexts, known: SupervisionSource) -> dict[str, int]:
    """The rows of the documents that supervision names."""
    wanted = sorted(known.named)
    if not wanted:
        return {}
    given = [(wanted, int(first)) for first in texts.offsets[:-1]]
    found: dict[str, int] = {}
    for rows in ask(texts.client, PieceDocuments.rows_of, texts.documents, given):
        for name in found.keys() & rows.keys():
            raise InputError(
                f"two documents have the id {name[:80]!r}, which is named; give each its own"
            )
        found.update(rows)
    return found


@dataclass(frozen=True, eq=False)
class _Result:
    """What a run ended with."""

    texts: PartitionedTexts
    run: Run
    supervision: Supervision
    solution: Solution
    named: Mapping[str, int]

    def clustering(self, source: list[str]) -> PartitionedClustering:
        kept, sizes = self._kept
        labels, k = self.solution.labels, self.solution.prototypes.shape[0]
        about = _Collection.of(self.texts)
        cards = _cards(self.texts, kept.rows)
        outcome = self._outcome(kept, [card.id for card in cards])
        weights = terms_of_clusters(self.texts, labels, k)
        known = outcome.names(k)
        terms, wording = self.texts.vectorizer.readable_terms(), _wording(self.texts, labels, k)
        naming = Naming(weights.evidence, terms, wording)
        names = naming.names(taken=[name for name in known if name is not None])
        whole = Whole(
            tuple(given or name for given, name in zip(known, names, strict=True)),
            tuple(map(int, sizes)),
            weights,
        )
        clustering = Clustering(
            cards=cards,
            placement=kept.placement,
            space=self._space,
            vectorizer=self.texts.vectorizer,
            texts=self.texts[kept.rows],
            objective=self.solution.energy,
            settings=run_settings(
                self.run,
                self.solution,
                self.supervision,
                self.texts.vectorizer,
                {"source": source, **about.settings(self.texts), "kept": len(cards)},
                None,
                None,
            ),
            outcome=outcome,
            whole=whole,
            stopped=self.solution.stopped,
        )
        return PartitionedClustering(self.texts, labels, clustering, about.skipped, self._fixed)

    @cached_property
    def _space(self) -> Space:
        return Space.of(self.solution, self.texts).calibrated(self.texts, self.solution.labels)

    @property
    def _fixed(self) -> bool:
        return bool(self.supervision.kinds) or not self.solution.by_nearest

    @cached_property
    def _kept(self) -> tuple[Kept, Labels]:
        """Documents that stand for their clusters, and those that supervision names."""
        labels = self.solution.labels
        kept = kept_documents(self.texts, self._space, labels if self._fixed else None)
        sizes = np.bincount(labels, minlength=self.solution.prototypes.shape[0])
        more = np.setdiff1d(np.fromiter(self.named.values(), np.intp), kept.rows)
        if len(more):
            named = place(self.texts[more], self._space, labels[more])
            columns = zip(kept.columns, Kept(more, named).columns, strict=True)
            placement = Placement(*(np.concatenate(pair) for pair in columns))
            kept = Kept(np.concatenate([kept.rows, more]), placement)
            kept = kept.of(np.argsort(kept.rows))
        return kept, sizes

    def _outcome(self, kept: Kept, ids: list[str]) -> SupervisionOutcome:
        """What became of the supervision, by the documents that are kept."""
        given, solution = self.supervision, self.solution
        links = solution.links
        if links is None and given.constraints is not None:
            links = given.constraints.links.judged(solution.labels)
        judged = () if links is None else links.among(kept.rows)
        found = SupervisionOutcome.judged(
            ids,
            tuple(link for link in judged if link.origin is not SEED),
            {
                int(np.searchsorted(kept.rows, row)): number
                for row, number in given.class_of_row.items()
            },
            given.classes,
            "seeds" in self.run.takes,
            kept.placement.labels,
        )
        model = solution.label_model
        accuracy = None if model is None else model.accuracy
        return replace(found, accuracy=accuracy, sizes=SizesOutcome.of(solution))


class _Collection(NamedTuple):
    """What the pieces of a collection say of it together."""

    digest: str
    skipped: tuple[Skipped, ...]

    @classmethod
    def of(cls, texts: PartitionedTexts) -> Self:
        found = ask(texts.client, _about, texts.documents)
        whole = hashlib.sha256("".join(digest for digest, _ in found).encode())
        return cls(whole.hexdigest(), tuple(each for _, skipped in found for each in skipped))

    def settings(self, texts: PartitionedTexts) -> dict[str, object]:
        """As a run on one machine records them."""
        n, d = texts.shape
        without = sum(texts.each(_without_terms))
        return {
            "documents": n,
            "terms": d,
            "without_terms": without,
            "skipped": len(self.skipped),
            "pieces": len(texts.parts),
            "sha256_of_pieces": self.digest,
        }


def _about(documents: PieceDocuments) -> tuple[str, tuple[Skipped, ...]]:
    return documents.digest, documents.skipped


def _without_terms(rows: Matrix) -> int:
    return int((np.diff(rows.indptr) == 0).sum())


def _cards(texts: PartitionedTexts, rows: Labels) -> list[Card]:
    """What is kept of some documents to show them."""
    shares, firsts = texts.shares(rows), map(int, texts.offsets[:-1])
    given = [(share.tolist(), first) for share, first in zip(shares, firsts, strict=True)]
    found = ask(texts.client, PieceDocuments.cards_of, texts.documents, given)
    return [Card(name, title, "", truth) for each in found for name, title, truth in each]


def _wording(texts: PartitionedTexts, labels: Labels, k: int) -> Wording:
    """How words are written in some documents of each cluster, of those whose beginning is kept."""
    firsts = texts.offsets[:-1].tolist()
    kept = [np.array(rows_with_excerpts(n), np.intp) for n in np.diff(texts.offsets).tolist()]
    with_excerpts = np.concatenate([rows + first for rows, first in zip(kept, firsts, strict=True)])
    some = np.full(len(labels), -1)
    some[with_excerpts] = labels[with_excerpts]
    rows = np.sort(sampled_rows(some, k))
    given = [(share.tolist(),) for share in texts.shares(rows)]
    found = ask(texts.client, PieceDocuments.excerpts_of, texts.documents, given)
    return Wording.of([excerpt for each in found for excerpt in each], labels[rows], k)


def _sources(paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str]:
    given = [paths] if isinstance(paths, str | os.PathLike) else paths
    return [os.fspath(path) for path in given]
