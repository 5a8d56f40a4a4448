"""textclust cluster: a collection in, named clusters out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from textclust.errors import in_words
from textclust.geometry import floors
from textclust.methods import GROUPINGS, KINDS, METHODS, TOGETHER, usual_method

from . import by_journal, method_options, options, output, over_time, results
from .commands import WithExamples
from .declared import Option
from .interruption import first_keeps_the_best

if TYPE_CHECKING:
    from textclust.examples import Examples
    from textclust.geometry import Distortion
    from textclust.text.documents import Documents
    from textclust.text.reading import Reading

    Grouping = str
else:
    Grouping = options.choices("Grouping", GROUPINGS)

__all__ = ["app", "background_of", "command", "count"]

_WITH_MEMBERSHIPS = [name for name, method in METHODS.items() if method.has_memberships]


def _usual_methods() -> str:
    """What is taken where no method is named, by the options that are given."""
    options_of: dict[str, list[str]] = {}
    for kind in reversed(KINDS):
        options_of.setdefault(usual_method(frozenset({kind})), []).append(
            f"--{kind.replace('_', '-')}"
        )
    by_options = (f"{name} with {in_words(given)}" for name, given in options_of.items())
    return ", ".join([usual_method(frozenset()), *by_options])


@options.reading
@options.counting
@method_options.of_methods
def command(
    path: options.Source,
    k: Annotated[
        str,
        Option(
            "--k",
            "-k",
            help="How many clusters; auto is what select-k recommends, with a background its "
            "classes and new ones as needed, and with --examples as many as these suggest.",
        ),
    ] = "auto",
    method: Annotated[
        str | None,
        Option(help=f"{', '.join(METHODS)}; by default {_usual_methods()}."),
    ] = None,
    seeds: options.Seeds = None,
    seed_words: Annotated[
        Path | None,
        Option(help="A CSV table label,word of words that speak for a class, one in a row."),
    ] = None,
    constraints: Annotated[
        Path | None,
        Option(help="A CSV table left,right,kind[,weight]; kind is must-link or cannot-link."),
    ] = None,
    background: options.Background = None,
    background_before: Annotated[
        str | None,
        Option(metavar="DATE", help="The documents of PATH before this date are the background."),
    ] = None,
    previous: Annotated[
        Path | None,
        Option(
            "--continue",
            metavar="DIR",
            help="The --out folder of an earlier run: its clusters keep their names, order and "
            "identities, and the run says what became of each. --background with such a folder "
            "does the same.",
        ),
    ] = None,
    examples: Annotated[
        list[str] | None,
        Option(
            metavar="FOLDER...",
            help="Folders that show how to sort the rest: of PATH, or elsewhere, whose documents "
            "are added; or classes of the documents. Without a PATH elsewhere it is the last one.",
        ),
    ] = None,
    journal: Annotated[
        Path | None,
        Option(
            help="The journal of a workbench, journal.jsonl in its folder: replay it, which gives "
            "the same labels. k and the supervision come from it.",
        ),
    ] = None,
    memberships: Annotated[
        bool,
        Option(
            "--memberships",
            help=f"Write memberships.csv to --out; for {', '.join(_WITH_MEMBERSHIPS)}.",
        ),
    ] = False,
    *,
    chosen: method_options.Chosen,
    weighting: options.TermWeighting = None,
    smoothing: Annotated[
        float | None,
        Option(
            min=0.0,
            help=f"The smoothing of {in_words(list(floors()))} when annealing ends; by default "
            + ", ".join(f"{floor:g} for {name}" for name, floor in floors().items())
            + ".",
        ),
    ] = None,
    vectors: options.Vectors = None,
    embed: options.Embed = "off",
    embed_weight: options.EmbedWeight = "auto",
    group_column: Annotated[
        str | None,
        Option(
            help="The column that says which group a document belongs to, such as its author.",
        ),
    ] = None,
    groups: Annotated[
        Grouping | None,
        Option(
            help="What happens to the groups of --group-column: together, the default, keeps the "
            "documents of a group in one cluster; weigh counts every group as one document."
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        Option(
            metavar="ADDRESS|local",
            help="Cluster on the workers of a Dask cluster, at an address such as "
            "tcp://host:8786, or made here for the run. PATH may be a pattern: 'crawl/*.jsonl'.",
        ),
    ] = None,
    levels: Annotated[
        int | None,
        Option(
            min=1,
            help="Show which clusters belong together, in a hierarchy of so many levels; the last "
            "level is the clusters themselves.",
        ),
    ] = None,
    outliers: Annotated[
        bool,
        Option(
            "--outliers",
            help="Put documents that fit no cluster into one of their own, -1. Where all fit, that "
            "is still about one document in fifty.",
        ),
    ] = False,
    stability: Annotated[
        bool,
        Option(
            help="Say how stable each document and cluster is, by clustering halves of the "
            "documents 20 more times: 1 is perfect, 0 is chance.",
        ),
    ] = False,
    by: Annotated[
        over_time.Period | None,
        Option(
            help="Show how the clusters develop from period to period, and which of them rise, "
            "fall, are new or have vanished; over_time.csv in --out has the numbers and terms."
        ),
    ] = None,
    out: options.Out = None,
    keep: options.Keep = False,
    csv_formulas: options.CsvFormulas = options.Formulas.QUOTE,
    random_state: options.RandomState = 0,
    json: options.Json = False,
    terms: options.Terms = 6,
    no_text: Annotated[
        bool, Option("--no-text", help="Leave all texts out of the report.")
    ] = False,
    words: options.Words,
    read: options.Read,
) -> None:
    """Sort the documents of PATH into --k named clusters, or as many as there seem to be."""
    from textclust.errors import InputError

    number, weight_of_vectors = count(k), options.share(embed_weight)
    no_folder = out is None or out.suffix.lower() == ".csv"
    if memberships and (method not in _WITH_MEMBERSHIPS or no_folder):
        those = " or ".join(_WITH_MEMBERSHIPS)
        raise InputError(f"--memberships needs --method {those}, and a folder --out")
    parameters = dict(chosen)
    distortion = _distortion(parameters.pop("distortion", None), smoothing)
    as_published = bool(parameters.get("as_published"))
    if journal is not None:
        by_journal.refuse_beside(
            {
                "--k": None if k == "auto" else k,
                "--method": method,
                "--seeds": seeds,
                "--seed-words": seed_words,
                "--constraints": constraints,
                "--background-before": background_before,
                "--continue": previous,
                "--examples": examples,
                "--vectors": vectors,
                "--embed": None if embed == "off" else embed,
                "--group-column": group_column,
                "--distortion": distortion,
                "--weighting": weighting,
                "--levels": levels,
                "--outliers": outliers,
                "--stability": stability,
                "--by": by,
            },
            parameters,
        )
    if groups is not None and group_column is None:
        raise InputError("--groups needs --group-column; name the column that has the groups")
    others = (
        seeds,
        seed_words,
        constraints,
        background,
        previous,
        vectors,
        journal,
        *_files(words.keywords["stop_words"], embed.removeprefix("st:")),
        *_folders(examples, path),
    )
    if scheduler is not None:
        from . import scheduler as elsewhere

        refused = {
            "--seed-words": seed_words,
            "--background": background,
            "--background-before": background_before,
            "--continue": previous,
            "--examples": examples,
            "--group-column": group_column,
            "--journal": journal,
            "--memberships": memberships,
            "--vectors": vectors,
            "--embed": None if embed == "off" else embed,
            "--levels": levels,
            "--outliers": outliers,
            "--stability": stability,
            "--by": by,
            "--no-text": no_text,
        }
        elsewhere.refuse_beside({name: value for name, value in refused.items() if value})
        elsewhere.cluster(
            path,
            number,
            scheduler,
            out,
            others,
            words(weighting=options.weighting_of(weighting, as_published)),
            options.reading_settings(read),
            {
                "method": method,
                "distortion": distortion,
                "seeds": seeds,
                "constraints": constraints,
                "random_state": random_state,
                **parameters,
            },
            json=json,
            terms=terms,
            keep=keep,
            keep_formulas=options.are_kept(csv_formulas),
        )
        return
    prepared = results.prepared(
        out, path, others, memberships=memberships, by=by is not None, keep=keep
    )
    with output.showing_progress(), prepared as place:
        # Before numpy comes, which takes longer to import than to see that a path is wrong; and
        # while it comes, an archive is unpacked.
        reading = read(path, results.leave_out(path, out), group_column).begun()
        from textclust.pipeline import cluster
        from textclust.text.documents import Documents

        source: Reading | Documents = reading
        array = None
        if vectors is not None:  # a row for each document, which must be counted first
            source = Documents.from_reading(reading)
            array = options.load_vectors(vectors, len(source))
        of_background = any(each is not None for each in (background, background_before, previous))
        vectorizer = words(
            weighting=options.weighting_of(weighting, as_published),
            use_idf=not (as_published and of_background),
        )
        older = background_of(background, read)
        if journal is not None:
            clustering = by_journal.clustered(journal, reading, vectorizer, older)
        else:
            with first_keeps_the_best():
                clustering = cluster(
                    source,
                    number,
                    method=method,
                    seeds=seeds,
                    seed_words=seed_words,
                    constraints=constraints,
                    background=older,
                    background_before=background_before,
                    previous=previous,
                    examples=_examples(examples, path, read),
                    distortion=distortion,
                    vectors=array,
                    embed=embed,
                    embed_weight=weight_of_vectors,
                    groups=None if group_column is None else groups or TOGETHER,
                    vectorizer=vectorizer,
                    levels=levels,
                    outliers=outliers,
                    stability=stability,
                    by=None if by is None else str(by),
                    random_state=random_state,
                    **parameters,
                )
        results.write(
            clustering,
            place,
            texts=not no_text,
            memberships=memberships,
            keep_formulas=options.are_kept(csv_formulas),
        )
    results.note_before_table(clustering, reading.catalogue().skipped)
    if json:
        output.print_json(results.as_json(clustering))
    else:
        results.show(clustering, terms)
    results.note_written(place, memberships=memberships, by=by is not None)


app = WithExamples("cluster", command)


def _distortion(name: str | None, smoothing: float | None) -> str | Distortion | None:
    """What --distortion names, with --smoothing."""
    if smoothing is None:
        return name
    from textclust import geometry
    from textclust.errors import InputError

    if name is None:
        raise InputError(f"--smoothing needs --distortion {in_words(list(floors()))}")
    return geometry.get(name, smoothing)


def background_of(path: Path | None, read: options.Read) -> Path | Documents | None:
    """Older documents, read as the new ones are; a model as it is."""
    if path is None:
        return None
    from textclust.knowledge import is_model
    from textclust.text.documents import Documents

    return path if is_model(str(path)) else Documents.from_reading(read(str(path)))


def _files(*named: str | None) -> list[str]:
    """Those that are files or folders, and no names of something else."""
    return [each for each in named if each is not None and os.path.exists(each)]


def _folders(examples: list[str] | None, path: str) -> list[str]:
    """The examples that are read for themselves; the others are classes of PATH."""
    given = examples or []
    return [
        each
        for each in given
        if os.path.isdir(each) and not os.path.isdir(os.path.join(path, each))
    ]


def _examples(given: list[str] | None, path: str, read: options.Read) -> Examples | None:
    """Example folders; what lies elsewhere is read as PATH is."""
    if not given:
        return None
    from textclust.examples import Examples

    return Examples.read(given, path, read)


def count(k: str) -> int | str:
    """The number that --k stands for."""
    from textclust.errors import InputError

    if k == "auto":
        return k
    try:
        found = int(k)
    except ValueError:
        raise InputError(f"--k must be a whole number or auto; got {k}") from None
    if found < 1:
        raise InputError(f"--k must be at least 1; got {k}")
    return found
