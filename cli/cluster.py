"""textclust cluster: a collection in, named clusters out."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated, Any

import typer

from textclust.choices import DistortionName, Linkage

from . import options, output, results

__all__ = ["command"]

_SEVERAL = ("semifuzzy", "overlapping")  # methods that know of documents in several clusters


class Inference(enum.StrEnum):
    """How linked documents are labelled together."""

    ICM = "icm"
    BP = "bp"
    LP = "lp"


class Metric(enum.StrEnum):
    """What clusters share of a learned metric."""

    GLOBAL = "global"
    LOCAL = "local"


class Kernel(enum.StrEnum):
    """How alike two documents are, for the method kernel."""

    NEIGHBOURS = "neighbours"
    RBF = "rbf"
    COSINE = "cosine"
    LINEAR = "linear"
    POLYNOMIAL = "polynomial"


class Cut(enum.StrEnum):
    """What the method kernel minimises on a graph."""

    NORMALISED = "normalised"
    RATIO = "ratio"


class Labeller(enum.StrEnum):
    """Who names the classes of new documents."""

    NAIVE_BAYES = "naive-bayes"
    NEAREST = "nearest"


class Start(enum.StrEnum):
    """Where the search begins."""

    AUTO = "auto"
    LSA = "lsa"
    PLUS_PLUS = "k-means++"
    PERTURBED = "perturbed"
    FARTHEST = "farthest"


@options.reading
def command(
    path: options.Source,
    k: Annotated[
        str,
        typer.Option(
            "--k",
            help="How many clusters; auto is what select-k says for 2 to 20, with a background its "
            "classes and new ones as needed, and with --examples as many as these suggest.",
        ),
    ] = "auto",
    method: Annotated[
        str | None,
        typer.Option(
            help="kmeans, seeded, constrained, hmrf, pckmeans, mpckmeans, mkmeans, cop, kernel, "
            "adaptive-kernel, overlapping, hac, semihard, semifuzzy, clue or cluedo; by default "
            "kmeans, constrained with --seeds, hmrf with --constraints, semihard with "
            "--background, cluedo with --examples."
        ),
    ] = None,
    seeds: Annotated[
        Path | None, typer.Option(help="A CSV table id,label of documents whose class is known.")
    ] = None,
    constraints: Annotated[
        Path | None,
        typer.Option(
            help="A CSV table left,right,kind[,weight]; kind is must-link or cannot-link."
        ),
    ] = None,
    background: Annotated[
        Path | None,
        typer.Option(
            help="Older documents whose classes are known: folders, a labelled table, or the "
            "--out folder of an earlier run."
        ),
    ] = None,
    background_before: Annotated[
        str | None,
        typer.Option(
            metavar="DATE", help="The documents of PATH before this date are the background."
        ),
    ] = None,
    examples: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FOLDER...",
            help="Folders that show how to sort the rest: of PATH, or elsewhere, whose documents "
            "are added; or classes of the documents.",
        ),
    ] = None,
    labeller: Annotated[
        Labeller | None,
        typer.Option(help="Who names the classes of new documents, as in Gao et al. 2005."),
    ] = None,
    memberships: Annotated[
        bool,
        typer.Option(
            "--memberships", help="Write memberships.csv to --out; for semifuzzy and overlapping."
        ),
    ] = False,
    weight: Annotated[
        float | None, typer.Option(min=0.0, help="What it costs to break a link of weight 1.")
    ] = None,
    inference: Annotated[
        Inference | None, typer.Option(help="How linked documents are labelled together.")
    ] = None,
    learn: Annotated[
        bool, typer.Option("--learn", help="Learn a weight for every term; for hmrf.")
    ] = False,
    metric: Annotated[
        Metric | None,
        typer.Option(help="One metric for all clusters or one for each; for mpckmeans, mkmeans."),
    ] = None,
    kernel: Annotated[
        Kernel | None, typer.Option(help="For kernel; the graph of nearest neighbours by default.")
    ] = None,
    cut: Annotated[Cut | None, typer.Option(help="The cut of a graph; for kernel.")] = None,
    neighbours: Annotated[
        int | None, typer.Option(min=1, help="Neighbours of a document; for --kernel neighbours.")
    ] = None,
    width: Annotated[
        float | None, typer.Option(help="Of an rbf kernel; for adaptive-kernel its first one.")
    ] = None,
    landmarks: Annotated[
        int | None,
        typer.Option(min=1, help="Documents to approximate a kernel by, where there are many."),
    ] = None,
    linkage: Annotated[
        Linkage | None,
        typer.Option(
            help="How far apart clusters are; for hac (average), clue, cluedo (complete)."
        ),
    ] = None,
    robust: Annotated[
        bool, typer.Option("--robust", help="Doubt links that all others speak against.")
    ] = False,
    distortion: Annotated[
        DistortionName | None,
        typer.Option(help="The distance; cosine, or euclidean for mpckmeans, mkmeans and kernels."),
    ] = None,
    smoothing: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            help="What the smoothing of kl, i-divergence or itakura-saito anneals to; by default "
            "0.01, for itakura-saito 1.",
        ),
    ] = None,
    init: Annotated[Start, typer.Option(help="Where the search begins.")] = Start.AUTO,
    vectors: options.Vectors = None,
    out: options.Out = None,
    random_state: options.RandomState = 0,
    json: options.Json = False,
    terms: options.Terms = 6,
    no_text: Annotated[bool, typer.Option("--no-text", help="No texts in the report.")] = False,
    language: options.Language = "english",
    stem: Annotated[bool, typer.Option("--stem", help="Count words by their stems.")] = False,
    ngrams: Annotated[int, typer.Option(min=1, help="The longest run of words to count.")] = 1,
    min_df: Annotated[
        int | None, typer.Option(min=1, help="Leave out terms in fewer documents.")
    ] = None,
    max_df: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Leave out terms in a larger share of them.")
    ] = 0.95,
    *,
    read: options.Read,
) -> None:
    """Sort the documents of PATH into --k named clusters, or as many as there seem to be."""
    from textclust.errors import InputError

    count = _count(k)
    if memberships and (method not in _SEVERAL or out is None or out.suffix.lower() == ".csv"):
        raise InputError(
            f"--memberships needs --method {' or '.join(_SEVERAL)}, and a folder --out"
        )
    with output.showing_progress(), results.prepared(out) as stage:
        # Before numpy comes, which takes longer to import than to see that a path is wrong.
        places = () if stage is None else (out, stage)
        reading = read(path, results.leave_out(path, *places))
        from textclust.pipeline import cluster
        from textclust.text.documents import Documents
        from textclust.text.termspace import TermSpace

        source: Any = reading
        array = None
        if vectors is not None:  # a row for each document, which must be counted first
            source = Documents.from_reading(reading)
            array = options.load_vectors(vectors, len(source))
        vectorizer = TermSpace(
            stop_words=None if language == "none" else language,
            stem=True if stem else None,
            ngram_range=(1, ngrams),
            min_df="auto" if min_df is None else min_df,
            max_df=max_df,
            sublinear_tf=True,
        )
        clustering = cluster(
            source,
            count,
            method=method,
            seeds=seeds,
            constraints=constraints,
            background=_background(background, read),
            background_before=background_before,
            examples=_examples(examples, path, read),
            distortion=_distortion(distortion, smoothing),
            vectors=array,
            vectorizer=vectorizer,
            random_state=random_state,
            **({} if init is Start.AUTO else {"init": init.value}),
            **({} if weight is None else {"weight": weight}),
            **({} if inference is None else {"inference": inference.value}),
            **({"learn": True} if learn else {}),
            **({} if metric is None else {"metric": metric.value}),
            **({"robust": True} if robust else {}),
            **({} if kernel is None else {"kernel": kernel.value}),
            **({} if cut is None else {"cut": cut.value}),
            **({} if neighbours is None else {"n_neighbors": neighbours}),
            **({} if width is None else {"width": width}),
            **({} if landmarks is None else {"n_landmarks": landmarks}),
            **({} if linkage is None else {"linkage": linkage.value}),
            **({} if labeller is None else {"labeller": labeller.value}),
        )
        if stage is not None and out is not None:
            results.write(clustering, stage, out, texts=not no_text)
            if memberships:
                results.write_memberships(clustering, stage / "memberships.csv")
    results.tell(clustering, reading.catalogue().skipped)
    if json:
        output.print_json(results.as_json(clustering))
    else:
        results.show(clustering, terms)
        results.note_written(out, *(["memberships.csv"] if memberships else []))


def _distortion(name: DistortionName | None, smoothing: float | None) -> Any:
    """What --distortion names, with --smoothing."""
    if smoothing is None:
        return None if name is None else name.value
    from textclust import geometry
    from textclust.errors import InputError

    if name is None:
        raise InputError("--smoothing needs --distortion kl, i-divergence or itakura-saito")
    return geometry.get(name.value, smoothing)


def _background(path: Path | None, read: options.Read) -> Any:
    """Older documents, read as the new ones are; a model as it is."""
    if path is None:
        return None
    from textclust.knowledge import is_model
    from textclust.text.documents import Documents

    return path if is_model(str(path)) else Documents.from_reading(read(str(path)))


def _examples(given: list[str] | None, path: str, read: options.Read) -> Any:
    """Example folders; what lies elsewhere is read as PATH is."""
    if not given:
        return None
    from textclust.examples import Examples

    return Examples.read(given, path, read)


def _count(k: str) -> int | str:
    """The number that --k stands for."""
    from textclust.errors import InputError

    if k == "auto":
        return k
    try:
        count = int(k)
    except ValueError:
        raise InputError(f"--k must be a whole number or auto; got {k}") from None
    if count < 1:
        raise InputError(f"--k must be at least 1; got {k}")
    return count
