"""textclust cluster: a collection in, named clusters out."""

from __future__ import annotations

import enum
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from textclust.choices import Linkage
from textclust.geometry import DISTORTIONS
from textclust.methods import METHODS

from . import options, output, results

__all__ = ["command"]

# Methods that know of documents in several clusters, or how probable each cluster is.
_SEVERAL = ("semifuzzy", "overlapping", "vmf", "hmrf-em")


if TYPE_CHECKING:
    DistortionName = str
else:
    DistortionName = options.choices("DistortionName", DISTORTIONS)


class Inference(enum.StrEnum):
    """How linked documents are labelled together."""

    ICM = "icm"
    BP = "bp"
    LP = "lp"


class Metric(enum.StrEnum):
    """A learned metric: what clusters share of it, or which one the examples teach."""

    GLOBAL = "global"
    LOCAL = "local"
    CLUE = "clue"
    RCA = "rca"
    XING = "xing"
    XING_DIAGONAL = "xing-diagonal"
    YEUNG_CHANG = "yeung-chang"
    NONE = "none"


class MetricMatrix(enum.StrEnum):
    """Whether a learned metric weighs single features or also pairs of them."""

    DIAGONAL = "diagonal"
    FULL = "full"


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
    """The classifier that labels new documents."""

    NAIVE_BAYES = "naive-bayes"
    NEAREST = "nearest"


class Start(enum.StrEnum):
    """Where the search begins."""

    AUTO = "auto"
    LSA = "lsa"
    PLUS_PLUS = "k-means++"
    PERTURBED = "perturbed"
    FARTHEST = "farthest"
    SEEDS = "seeds"
    NEIGHBOURHOODS = "neighbourhoods"
    LARGEST = "largest"
    RANDOM = "random"
    CONFIDENT = "confident"
    SPECTRAL = "spectral"


class UseConstraints(enum.StrEnum):
    """What links are used for."""

    BOTH = "both"
    INIT = "init"
    METRIC = "metric"


@options.reading
def command(
    path: options.Source,
    k: Annotated[
        str,
        typer.Option(
            "--k",
            "-k",
            help="How many clusters; auto is what select-k says, with a background its "
            "classes and new ones as needed, and with --examples as many as these suggest.",
        ),
    ] = "auto",
    method: Annotated[
        str | None,
        typer.Option(
            help=f"{', '.join(METHODS)}; by default kmeans, constrained with --seeds, hmrf with "
            "--constraints, semihard with --background, cluedo with --examples."
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
        typer.Option(help="Classifier that labels new documents, as in Gao et al. 2005."),
    ] = None,
    memberships: Annotated[
        bool,
        typer.Option(
            "--memberships",
            help="Write memberships.csv to --out; for semifuzzy, overlapping, vmf and hmrf-em.",
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
        typer.Option(
            help="One metric for all clusters or one for each: global or local, for mpckmeans, "
            "mkmeans and hmrf --learn. Which one is learned from examples: the others, for clue "
            "and cluedo."
        ),
    ] = None,
    matrix: Annotated[
        MetricMatrix | None,
        typer.Option(
            help="A weight for every feature, or a full matrix, for up to 200 features; for "
            "mpckmeans, mkmeans."
        ),
    ] = None,
    alpha_min: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            help="The least that a broken link costs, as a share of the squared length of the "
            "longest must-link; for mpckmeans, mkmeans.",
        ),
    ] = None,
    alpha_max: Annotated[
        float | None,
        typer.Option(min=0.0, help="The most that it costs, in the same shares."),
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
        bool, typer.Option("--robust", help="Down-weight links that contradict the rest.")
    ] = False,
    distortion: Annotated[
        DistortionName | None,
        typer.Option(help="The distance; cosine, or euclidean for mpckmeans, mkmeans and kernels."),
    ] = None,
    as_published: Annotated[
        bool,
        typer.Option(
            "--as-published",
            help="Run the method as its paper prints it: start, closure, weights, no refinement, "
            "plain term frequencies. Options given beside it hold.",
        ),
    ] = False,
    init: Annotated[
        Start | None,
        typer.Option(
            help="Where the search begins; seeds, neighbourhoods, largest, random and confident "
            "are the starts of the papers."
        ),
    ] = None,
    n_init: Annotated[int | None, typer.Option(min=1, help="How many starts to try.")] = None,
    refine: Annotated[
        bool | None,
        typer.Option("--refine/--no-refine", help="Whether single documents are moved at the end."),
    ] = None,
    entailed: Annotated[
        bool | None,
        typer.Option("--entailed/--no-entailed", help="Add links that follow from those given."),
    ] = None,
    emphasis: Annotated[
        bool | None,
        typer.Option(
            "--emphasis/--no-emphasis",
            help="Count documents double that links place in k groups, where that pays; for hmrf, "
            "pckmeans, kernel and the start of hmrf-em, without --learn and --robust.",
        ),
    ] = None,
    use_constraints: Annotated[
        UseConstraints | None,
        typer.Option(
            help="Use links for start and assignment, for the start alone, or, with mkmeans, "
            "for the metric alone."
        ),
    ] = None,
    R: Annotated[
        float | None,
        typer.Option("--R", min=0.0, help="How much a background counts; for semihard, semifuzzy."),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="Confidence that naive Bayes needs to be heard."),
    ] = None,
    weighting: options.TermWeighting = None,
    smoothing: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            help="What the smoothing of kl, i-divergence or itakura-saito anneals to; by default "
            "0.01, for itakura-saito 1.",
        ),
    ] = None,
    vectors: options.Vectors = None,
    out: options.Out = None,
    random_state: options.RandomState = 0,
    json: options.Json = False,
    terms: options.Terms = 6,
    no_text: Annotated[bool, typer.Option("--no-text", help="No texts in the report.")] = False,
    language: options.Language = "english",
    stem: options.Stem = False,
    ngrams: options.Ngrams = 1,
    min_df: options.MinDf = None,
    max_df: options.MaxDf = 0.95,
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
    others = (seeds, constraints, background, vectors, *_folders(examples, path))
    prepared = results.prepared(out, path, others, memberships=memberships)
    with output.showing_progress(), prepared as place:
        # Before numpy comes, which takes longer to import than to see that a path is wrong.
        reading = read(path, results.leave_out(path, out))
        from textclust.pipeline import cluster
        from textclust.text.documents import Documents

        source: Any = reading
        array = None
        if vectors is not None:  # a row for each document, which must be counted first
            source = Documents.from_reading(reading)
            array = options.load_vectors(vectors, len(source))
        plain = weighting is options.Weighting.TF if weighting else as_published
        of_background = background is not None or background_before is not None
        vectorizer = options.term_space(
            language,
            stem,
            ngrams,
            min_df,
            max_df,
            plain_tf=plain,
            use_idf=not (as_published and of_background),
        )
        chosen: dict[str, Any] = {
            "init": init,
            "n_init": n_init,
            "refine": refine,
            "weight": weight,
            "inference": inference,
            "use_constraints": use_constraints,
            "entailed": entailed,
            "emphasis": emphasis,
            "learn": learn or None,
            "metric": metric,
            "linkage": linkage,
            "matrix": matrix,
            "alpha_min": alpha_min,
            "alpha_max": alpha_max,
            "robust": robust or None,
            "kernel": kernel,
            "cut": cut,
            "n_neighbors": neighbours,
            "width": width,
            "n_landmarks": landmarks,
            "labeller": labeller,
            "R": R,
            "threshold": threshold,
            "as_published": as_published or None,
        }
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
            **{name: _plain(value) for name, value in chosen.items() if value is not None},
        )
        results.write(clustering, place, texts=not no_text, memberships=memberships)
    results.tell(clustering, reading.catalogue().skipped)
    if json:
        output.print_json(results.as_json(clustering))
    else:
        results.show(clustering, terms)
    results.note_written(place, memberships=memberships)


def _plain(option: Any) -> Any:
    """The value of an option as a method takes it."""
    return None if option is Metric.NONE else getattr(option, "value", option)


def _distortion(name: str | None, smoothing: float | None) -> Any:
    """What --distortion names, with --smoothing."""
    if smoothing is None:
        return None if name is None else str(name)
    from textclust import geometry
    from textclust.errors import InputError

    if name is None:
        raise InputError("--smoothing needs --distortion kl, i-divergence or itakura-saito")
    return geometry.get(str(name), smoothing)


def _background(path: Path | None, read: options.Read) -> Any:
    """Older documents, read as the new ones are; a model as it is."""
    if path is None:
        return None
    from textclust.knowledge import is_model
    from textclust.text.documents import Documents

    return path if is_model(str(path)) else Documents.from_reading(read(str(path)))


def _folders(examples: list[str] | None, path: str) -> list[str]:
    """The examples that are read for themselves; the others are classes of PATH."""
    given = examples or []
    return [
        each
        for each in given
        if os.path.isdir(each) and not os.path.isdir(os.path.join(path, each))
    ]


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
