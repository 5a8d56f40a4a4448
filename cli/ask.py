"""textclust ask: questions about documents, and a clustering that knows the answers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from textclust.active import CONSOLIDATING, EXPLORING, SPACES

from . import options, output, results
from .answering import Answering, Oracle
from .conversation import Conversation, learned
from .declared import Option
from .places import given

if TYPE_CHECKING:
    from textclust.active.explore_consolidate import ExploreConsolidate
    from textclust.active.oracles import Oracle as AnyOracle
    from textclust.active.session import Session
    from textclust.active.state import State
    from textclust.active.words import PairWords
    from textclust.result.clustering import Clustering
    from textclust.supervision.constraints import Constraints
    from textclust.text.corpus import Corpus
    from textclust.text.documents import Documents
    from textclust.text.reading import Reading
    from textclust.text.termspace import TermSpace

    Exploring = str
    Consolidating = str
    Space = str
else:
    Exploring = options.choices("Exploring", ["auto", *EXPLORING])
    Consolidating = options.choices("Consolidating", ["auto", *CONSOLIDATING])
    Space = options.choices("Space", ["auto", *SPACES])

__all__ = ["command"]

_KINDS = {True: "same", False: "different"}
_CHECKS = 0.2  # where a person or a program answers
_DIGITS = 9  # documents that a digit can point at


@options.reading
@options.counting
def command(
    path: options.Source,
    k: Annotated[
        int | None,
        Option("--k", "-k", min=1, help="How many clusters; as many as are found if left out."),
    ] = None,
    queries: Annotated[
        int, Option(min=0, help="How many questions, including those answered earlier.")
    ] = 50,
    answers: Annotated[
        Path | None,
        Option(
            help="A constraints file to continue, to which each answer is added; "
            "PATH with .answers.csv in this folder if left out."
        ),
    ] = None,
    merge: Annotated[
        list[Path] | None,
        Option(help="Someone else's answers to merge; can be given several times."),
    ] = None,
    checks: Annotated[
        float | None,
        Option(
            min=0.0,
            max=1.0,
            help="The share of questions, at most, that check what follows from earlier answers; "
            "0.2 if left out, 0 with --oracle or --as-published.",
        ),
    ] = None,
    exploring: Annotated[
        Exploring,
        Option(
            help="Which document to ask about until there is one of each cluster: the one farthest "
            "from all known ones (farthest), or one that is far and has near neighbours, so that "
            "outliers are passed over (dense).",
        ),
    ] = "auto",
    consolidating: Annotated[
        Consolidating,
        Option(
            help="Which document to ask about from then on: the one whose cluster is least certain "
            "of all (uncertain) or of a few drawn at random (typical), a random one (random), or "
            "the one farthest from all known ones (farthest).",
        ),
    ] = "auto",
    space: Annotated[
        Space,
        Option(
            help="Measure distances between all terms (full) or in the leading directions of the "
            "matrix (latent); auto is latent for more than a hundred terms.",
        ),
    ] = "auto",
    sets: Annotated[
        int | None,
        Option(
            min=2,
            help="Show so many documents at a time, such as 8, and ask which of them do not belong "
            "with the others; pairs if left out.",
        ),
    ] = None,
    error_rate: Annotated[
        str,
        Option(
            metavar="RATE",
            help="How often answers are wrong: 0.1 for one in ten, or estimate. Such answers weigh "
            "less, and further questions confirm them.",
        ),
    ] = "0",
    as_published: Annotated[
        bool,
        Option(
            "--as-published",
            help="Ask and cluster as Basu 2005 prints it, chapters 4 and 5. Options given beside "
            "it take precedence.",
        ),
    ] = False,
    oracle: Annotated[
        Oracle | None,
        Option(help="Who answers instead of you: the names of the sub-folders."),
    ] = None,
    oracle_command: Annotated[
        str | None,
        Option(
            metavar="PROGRAM",
            help="A program that answers instead of you, with its arguments: it reads a line of "
            "JSON for each question and prints one for each answer.",
        ),
    ] = None,
    oracle_timeout: Annotated[
        float, Option(min=0.0, help="How many seconds to wait for an answer of the program.")
    ] = 60.0,
    out: options.Out = None,
    keep: options.Keep = False,
    csv_formulas: options.CsvFormulas = options.Formulas.QUOTE,
    random_state: options.RandomState = 0,
    json: options.Json = False,
    terms: options.Terms = 6,
    *,
    words: options.Words,
    read: options.Read,
) -> None:
    """Ask which documents of PATH belong together, then cluster them with the answers."""
    from textclust.errors import InputError
    from textclust.writing import refuse_input, working_on

    answering = Answering.of(oracle, oracle_command, oracle_timeout)
    file = _answers_file(path, answers, answering)
    others, keep_formulas = (file, *(merge or ())), options.are_kept(csv_formulas)
    if checks is None:
        checks = _CHECKS if oracle is None and not as_published else 0.0
    asking = _asking(
        k,
        queries,
        space=str(space),
        exploring=str(exploring),
        consolidating=str(consolidating),
        as_published=as_published,
        checks=checks,
        set_size=sets,
        error_rate=_rate(error_rate),
        random_state=random_state,
    )
    if sets is not None and sets > _DIGITS and answering.by_person:
        raise InputError(
            f"--sets {sets}: you point at strangers with a digit each, so give at most {_DIGITS}"
        )
    if file is not None:
        refuse_input(file, given(path))
    with working_on(file):
        with output.showing_progress():
            results.check(out, path, others, keep=keep)  # before anybody has answered
            reading = read(path, results.leave_out(path, out, file))
            vectorizer = words(weighting=options.weighting_of(None, as_published))
            collection = _Collection.read(reading, vectorizer, k)
            session = _session(
                asking, file, merge or [], collection.documents, keep_formulas=keep_formulas
            )
        rate = _hold(collection, session, asking, answering, file)
    with output.showing_progress(), results.prepared(out, path, others, keep=keep) as place:
        links = session.dialogue.constraints(rate)
        clustering = _clustered(collection, session, links, random_state, as_published)
        results.write(clustering, place, keep_formulas=keep_formulas)
    results.note_before_table(clustering, collection.documents.skipped)
    if json:
        output.print_json(
            {
                **results.as_json(clustering),
                "answers": _answers_as_data(session, collection),
                "error_rate": rate,
            }
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
    def read(cls, reading: Reading, vectorizer: TermSpace, k: int | None) -> _Collection:
        from textclust.text.corpus import Corpus
        from textclust.text.documents import Documents

        documents = Documents.from_reading(reading)
        return cls(documents, Corpus.read(documents.reading(), vectorizer, k or 1))

    def words(self, i: int, j: int) -> PairWords:
        """The words to mark in two documents."""
        from textclust.active.words import words_of_pair

        return words_of_pair(self.corpus.X, self.corpus.vectorizer.readable_terms(), i, j)

    def shared_words(self, rows: Sequence[int]) -> list[str]:
        """The words that most documents of a set have."""
        from textclust.active.words import words_of_set

        return words_of_set(self.corpus.X, self.corpus.vectorizer.readable_terms(), rows)


def _asking(k: int | None, queries: int, **settings: Any) -> ExploreConsolidate:
    """How to ask; settings that cannot be are reported before anything is read."""
    from textclust.active.explore_consolidate import ExploreConsolidate

    asking = ExploreConsolidate(k, queries, **settings)
    asking.strategy()
    return asking


def _rate(text: str) -> float | str:
    """A number, or a word that the rule of the parameter knows or refuses."""
    try:
        return float(text)
    except ValueError:
        return text


def _answers_file(path: str, answers: Path | None, answering: Answering) -> Path | None:
    """Where the answers are kept; those of the folders only where that is asked for."""
    from textclust.errors import InputError

    if answers is not None or answering.folders:
        return answers
    if path == "-" and not answering.by_person:
        raise InputError(
            "the documents come on standard input, which has no name for the answers to go by; "
            "give a file for them with --answers"
        )
    if path == "-":
        raise InputError(
            "the documents come on standard input, where the answers would have to; "
            "give a file or folder, or --oracle folders"
        )
    return Path(os.path.basename(os.path.abspath(path)) + ".answers.csv")


def _session(
    asking: ExploreConsolidate,
    file: Path | None,
    merge: list[Path],
    documents: Documents,
    *,
    keep_formulas: bool,
) -> Session:
    """The dialogue so far, with the answers of others; disagreements are shown."""
    from textclust.active.answer_files import AnswerFile, read_answers
    from textclust.active.session import Session

    others = [(path, read_answers(path, documents.ids)) for path in merge]
    fallible, kept = asking.is_fallible, None
    if file is not None:
        kept = AnswerFile(file, documents.ids, keep_all=fallible, keep_formulas=keep_formulas)
    session = Session(asking.n_clusters, kept, fallible=fallible)
    if kept is not None and kept.incomplete_line:
        output.note(f"{file}: the last line was cut off and is left out: {kept.incomplete_line!r}")
    if kept is not None and kept.events:
        output.note(f"going on from {output.counted(len(kept.events), 'answer')} in {file}")
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
    answering: Answering,
    file: Path | None,
) -> float:
    """Ask a person, the folders or a program; an interruption leaves all answers saved.

    The error rate of the answers, as given or estimated.
    """
    from textclust.errors import InputError

    state = replace(asking.state(collection.corpus.X), dialogue=session.dialogue)
    kept = "" if file is None else f" in {file}"
    try:
        if answering.by_person:
            _converse(collection, session, state, asking)
        else:
            with answering.oracle(collection.documents) as oracle:
                _ask_oracle(oracle, session, state, asking)
    except KeyboardInterrupt:
        count = output.counted(session.saved, "answer")
        output.note(f"textclust: interrupted; {count}{kept}")
        raise click.exceptions.Exit(130) from None
    except InputError as error:
        if not answering.program or file is None:
            raise
        count = output.counted(session.saved, "answer")
        raise InputError(f"{error}; {count} kept{kept}") from error
    count = output.counted(session.saved, "answer")
    output.note(f"{count}{kept}. {learned(session.dialogue)}")
    rate = asking.error_rate_in(session.dialogue)
    if asking.error_rate == "estimate":
        output.note(_estimated(rate, session))
    return rate


def _converse(
    collection: _Collection, session: Session, state: State, asking: ExploreConsolidate
) -> None:
    Conversation(
        collection.documents,
        collection.words,
        collection.shared_words,
        session,
        state,
        asking.strategy(),
        asking.budget,
        in_sets=asking.set_size is not None,
    ).hold()


def _ask_oracle(
    oracle: AnyOracle, session: Session, state: State, asking: ExploreConsolidate
) -> None:
    from textclust.active.oracles import answers_to

    strategy = asking.strategy()
    while session.dialogue.questions < asking.budget:
        question = strategy(state)
        if question is None:
            return
        session.answer_all(answers_to(question, oracle))


def _estimated(rate: float, session: Session) -> str:
    """The error rate in words, and from how many answers it is known."""
    repeats = session.dialogue.repeats
    other = sum(count for (_, expected), count in repeats.items() if not expected)
    return (
        f"About {rate:.0%} of the answers are wrong: of {sum(repeats.values())} that were to be "
        f"expected from others, {other} were different."
    )


def _clustered(
    collection: _Collection,
    session: Session,
    found: Constraints,
    random_state: int,
    as_published: bool,
) -> Clustering:
    """The documents in as many clusters as were asked for, or found."""
    from textclust.methods.choice import Run
    from textclust.pipeline import cluster_corpus
    from textclust.sources import SupervisionSource

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
