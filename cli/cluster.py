"""textclust cluster: a collection in, named clusters out."""

from __future__ import annotations

import enum
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import options, output

if TYPE_CHECKING:
    from textclust.answer.clustering import Clustering
    from textclust.text.folders import LeaveOut

__all__ = ["command"]

_COLUMNS = ("id", "cluster", "name", "score")


class Distortion(enum.StrEnum):
    """The distance that clusters are made with."""

    COSINE = "cosine"
    KL = "kl"
    EUCLIDEAN = "euclidean"


class Inference(enum.StrEnum):
    """How linked documents are labelled together."""

    ICM = "icm"
    BP = "bp"
    LP = "lp"


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
            "--k", help="How many clusters; auto, with a background, adds new ones as needed."
        ),
    ],
    method: Annotated[
        str | None,
        typer.Option(
            help="kmeans, seeded, constrained, hmrf, pckmeans, mpckmeans, mkmeans, cop, semihard "
            "or semifuzzy; by default kmeans, constrained with --seeds, hmrf with --constraints, "
            "semihard with --background."
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
    labeller: Annotated[
        Labeller | None,
        typer.Option(help="Who names the classes of new documents, as in Gao et al. 2005."),
    ] = None,
    memberships: Annotated[
        bool,
        typer.Option("--memberships", help="Write memberships.csv to --out; for semifuzzy."),
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
    robust: Annotated[
        bool, typer.Option("--robust", help="Doubt links that all others speak against.")
    ] = False,
    distortion: Annotated[
        Distortion | None,
        typer.Option(help="The distance; cosine, or euclidean for mpckmeans and mkmeans."),
    ] = None,
    init: Annotated[Start, typer.Option(help="Where the search begins.")] = Start.AUTO,
    vectors: options.Vectors = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="A folder for labels.csv, clusters.json, model/ and report.html; "
            "or a .csv file, for the labels alone."
        ),
    ] = None,
    random_state: Annotated[
        int, typer.Option(min=0, max=2**32 - 1, help="Makes runs repeatable.")
    ] = 0,
    json: options.Json = False,
    terms: Annotated[int, typer.Option(min=1, help="How many terms to show.")] = 6,
    no_text: Annotated[bool, typer.Option("--no-text", help="No texts in the report.")] = False,
    language: Annotated[
        str, typer.Option(help="The language of the stop words, or none.")
    ] = "english",
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
    """Sort the documents of PATH into --k named clusters."""
    from textclust.errors import InputError

    count = _count(k)
    if memberships and (method != "semifuzzy" or out is None):
        raise InputError("--memberships needs --method semifuzzy and --out")
    with output.showing_progress(), _prepared(out) as stage:
        # Before numpy comes, which takes longer to import than to see that a path is wrong.
        reading = read(path, _results(path, *(() if stage is None else (out, stage))))
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
            background=background,
            background_before=background_before,
            distortion=None if distortion is None else distortion.value,
            init=init.value,
            vectors=array,
            vectorizer=vectorizer,
            random_state=random_state,
            **({} if weight is None else {"weight": weight}),
            **({} if inference is None else {"inference": inference.value}),
            **({"learn": True} if learn else {}),
            **({"robust": True} if robust else {}),
            **({} if labeller is None else {"labeller": labeller.value}),
        )
        if stage is not None and out is not None:
            if _is_table(out):
                _write_labels(clustering, stage / out.name)
            else:
                _write(clustering, stage, texts=not no_text)
                if memberships:
                    _write_memberships(clustering, stage / "memberships.csv")
    _tell(clustering, reading.catalogue().skipped)
    if json:
        header = _columns(clustering)
        labels = [dict(zip(header, row, strict=True)) for row in _rows(clustering)]
        output.print_json({**clustering.to_dict(), "labels": labels})
    else:
        _show(clustering, terms)
        if out is not None:
            results = "" if _is_table(out) else ": labels.csv, clusters.json, model/, report.html"
            output.note(f"written to {out}{results}")


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


def _prepared(out: Path | None) -> Any:
    """A place to write results to, found unwritable before the work is done."""
    from contextlib import nullcontext

    from textclust.writing import staged_folder

    if out is None:
        return nullcontext()
    return staged_folder(out.parent if _is_table(out) else out)


def _is_table(out: Path) -> bool:
    """Whether --out names a file for the labels alone."""
    return out.suffix.lower() == ".csv" and not out.is_dir()


def _results(path: str, *places: Any) -> LeaveOut | None:
    """What tells results, of this run or an earlier one, from the documents in their folder."""
    from textclust.errors import InputError
    from textclust.text.names import readable

    if not os.path.isdir(path):
        return None
    home = os.path.realpath(path)
    below = [os.path.relpath(os.path.realpath(place), home) for place in places]
    if "." in below:
        raise InputError(f"{path}: the results cannot lie among the documents; name another --out")
    here = [readable(os.fsencode(name)).replace(os.sep, "/") for name in below]
    here = [name if name.lower().endswith(".csv") else f"{name}/" for name in here]
    mark = "model/manifest.json"

    def beginnings(names: list[str]) -> tuple[str, ...]:
        earlier = [name.removesuffix(mark) for name in names if name.endswith("/" + mark)]
        return (*here, *earlier)

    return beginnings


def _write(clustering: Clustering, folder: Path, *, texts: bool) -> None:
    import json

    from textclust.threads import beside
    from textclust.writing import write_whole

    with beside(partial(clustering.save, folder / "model")):
        _write_labels(clustering, folder / "labels.csv")
        clustering.report(folder / "report.html", texts=texts)
        content = json.dumps(clustering.to_dict(), ensure_ascii=False, indent=2)
        write_whole(folder / "clusters.json", content + "\n")


def _write_labels(clustering: Clustering, path: Path) -> None:
    from textclust.writing import write_whole

    write_whole(path, output.csv_text(_columns(clustering), _rows(clustering)))


def _write_memberships(clustering: Clustering, path: Path) -> None:
    from textclust.writing import write_whole

    past = clustering.past
    if past is None or past.memberships is None:
        return
    header = ("id", *(str(h) for h in range(clustering.k)))
    shares = past.memberships.round(6).tolist()
    rows = [(name, *row) for name, row in zip(clustering.ids, shares, strict=True)]
    write_whole(path, output.csv_text(header, rows))


def _rows(clustering: Clustering) -> Iterator[tuple[Any, ...]]:
    labels, scores = clustering.labels.tolist(), clustering.scores.round(4).tolist()
    names = [clustering.names[h] for h in labels]
    columns = [clustering.ids, labels, names, scores]
    if clustering.past is not None:
        columns.append(clustering.past.novelty.round(4).tolist())
    return zip(*columns, strict=True)


def _columns(clustering: Clustering) -> tuple[str, ...]:
    """What is told of each document; how new it is beside a background alone."""
    return _COLUMNS if clustering.past is None else (*_COLUMNS, "novelty")


def _tell(clustering: Clustering, skipped: list[Any]) -> None:
    """What the reader should know before trusting the table."""
    output.note_skipped(skipped)
    empty = clustering.settings["collection"]["without_terms"]
    if empty:
        output.note(f"{output.counted(empty, 'document')} without any term that counts")


def _show(clustering: Clustering, terms: int) -> None:
    rows: list[tuple[Any, ...]] = []
    for h in range(clustering.k):
        best = clustering.nearest_rows(h, 1)
        typical = clustering.cards[best[0]] if best else None
        shown = f"{typical.title} ({typical.id})" if typical else ""
        rows.append((h, clustering.sizes[h], ", ".join(clustering.terms(h, terms)), shown))
    header: tuple[str, ...] = ("cluster", "size", "terms", "a typical document")
    if clustering.past is not None:
        named = zip(rows, clustering.past.classes, strict=True)
        rows = [(h, name or "(new)", *rest) for (h, *rest), name in named]
        header = ("cluster", "class", *header[1:])
    output.print_table(
        header, rows, f"{len(clustering.cards)} documents in {clustering.k} clusters"
    )
    _show_past(clustering)
    _show_evidence(clustering)
    agreement = clustering.agreement()
    if agreement:
        print(
            f"Agreement with the known classes: NMI {agreement['nmi']:.3f}, "
            f"pairwise F {agreement['pairwise_f1']:.3f}"
        )


def _show_past(clustering: Clustering) -> None:
    """How much of the collection the background knows."""
    if clustering.past is None:
        return
    strange = int(clustering.past.unlike_all.sum())
    documents = output.counted(len(clustering.cards), "document")
    output.print_line(f"{strange} of {documents} fit no class of the background")


def _show_evidence(clustering: Clustering) -> None:
    """What became of what was said beforehand."""
    evidence = clustering.evidence
    if evidence.seeds:
        kept = evidence.kept_seeds(clustering.labels.tolist())
        homes = evidence.homes(clustering.labels.tolist())
        named = zip(homes, evidence.classes, strict=True)
        shown = ", ".join(f"{h} is {name}" for h, name in named)
        seeds = output.counted(len(evidence.seeds), "seed")
        output.print_line(f"{kept} of {seeds} in the cluster of their class: {shown}")
    if evidence.links:
        broken = clustering.violations()
        links = output.counted(len(evidence.links), "link")
        price = sum(link.price or 0.0 for link in broken)
        at = f", at a price of {price:.3f} in all" if broken else ""
        output.print_line(f"{len(broken)} of {links} broken{at}")
        doubted = sum(link.price == 0.0 for link in evidence.links)
        if doubted:
            output.print_line(f"{output.counted(doubted, 'link')} left out as doubtful")
