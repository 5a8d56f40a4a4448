"""Whatever a file holds: documents, files left out with a reason, or an InputError in one line."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
from textclust.cli.options import load_vectors

import textclust as tc
from tests.torture.mutation import mutated_file
from tests.torture.samples import ROWS, files, odd_parquet
from tests.torture.trials import Trial, torture
from textclust import native
from textclust.active.answer_files import AnswerFile, read_answers
from textclust.errors import InputError
from textclust.supervision.constraint_files import read_links
from textclust.text.documents import Documents
from textclust.text.labels import read_labels
from textclust.text.word_lists import read_words
from textclust.workbench.collection import Collection
from textclust.workbench.journal import Journal
from textclust.workbench.project import Project
from textclust.workbench.workbench import Workbench

IDS = ["a", "b", "=c", "c,d"]
SAID = 3100  # characters of a message


def damaged(trial: Trial, family: str) -> Path:
    """A file of a family, changed; on its own or in a folder."""
    samples = files()[family]
    name = trial.rng.choice(sorted(samples))
    place = trial.place / trial.rng.choice([name, f"folder/class/{name}"])
    place.parent.mkdir(parents=True, exist_ok=True)

    def make(rng: Random) -> bytes:
        if name.endswith(".parquet") and rng.random() < 0.5:
            return odd_parquet(rng)
        return mutated_file(rng, name, samples[name])

    place.write_bytes(trial.given(name, make))
    return place if place.parent == trial.place else trial.place / "folder"


def reading(family: str) -> Callable[[Trial], None]:
    def run(trial: Trial) -> None:
        path = damaged(trial, family)
        with_core = outcome(path)
        with native.without():
            without = outcome(path)
        assert with_core == without, (with_core, without)
        if isinstance(with_core, Documents):
            require_sound(with_core)

    return run


def outcome(path: Path) -> Documents | str:
    """What became of a file: documents, or one line."""
    try:
        return tc.read_documents(path)
    except InputError as error:
        return in_one_line(error)


def in_one_line(error: Exception) -> str:
    said = str(error)
    assert said
    assert len(said) <= SAID, len(said)
    assert "Traceback" not in said
    return said


def require_sound(documents: Documents) -> None:
    assert documents.ids
    assert len(set(documents.ids)) == len(documents.ids)
    assert all(isinstance(text, str) for text in documents.texts)
    assert all(item.reason for item in documents.skipped)
    assert all(when is None or when.tzinfo is not None for when in documents.dates or [])
    "\n".join([*documents.ids, *documents.texts]).encode("utf-8")  # and no lone surrogates


FAMILIES = {"mail and pages": 7000, "tables": 6500, "office files": 4000, "archives": 5000}
for name, quick in FAMILIES.items():
    torture(f"readers: {name}", quick=quick, share=2.0)(reading(name))


@torture("readers: tables of ours", quick=1700)
def tables_of_ours(trial: Trial) -> None:
    """Labels, links, seed words and answers; answers that can be read can be gone on with."""
    path = damaged(trial, "tables of ours")
    path = path if path.is_file() else next(path.rglob("*.csv"))
    for read in (read_labels, read_links, read_words, lambda file: read_answers(file, IDS)):
        try:
            read(path)
        except InputError as error:
            in_one_line(error)
    before = path.read_bytes()
    try:
        answers = AnswerFile(path, IDS)
    except InputError as error:
        in_one_line(error)
        assert path.read_bytes() == before, "a file that was refused was changed"
        return
    answers.append(0, 1, True)
    assert read_answers(path, IDS)[-1].same is True
    assert len(read_answers(path, IDS)) <= len(answers.answers) + 1
    answers.undo()


@torture("readers: vectors", quick=1500)
def vectors_of_documents(trial: Trial) -> None:
    """A table of finite numbers, or one line."""
    path = damaged(trial, "vectors")
    path = path if path.is_file() else next(path.rglob("*.npy"))
    try:
        found = load_vectors(str(path), 4)
    except InputError as error:
        in_one_line(error)
        return
    assert len(found) == 4
    assert np.isfinite(found).all()


@cache
def collection() -> Collection:
    texts = [row["text"] for row in ROWS]
    documents = Documents.from_texts(texts, ids=[row["id"] for row in ROWS])
    return Collection.read(documents, tc.TextVectorizer(min_df=1))


@torture("readers: journals", quick=300)
def journals(trial: Trial) -> None:
    """A journal is refused and left as it is, or read; what is done next is in it."""
    path = trial.place / "p.textclust" / "journal.jsonl"
    sample = files()["journals"][path.name]
    data = trial.given(path.name, lambda rng: mutated_file(rng, path.name, sample))
    path.parent.mkdir()
    path.write_bytes(data)
    try:
        with Journal.open(path) as journal:
            lines = journal.lines()
            journal.append({"action": "undo"})
    except InputError as error:
        in_one_line(error)
        assert path.read_bytes() == data, "a journal that was refused was changed"
        return
    with Journal.open(path) as journal:
        assert journal.lines()[:-1] == lines
    try:
        with Project.open(path.parent) as project:
            assert Workbench(collection(), project, 2).state()
    except InputError as error:
        in_one_line(error)
