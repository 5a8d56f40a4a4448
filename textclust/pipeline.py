"""The whole way in one call: from a path to a `Clustering`."""

from __future__ import annotations

import datetime as dt
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from textclust.embeddings import Blocks, Embedding, EmbedLike, is_asked_for
from textclust.engine.problem import Solution
from textclust.errors import InputError
from textclust.geometry import Distortion
from textclust.geometry.affine import Labels, Matrix
from textclust.methods import TOGETHER
from textclust.methods.choice import Run
from textclust.methods.groups import Groups, View
from textclust.result.cards import as_rows, cards_of
from textclust.result.clustering import Clustering
from textclust.result.fit import compared
from textclust.result.outcome import SupervisionOutcome
from textclust.result.placement import Space, checked_vectors, place
from textclust.result.settings import collection_of, run_settings
from textclust.result.wanted import NOTHING_MORE, Wanted
from textclust.sources import ConstraintsLike, SeedsLike, SeedWordsLike, SupervisionSource
from textclust.stopping import half_of_the_time
from textclust.supervision.given import Supervision, given_kinds
from textclust.text.catalogue import Catalogue
from textclust.text.corpus import Corpus
from textclust.text.documents import Documents
from textclust.text.given import SourceLike, reading_of_source
from textclust.text.reading import Reading
from textclust.text.termspace import TermSpace

if TYPE_CHECKING:
    from textclust.comparison.continuing import PreviousLike
    from textclust.examples import ExamplesLike
    from textclust.knowledge import BackgroundLike
    from textclust.model_selection.choice import Selection

__all__ = [
    "cluster",
    "cluster_corpus",
    "default_vectorizer",
    "refuse_too_many",
    "selection_for",
]


def cluster(
    source: SourceLike,
    k: int | str = "auto",
    *,
    text: str | None = None,
    id: str | None = None,  # noqa: A002 - as the column is called everywhere
    label: str | None = None,
    date: str | None = None,
    group: str | None = None,
    method: str | None = None,
    distortion: str | Distortion | None = None,
    seeds: SeedsLike | None = None,
    seed_words: SeedWordsLike | None = None,
    constraints: ConstraintsLike | None = None,
    background: BackgroundLike | None = None,
    background_before: str | dt.date | None = None,
    previous: PreviousLike | None = None,
    examples: ExamplesLike | None = None,
    vectors: ArrayLike | None = None,
    embed: EmbedLike = "off",
    embed_weight: float | str = "auto",
    groups: str | None = None,
    vectorizer: TermSpace | None = None,
    levels: int | None = None,
    outliers: bool | float = False,
    by: str | None = None,
    stability: bool = False,
    random_state: int | None = 0,
    **parameters: Any,
) -> Clustering:
    """Read, vectorise, cluster and name a collection of documents.

    Parameters
    ----------
    source : path, Documents, Reading, iterable of texts, Series or DataFrame
        What to cluster; see `read_documents` for the paths that can be read. From a path or a
        `Reading` the texts are counted as they come and not kept. The documents of a Series or
        a DataFrame are called as its index has them.
    k : int or "auto", default="auto"
        The number of clusters. "auto" is what `select_k` says by default; with a background, one
        for each of its classes and more while the evidence for new ones supports them; with
        examples as many as these suggest.
    text, id, label, date, group : str or None
        Which columns of a DataFrame, or of the table at a path, have the texts, their ids, known
        classes, dates and groups. A DataFrame needs `text`.
    method : str or None
        A name in docs/methods.md, such as "hmrf". None is the default for the seeds, words,
        constraints, background or examples given, which the page says too; without any, "kmeans".
    distortion : {"cosine", "euclidean", "kl", "i-divergence", "itakura-saito"} or None
        None is "cosine"; for "mpckmeans", "mkmeans" and kernels, which know no other, "euclidean".
        An object of `textclust.geometry`, such as ``KL(floor=0.1)``, sets the smoothing.
    seeds : path of a CSV table ``id,label``, a dict or a Series of labels by id, or None
        Documents whose class is known. Under "seeded" and "constrained" the classes in their
        order are clusters 0, 1, ...
    seed_words : path of a CSV table ``label,word``, or a dict of lists of words by label, or None
        Words that speak for a class, as ``{"sport": ["hockey", "goalie"]}``. The documents that
        hold most of them are learned from as seeds are, and may still be in another cluster.
    constraints : path of a CSV or DataFrame ``left,right,kind[,weight]``, `Constraints`, or None
        Pairs that belong together or do not. Seeds count as constraints too under "hmrf".
    background : path, Documents, Clustering, Background or None
        Older documents whose classes are known. Their classes come first, in their order and under
        their names. A clustering, or the path of a model, is gone on from, as with `previous`.
    background_before : date or None
        The documents of the collection itself that are older than this are the background.
    previous : Clustering, path of a model or of the folder of a run, or None
        An earlier run to go on from: its clusters are the background. As far as they are still the
        same, they keep their names, their order and their `identity`, a number that no other
        cluster gets; `changes` says what became of each.
    examples : names of folders, or a dict, or None
        Example clusters, after which the rest is sorted: folders below the source, folders
        elsewhere, whose documents are added, or classes of the documents. A dict has for each
        name the ids of documents, or the path of a folder. Clusters have their names.
    vectors : array of n x m, or None
        Ready-made vectors of the same documents to cluster instead of their terms; names
        and terms still come from the texts. With ``embed="auto"`` they count beside the terms.
    embed : "off", "auto" or a model, default="off"
        Dense vectors that count beside the terms: of short texts these say little alone. "auto"
        is the model that ``textclust[embed]`` brings, or `vectors`, where they are given. A model
        is the folder of a static one, or "st:" and the name or folder of a model of
        sentence-transformers; nothing is downloaded. See docs/short-texts.md.
    embed_weight : float or "auto", default="auto"
        What vectors count, from 0 (terms alone) to 1 (vectors alone). "auto" is chosen by how
        well terms and vectors of different documents agree on the clusters, and by what seeds
        and links say.
    groups : {"together", "weigh"} or None
        For documents that have groups, such as the requester of each ticket (`group_column` of
        `read_documents`): "together" keeps those of a group in one cluster; with "weigh" each
        counts 1 / the size of its group, so that every group counts as one. None is "together"
        where there are groups.
    vectorizer : TextVectorizer, TermSpace or None
        None takes the default but for damped term frequencies, 1 + log2(f), which the
        measurements in docs/measured/words.md favour; with ``as_published=True`` plain ones.
    levels : int or None
        A hierarchy of so many levels goes into whatever is shown and written, the last of them
        the clusters; see `Clustering.tree`, which there is without it too.
    outliers : bool or float, default=False
        Give what fits nowhere the label -1: about this share of a collection without strangers,
        True is 0.02, and more where there are some. See docs/outliers.md.
    by : {"day", "week", "month", "quarter", "year"} or None
        Which clusters rise, fall, are new or have vanished, by this period, goes into whatever is
        shown and written; see `Clustering.over_time`, which there is without it too.
    stability : bool, default=False
        Say how stable each document and each cluster is: in 20 more runs, each on half of the
        documents, how well those that are together are together again. `max_seconds` is then for
        both, half for the search. See `Clustering.stability` and docs/stability.md.
    random_state : int or None, default=0
    **parameters
        Further parameters of the method, such as `init` or `n_init`; ``learn=True`` has "hmrf"
        learn a weight for every term. "kernel" takes ``kernel="neighbours"`` by default.
        ``max_seconds=60`` bounds the search, the choice of k included: what is best by then is
        the result, whose `stopped` says so.
        ``as_published=True`` runs the method as its paper prints it.

    Examples
    --------
    >>> import textclust as tc
    >>> r = tc.cluster(tc.corpora.path("newsgroups"), k=3)
    >>> r.sizes
    [86, 71, 68]
    """
    earlier = None
    if previous is not None or background is not None:
        from textclust.knowledge import earlier_run

        earlier = earlier_run(previous, background, background_before)
        background = background if earlier is None else earlier
    kinds = given_kinds(
        seeds=seeds,
        constraints=constraints,
        background=background_before if background is None else background,
        examples=examples,
        seed_words=seed_words,
    )
    wanted = Wanted(levels, outliers, by, stability)
    columns = {"text": text, "id": id, "label": label, "date": date, "group": group}
    reading = reading_of_source(source, {name: c for name, c in columns.items() if c is not None})
    run = Run.of(kinds, k, method, distortion, random_state, parameters)
    if vectors is not None and "background" in kinds:
        raise InputError("a background is compared by its terms; leave the vectors out")
    if vectorizer is None:
        vectorizer = default_vectorizer(kinds, bool(parameters.get("as_published")))
    background, reading = _split(reading, background, background_before)
    known = SupervisionSource.read(
        seeds,
        constraints,
        background=background,
        vectorizer=vectorizer,
        examples=examples,
        source=source,
        seed_words=seed_words,
    )
    least = run.k or known.least_clusters
    if not is_asked_for(embed) and embed_weight != "auto":
        raise InputError(
            "embed_weight says how much vectors count, and there are none; give embed= too"
        )
    if is_asked_for(embed):
        embedding = Embedding.asked(embed, vectors, embed_weight, run, kinds)
        documents = Documents.from_reading(known.joined(reading))
        corpus = Corpus.read(documents.reading(), vectorizer, least)
        blocks = Blocks(corpus.X, embedding.of(documents.texts), embedding)
        found = cluster_corpus(corpus, known, run, groups=groups, wanted=wanted, blocks=blocks)
    else:
        corpus = Corpus.read(known.joined(reading), vectorizer, least)
        found = cluster_corpus(corpus, known, run, vectors, groups, wanted)
    if earlier is None:
        return found
    from textclust.comparison.continuing import going_on

    return going_on(found, earlier)


def cluster_corpus(
    corpus: Corpus,
    given: SupervisionSource,
    run: Run,
    vectors: ArrayLike | None = None,
    groups: str | None = None,
    wanted: Wanted = NOTHING_MORE,
    blocks: Blocks | None = None,
) -> Clustering:
    """The same for documents that are counted already.

    `blocks` are their terms and the vectors that count beside these.
    """
    wanted.refuse(corpus.documents)
    X = _rows(corpus, vectors) if blocks is None else blocks.rows(blocks.first_weight)
    supervision = given.resolve(corpus.documents, run.k, corpus)
    if vectors is not None and supervision.seed_words is not None:
        supervision = replace(supervision, seed_words=supervision.seed_words.elsewhere())
    together = _groups(corpus.documents, groups)
    view = View(X, supervision) if together is None else together.seen(X, supervision, run)
    with run.searching():
        with half_of_the_time():
            selection = selection_for(run, view.X, view.supervision)
        if selection is not None:
            run = run.with_k(selection.k)
        if blocks is not None:
            with half_of_the_time():
                weight = blocks.chosen(run, supervision)
            X = blocks.rows(weight.weight)
            view = View(X, supervision) if together is None else together.seen(X, supervision, run)
        with half_of_the_time() if wanted.stability else nullcontext():
            solution = view.solve(run)
        moved = view.moved(run, supervision, solution)
        stable = None
        if wanted.stability:
            from textclust.model_selection.stability import stability

            stable = stability(view, run, solution)
    refuse_too_many(run, solution, supervision)
    space = Space.of(solution, X).calibrated(X, solution.labels)
    beside = None if blocks is None else blocks.part(weight.weight).with_said(X, space)
    settings = run_settings(
        run,
        solution,
        supervision,
        corpus.vectorizer,
        collection_of(corpus),
        selection,
        None if vectors is None else X,
    )
    if beside is not None:
        settings["embedding"] = {**beside.to_dict(), **weight.to_dict()}
    found = Clustering(
        cards=cards_of(corpus.documents),
        placement=place(X, space, _fixed_labels(solution, supervision, space)),
        space=space,
        vectorizer=corpus.vectorizer,
        texts=corpus.X,
        objective=solution.energy,
        settings=_with_groups(together, settings),
        of_vectors=vectors is not None,
        outcome=SupervisionOutcome.of(
            supervision,
            solution,
            corpus.X,
            numbered="seeds" in run.takes and supervision.background is None,
            moved=moved,
        ),
        memberships=solution.memberships,
        stopped=solution.stopped,
        beside=beside,
        known=corpus.known,
        vectors=None if vectors is None else X[compared(len(corpus))],
        keys=corpus.documents.keys,
        stability=stable,
        digests=as_rows(corpus.documents.digests),
    )
    return wanted.of(found, X)


def _split(
    reading: Reading, background: BackgroundLike | None, before: str | dt.date | None
) -> tuple[BackgroundLike | None, Reading]:
    """The background, which may be the oldest of the documents, and what is left to cluster."""
    if before is None:
        return background, reading
    from textclust.knowledge import split_at

    if background is not None:
        raise InputError("background= and background_before= were both given; leave one out")
    old, new = split_at(Documents.from_reading(reading), before)
    return old, new.reading()


def default_vectorizer(kinds: frozenset[str], as_published: bool = False) -> TermSpace:
    """As published plain term frequencies; beside a background, without IDF (Gao et al. 2005)."""
    plain = as_published and "background" in kinds
    return TermSpace(sublinear_tf=not as_published, use_idf=not plain)


def _rows(corpus: Corpus, vectors: ArrayLike | None) -> Matrix:
    """What is clustered: the terms, or ready-made vectors of the same documents."""
    if vectors is None:
        return corpus.X
    X = checked_vectors(vectors)
    if X.shape[0] != len(corpus):
        raise InputError(
            f"{X.shape[0]} vectors for {len(corpus)} documents; give one for each, in order"
        )
    return X


def selection_for(run: Run, X: Matrix, supervision: Supervision) -> Selection | None:
    """How many clusters there are, as `select_k` has it by default; None where that is known.

    A method finds it by itself beside a background or by examples.
    """
    if run.k is not None or supervision.kinds & {"background", "examples"}:
        return None
    from textclust.model_selection.choice import select_k_of_rows

    euclidean = getattr(run.solver, "distortion", None) == "euclidean"
    return select_k_of_rows(
        X,
        constraints=supervision.constraints,
        y=supervision.seeds,
        classes=len(supervision.classes),
        distortion="euclidean" if euclidean else "cosine",
        random_state=run.solver.random_state,
        n_jobs=run.solver.n_jobs,
    )


def refuse_too_many(run: Run, solution: Solution, supervision: Supervision) -> None:
    """Raise an InputError for fewer clusters than wanted; classes may have no document left."""
    found, k = len(np.unique(solution.labels)), run.k or 1
    if found < k and supervision.background is None and solution.stopped is None:
        raise InputError(
            f"only {found} of {k} clusters can be distinguished: "
            + (
                "the seeds and constraints leave no document for the others"
                if supervision.kinds - {"seed_words"}
                else "too many documents are identical in the terms that are used"
            )
            + "; use fewer clusters"
        )


def _fixed_labels(solution: Solution, supervision: Supervision, space: Space) -> Labels | None:
    """The labels where a document need not be in the nearest cluster."""
    elsewhere = space.distortion is not solution.distortion
    several = solution.memberships is not None
    fixed = supervision.kinds or elsewhere or several or not solution.by_nearest
    return solution.labels if fixed else None


def _groups(documents: Catalogue, mode: str | None) -> Groups | None:
    """The groups of the documents, where they have any."""
    if documents.groups is not None:
        return Groups.of(documents.groups, mode or TOGETHER)
    if mode is not None:
        raise InputError(
            f"groups={mode!r}: the documents have no groups; name the column of a table that has"
            " them with group_column="
        )
    return None


def _with_groups(groups: Groups | None, settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of a run, and how it took groups."""
    if groups is None:
        return settings
    return {**settings, "groups": {"mode": groups.mode, "number": len(groups)}}
