"""What is declared once is found everywhere."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import textclust as tc
from textclust import geometry
from textclust.engine import STARTS, SUPERVISED_STARTS
from textclust.errors import InputError
from textclust.geometry.smoothed import Smoothed
from textclust.methods import KINDS, METHODS, usual_method
from textclust.methods.choice import Run
from textclust.parameters import Flag
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
    assert "toy]" in help_.split("--distortion", 1)[1].split("--as-published", 1)[0]
    listed = with_toys(
        "import textclust as tc\n"
        "from textclust.cli.method_table import method_table\n"
        "from textclust.cli.reference import reference\n"
        "print(reference(), method_table())\n"
        "try: tc.cluster(['a'], 1, method='none')\n"
        "except tc.InputError as error: print(error)"
    )
    assert "`itakura-saito`, `toy`" in listed
    assert "`farthest`, `dense`, `toy`" in listed
    row = "| `toy` | Toy-KMeans | `KMeans` | nothing | cosine | Clusters as usual. | A stranger |"
    assert row in listed
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


def test_a_parameter_that_a_toy_method_declares_is_an_option(collection):
    help_ = " ".join(with_toys(RUN, "cluster", "--help").split())
    assert "--step NUMBER|auto How far a toy goes; for toy." in help_
    reference = with_toys("from textclust.cli.reference import reference; print(reference())")
    assert "| `--step NUMBER\\|auto` | How far a toy goes; for toy. |" in reference
    options = ("cluster", collection, "-k", 2, "--min-df", 1, "--json", "--step")
    answer = json.loads(with_toys(RUN, *options, 3, "--method", "toy"))
    assert answer["settings"]["parameters"]["stride"] == 3
    refused = RUN.replace("sys.exit", "print")
    assert with_toys(refused, *options, 0, "--method", "toy") == "2\n"
    assert with_toys(refused, *options, 3, "--method", "kmeans") == "2\n"


@pytest.mark.parametrize("name", METHODS)
def test_every_method_has_its_estimator_with_its_parameters(name):
    method = METHODS[name]
    estimator = getattr(tc, method.estimator)()
    solver = method.solver_class()
    assert type(estimator.solver) is solver
    assert solver.rules is method.parameters
    assert {each.name for each in fields(solver)} == set(method.parameters)
    assert method.paper
    assert method.summary.endswith(".")


@pytest.mark.parametrize("name", METHODS)
def test_every_default_keeps_its_rule_and_a_switch_is_off(name):
    method = METHODS[name]
    for field in fields(method.solver_class()):
        rule = method.parameters[field.name].rule
        assert rule.allows(field.default), field.name
        if isinstance(rule, Flag) and not rule.words:
            assert field.default is False, field.name


@pytest.mark.parametrize("name", METHODS)
def test_starts_are_those_of_the_registry_or_of_the_method_itself(name):
    rule = METHODS[name].parameters.get("init")
    words = set() if rule is None else set(rule.rule.words)
    assert words <= {"auto", *STARTS, *SUPERVISED_STARTS, "confident", "spectral"}


@pytest.mark.parametrize("name", geometry.DISTORTIONS)
def test_a_distortion_that_smooths_is_declared_with_its_floor(name):
    found = geometry.get(name)
    floor = found.floor if isinstance(found, Smoothed) else None
    assert geometry.DISTORTIONS[name].floor == floor


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_supervision_has_a_usual_method_and_the_papers_own_behind_it(kind):
    usual = [name for name, method in METHODS.items() if kind in method.usual_for]
    assert usual[0] == usual_method(frozenset({kind}))
    assert usual[-1] == usual_method(frozenset({kind}), None, {"as_published": True})
    assert all(kind in METHODS[name].supervision for name in usual)


@pytest.mark.parametrize(
    ("kind", "distortion", "settings", "method"),
    [
        ("seeds", None, {}, "guided"),
        ("seeds", "cosine", {"as_published": False}, "guided"),
        ("seeds", "kl", {}, "constrained"),
        ("constraints", None, {"weight": 2.0}, "guided"),
        ("constraints", None, {"robust": True}, "hmrf"),
        ("background", None, {"labeller": "naive-bayes"}, "semihard"),
        ("background", None, {"as_published": True}, "semihard"),
        ("background", None, {"no such": 1}, "guided"),
    ],
)
def test_the_usual_method_is_one_that_can_be_run_as_wanted(kind, distortion, settings, method):
    assert usual_method(frozenset({kind}), distortion, settings) == method


def test_the_most_special_kind_decides_and_without_any_it_is_kmeans():
    assert usual_method(frozenset()) == "kmeans"
    assert usual_method(frozenset({"seeds", "constraints"}), None, {"robust": True}) == "hmrf"
    assert usual_method(frozenset(KINDS)) == "cluedo"


@pytest.mark.parametrize(
    ("kinds", "method", "message"),
    [
        ({"seeds"}, "kmeans", "'kmeans' takes no seeds; use guided, constrained, seeded or vmf$"),
        ({"examples"}, "kmeans", "'kmeans' takes no examples; use cluedo or clue$"),
        ({"background"}, "hmrf", "'hmrf' takes no background; use guided, semihard or semifuzzy$"),
        ({"seeds", "constraints"}, "vmf", "'vmf' takes no constraints; use guided, hmrf, pckm"),
        ({"background", "seeds"}, "semihard", "'semihard' takes no seeds; use guided$"),
        ({"examples", "seeds"}, None, "^examples go with neither seed words, seeds, constraints n"),
        (set(), "clue", "'clue' needs examples"),
    ],
)
def test_a_refusal_follows_from_what_methods_take(kinds, method, message):
    with pytest.raises(InputError, match=message):
        Run.of(frozenset(kinds), 3, method)


def test_one_method_that_takes_a_mix_is_enough_for_it():
    program = (
        "from dataclasses import replace; from textclust.methods import METHODS, SEEDS, BACKGROUND;"
        "from textclust.methods.choice import Run; import textclust as tc\n"
        "METHODS.add('both', replace(METHODS['toy'], supervision=SEEDS | BACKGROUND))\n"
        "print(Run.of(SEEDS | BACKGROUND, 2, 'both').method)\n"
        "try: Run.of(SEEDS | BACKGROUND, 2, 'semihard')\n"
        "except tc.InputError as error: print(error)"
    )
    assert with_toys(program) == "both\nmethod 'semihard' takes no seeds; use guided or both\n"


def test_a_name_is_taken_once_and_a_wrong_one_is_met_with_all():
    colours = Registry("colour", {"red": 1})
    with pytest.raises(ValueError, match="already"):
        colours.add("red", 2)
    with pytest.raises(InputError, match="no colour 'blue'; there is red"):
        colours.find("blue")
