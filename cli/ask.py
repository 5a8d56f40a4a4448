"""textclust ask: questions about pairs of documents, and a clustering that knows the answers."""

from __future__ import annotations

import enum
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from textclust.active import CONSOLIDATING, EXPLORING, SPACES

from . import options, output, results
from .conversation import Conversation, learned
from .places import given

if TYPE_CHECKING:
    from textclust.active.explore_consolidate import ExploreConsolidate
    from textclust.active.session import Session
    from textclust.active.state import State
    from textclust.active.words import PairWords
    from textclust.result.clustering import Clustering
    from textclust.text.corpus import Corpus
    from textclust.text.documents import Documents
    from textclust.text.reading import Reading

    Exploring = str
    Consolidating = str
    Space = str
else:
    Exploring = options.choices("Exploring", ["auto", *EXPLORING])
    Consolidating = options.choices("Consolidating", ["auto", *CONSOLIDATING])
    Space = options.choices("Space", ["auto", *SPACES])

__all__ = ["command"]

_KINDS = {True: "same", False: "different"}
_CHECKS = 0.2  # where a person answers


class Oracle(enum.StrEnum):
    """Who answers instead of a person."""

    FOLDERS = "folders"


@options.reading
def command(
    path: options.Source,
    k: Annotated[
        int | None,
        typer.Option(
            "--k", "-k", min=1, help="How many clusters; as many as are found if left out."
        ),
    ] = None,
    queries: Annotated[
        int, typer.Option(min=0, help="How many questions, including those answered earlier.")
    ] = 50,
    answers: Annotated[
        Path | None,
        typer.Option(
            help="A constraints file to continue, to which each answer is added; "
            "PATH with .answers.csv in this folder if left out."
        ),
    ] = None,
    merge: Annotated[
        list[Path] | None,
        typer.Option(help="Someone else's answers to merge; can be given several times."),
    ] = None,
    checks: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=1.0,
            help="The share of questions, at most, that check what follows from earlier answers; "
            "0.2 if left out, 0 with --oracle or --as-published.",
        ),
    ] = None,
    exploring: Annotated[
        Exploring,
        typer.Option(
            help="Until there is a document of each cluster, ask about the one farthest from all "
            "known ones, or about one that is far and has near neighbours: dense passes outliers "
            "over.",
        ),
    ] = "auto",
    consolidating: Annotated[
        Consolidating,
        typer.Option(
            help="From then on, ask about the document whose cluster is least certain, the same of "
            "a few drawn at random (typical), a random one, or the one farthest from all known "
            "ones.",
        ),
    ] = "auto",
    space: Annotated[
        Space,
        typer.Option(
            help="Measure distances between all terms (full) or in the leading directions of the "
            "matrix (latent); auto is latent for more than a hundred terms.",
        ),
    ] = "auto",
    as_published: Annotated[
        bool,
        typer.Option(
            "--as-published",
            help="Ask and cluster as Basu 2005 prints it, chapters 4 and 5; options given beside "
            "it hold.",
        ),
    ] = False,
    oracle: Annotated[
        Oracle | None,
        typer.Option(help="Who answers instead of you: the names of the sub-folders."),
    ] = None,
    out: options.Out = None,
    random_state: options.RandomState = 0,
    json: options.Json = False,
    terms: options.Terms = 6,
    language: options.Language = "english",
    *,
    read: options.Read,
) -> None:
    """Ask which documents of PATH belong together, then cluster them with the answers."""
    from textclust.writing import refuse_input

    file = _answers_file(path, answers, oracle)
    others = (file, *(merge or ()))
    if file is not None:
        refuse_input(file, given(path))
    with output.showing_progress():
        results.check(out, path, others)  # before anybody has answered
        reading = read(path, results.leave_out(path, out, file))
        collection = _Collection.read(reading, language, k, as_published)
        session = _session(k, file, merge or [], collection.documents)
    from textclust.active.explore_consolidate import ExploreConsolidate

    if checks is None:
        checks = _CHECKS if oracle is None and not as_published else 0.0
    asking = ExploreConsolidate(
        k,
        queries,
        space=str(space),
        exploring=str(exploring),
        consolidating=str(consolidating),
        as_published=as_published,
        checks=checks,
        random_state=random_state,
    )
    _hold(collection, session, asking, oracle, file)
    with output.showing_progress(), results.prepared(out, path, others) as place:
        clustering = _clustered(collection, session, random_state, as_published)
        results.write(clustering, place)
    results.note_before_table(clustering, collection.documents.skipped)
    if json:
        output.print_json(
            {**results.as_json(clustering), "answers": _answers_as_data(session, collection)}
        )
    else:
        results.show(clustering, terms)
    results.note_written(place)


@dataclass(frozen=True)
class _Collection:
    """The documents that are asked about, and their weighted terms."""

    documents: Documents
    corpus: Corpus

    @classmethod
    def read(
        cls, reading: Reading, language: str, k: int | None, as_published: bool
    ) -> _Collection:
        from textclust.text.corpus import Corpus
        from textclust.text.documents import Documents
        from textclust.text.termspace import TermSpace

        documents = Documents.from_reading(reading)
        stop_words = None if language == "none" else language
        vectorizer = TermSpace(stop_words=stop_words, sublinear_tf=not as_published)
        return cls(documents, Corpus.read(documents.reading(), vectorizer, k or 1))

    def words(self, i: int, j: int) -> PairWords:
        """The words to mark in two documents."""
        from textclust.active.words import words_of_pair

        return words_of_pair(self.corpus.X, self.corpus.vectorizer.readable_terms(), i, j)

    def same_folder(self, i: int, j: int) -> bool | None:
        """Whether two documents are in one folder; None where one is in none."""
        labels = self.documents.labels or []
        return None if labels[i] is None or labels[j] is None else labels[i] == labels[j]


def _answers_file(path: str, answers: Path | None, oracle: Oracle | None) -> Path | None:
    """Where the answers are kept; those of an oracle only where that is asked for."""
    from textclust.errors import InputError

    if answers is not None or oracle is not None:
        return answers
    if path == "-":
        raise InputError(
            "the documents come on standard input, where the answers would have to; "
            "give a file or folder, or --oracle folders"
        )
    return Path(os.path.basename(os.path.abspath(path)) + ".answers.csv")


def _session(k: int | None, file: Path | None, merge: list[Path], documents: Documents) -> Session:
    """The dialogue so far, with the answers of others; disagreements are shown."""
    from textclust.active.answer_files import AnswerFile, read_answers
    from textclust.active.session import Session

    others = [(path, read_answers(path, documents.ids)) for path in merge]
    kept = None if file is None else AnswerFile(file, documents.ids)
    session = Session(k, kept)
    if kept is not None and kept.incomplete_line:
        output.note(f"{file}: the last line was cut off and is left out: {kept.incomplete_line!r}")
    if kept is not None and kept.answers:
        output.note(f"going on from {output.counted(len(kept.answers), 'answer')} in {file}")
    for path, theirs in others:
        known = session.dialogue.questions
        disagreements = session.merge(theirs)
        taken = output.counted(session.dialogue.questions - known, "answer")
        output.note(f"{taken} taken from {path}")
        for each in disagreements:
            kinds = [_KINDS[same] for same in (each.mine, each.theirs)]
            pair = " and ".join(documents.ids[row] for row in (each.left, each.right))
            output.note(f"{pair}: you say {kinds[0]}, {path} says {kinds[1]}; to be asked again")
    return session


def _hold(
    collection: _Collection,
    session: Session,
    asking: ExploreConsolidate,
    oracle: Oracle | None,
    file: Path | None,
) -> None:
    """Ask a person, or the folders; an interruption leaves all answers saved."""
    state = replace(asking.state(collection.corpus.X), dialogue=session.dialogue)
    kept = "" if file is None else f" in {file}"
    try:
        if oracle is None:
            documents, words, strategy = collection.documents, collection.words, asking.strategy()
            Conversation(documents, words, session, state, strategy, asking.budget).hold()
        else:
            _ask_folders(collection, session, state, asking)
    except KeyboardInterrupt:
        count = output.counted(session.dialogue.questions, "answer")
        output.note(f"textclust: interrupted; {count}{kept}")
        raise typer.Exit(130) from None
    count = output.counted(session.dialogue.questions, "answer")
    output.note(f"{count}{kept}. {learned(session.dialogue)}")


def _ask_folders(
    collection: _Collection, session: Session, state: State, asking: ExploreConsolidate
) -> None:
    from textclust.errors import InputError

    if collection.documents.labels is None:
        raise InputError("there are no sub-folders to answer from; leave --oracle out")
    strategy = asking.strategy()
    while session.dialogue.questions < asking.budget:
        question = strategy(state)
        if question is None:
            return
        session.answer(*question, collection.same_folder(*question))


def _clustered(
    collection: _Collection, session: Session, random_state: int, as_published: bool
) -> Clustering:
    """The documents in as many clusters as were asked for, or found."""
    from textclust.methods.choice import Run
    from textclust.pipeline import cluster_corpus
    from textclust.sources import SupervisionSource

    found = session.dialogue.constraints()
    given = SupervisionSource(constraints=found if len(found) else None)
    k = session.dialogue.n_clusters or max(1, len(session.dialogue.skeleton()))
    parameters = {"as_published": as_published}
    run = Run.of(given.kinds, k, random_state=random_state, parameters=parameters)
    return cluster_corpus(collection.corpus, given, run)


def _answers_as_data(session: Session, collection: _Collection) -> list[dict[str, object]]:
    ids = collection.documents.ids
    return [
        {"left": ids[answer.left], "right": ids[answer.right], "same": answer.same}
        for answer in session.dialogue.answers
    ]
