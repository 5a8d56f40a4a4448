from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

import pytest
from textclust.cli.main import run

from tests.cli.running import Answer, write_files

TEXTS = {
    "bicycles/1": "The bike has a new chain, and the wheel is true again.\n",
    "bicycles/2": "A chain that skips, a wheel that wobbles: my bike is old.\n",
    "bicycles/3": "My bike needs a tyre, a chain and a brake.\n",
    "bicycles/4": "Brake and tyre for a bike, the wheel included.\n",
    "bread/1": "Flour, salt and yeast make the dough rise.\n",
    "bread/2": "Knead the dough, then bake the bread in a hot oven.\n",
    "bread/3": "The oven was cold and the flour damp: no dough, no bread.\n",
    "bread/4": "Yeast and flour for the bread, salt to taste, a hot oven.\n",
    "moon/1": "Through the telescope the moon showed one more crater.\n",
    "moon/2": "A telescope for the moon and a planet in the night sky.\n",
    "moon/3": "Planet and moon low in one night sky, and no telescope.\n",
    "moon/4": "A crater on the moon at night, the sky clear.\n",
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder to run in, with the texts in it."""
    write_files(tmp_path / "texts", TEXTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.fixture
def textclust(capsys, monkeypatch):
    """The command line, run in this process: textclust("cluster", path, "--k", 3)."""
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments: object, stdin: bytes = b"") -> Answer:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        return Answer(code, *capsys.readouterr())

    return call


@pytest.fixture(scope="session")
def corpus(tmp_path_factory) -> Path:
    """Twelve short texts in three sub-folders; not to be changed."""
    return write_files(tmp_path_factory.mktemp("corpus") / "texts", TEXTS)


@pytest.fixture(scope="session")
def posts(tmp_path_factory, sample) -> Path:
    """Fourteen posts of each group of the sample, those with these names among them."""
    named = ("rec.bicycles/10204", "rec.bicycles/10211", "rec.photo/20331", "sci.astro/30133")
    folder = tmp_path_factory.mktemp("posts") / "posts"
    for group in sorted(sample.iterdir()):
        files = sorted(group.iterdir(), key=lambda file: f"{group.name}/{file.name}" not in named)
        (folder / group.name).mkdir(parents=True)
        for file in files[:14]:
            shutil.copy(file, folder / group.name)
    return folder


@pytest.fixture(scope="session")
def results(tmp_path_factory, corpus) -> Path:
    """What `textclust cluster --k 3 --out` writes for the corpus; not to be changed."""
    folder = tmp_path_factory.mktemp("results") / "out"
    assert run(["cluster", str(corpus), "--k", "3", "--out", str(folder)]) == 0
    return folder
