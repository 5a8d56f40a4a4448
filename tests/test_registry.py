"""What is declared once is found everywhere."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import textclust as tc
from textclust.errors import InputError
from textclust.methods import METHODS
from textclust.registry import Registry

ROOT = Path(__file__).resolve().parents[1]
TEXTS = ["lens and light", "lens and camera", "star and moon", "moon and comet"] * 3


def with_toys(program: str, *arguments: object) -> str:
    """What a program prints that has registered the toys; in a process of its own."""
    start = "import sys; from tests import toys; toys.register();"
    command = [sys.executable, "-c", start + program, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


RUN = "from textclust.cli.main import run; sys.exit(run(sys.argv[1:]))"


@pytest.fixture
def collection(tmp_path):
    path = tmp_path / "texts.toy"
    path.write_text("".join(json.dumps(text) + "\n" for text in TEXTS))
    return path


def test_a_toy_method_distortion_and_reader_work_from_the_command_line(collection):
    options = ("-k", 2, "--method", "toy", "--distortion", "toy", "--min-df", 1, "--json")
    answer = json.loads(with_toys(RUN, "cluster", collection, *options))
    assert answer["documents"] == len(TEXTS)
    assert answer["settings"]["description"] == "Toy-KMeans with toy distortion"


def test_they_work_from_python(collection):
    program = (
        "import textclust as tc;"
        "r = tc.cluster(sys.argv[1], 2, method='toy', distortion='toy',"
        " vectorizer=tc.TextVectorizer(min_df=1));"
        "print(len(r.labels), tc.KMeans(2, distortion='toy').fit([[0.0], [1.0]]).labels_)"
    )
    assert with_toys(program, collection) == "12 [0 1]\n"


def test_they_are_listed_where_one_looks():
    help_ = with_toys(RUN, "cluster", "--help")
    assert "toy" in help_.split("--method", 1)[1].split("--seeds", 1)[0]
    assert "toy>" in help_.split("--distortion", 1)[1].split("--as-published", 1)[0]
    listed = with_toys(
        "import textclust as tc\n"
        "from textclust.cli.reference import reference\n"
        "print(reference())\n"
        "try: tc.cluster(['a'], 1, method='none')\n"
        "except tc.InputError as error: print(error)"
    )
    assert "`itakura-saito`, `toy`" in listed
    assert "`farthest`, `dense`, `toy`" in listed
    assert "cluedo, toy" in listed.splitlines()[-1]


def test_a_toy_strategy_asks(tmp_path):
    for number, text in enumerate(TEXTS):
        place = tmp_path / "texts" / ("sky" if "moon" in text else "photo") / str(number)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    options = ("-k", 2, "--queries", 4, "--oracle", "folders", "--exploring", "toy", "--json")
    answers = tmp_path / "answers.csv"
    found = json.loads(with_toys(RUN, "ask", tmp_path / "texts", *options, "--answers", answers))
    assert len(found["answers"]) == 4


@pytest.mark.parametrize("name", METHODS)
def test_every_method_has_its_estimator_with_its_parameters(name):
    method = METHODS[name]
    estimator = getattr(tc, method.estimator)()
    assert type(estimator.solver) is method.solver_class()
    assert method.paper


def test_a_name_is_taken_once_and_a_wrong_one_is_met_with_all():
    colours = Registry("colour", {"red": 1})
    with pytest.raises(ValueError, match="already"):
        colours.add("red", 2)
    with pytest.raises(InputError, match="no colour 'blue'; there is red"):
        colours.find("blue")
