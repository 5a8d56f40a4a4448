"""What the commands import: each only what it needs."""

from __future__ import annotations

import pytest

import textclust as tc
from tests.cli.running import finish, start

HEAVY = (
    "sklearn",
    "pandas",
    "nltk",
    "joblib",
    "pyarrow",
    "openpyxl",
    "pypdf",
    "scipy.stats",
    "scipy.special",
)
PROGRAM = (
    "import sys; from textclust.cli.main import run\n"
    "assert run(sys.argv[1:]) == 0\n"
    f"print('imported', *set(sys.modules) & set({HEAVY}), file=sys.stderr)"
)
SAMPLE = tc.corpora.path("newsgroups")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    tc.cluster(SAMPLE, 3).save(folder / "model")
    return folder


def imported(*arguments):
    answer = finish(start(*arguments, program=PROGRAM))
    assert answer.code == 0, answer.err
    return answer.err.splitlines()[-1].split()[1:]


def test_cluster_imports_nothing_heavy(tmp_path):
    assert imported("cluster", SAMPLE, "--k", 3, "--out", tmp_path / "out") == []


def test_predict_and_explain_import_nothing_heavy(results):
    assert imported("predict", results, SAMPLE) == []
    assert imported("explain", results, tc.load(results).ids[0]) == []


def test_a_wrong_path_is_reported_before_numpy_is_imported(tmp_path):
    program = (
        "import sys; from textclust.cli.main import run\n"
        "assert run(sys.argv[1:]) == 2\nprint('numpy' in sys.modules)"
    )
    wrong = ("cluster", tmp_path / "nowhere", "--k", 3, "--out", tmp_path / "out")
    answer = finish(start(*wrong, program=program))
    assert answer.out.strip() == "False", answer.err


@pytest.mark.parametrize(("asked", "expected"), [("", "1"), ("3", "3")])
def test_blas_has_one_thread_unless_asked_for_more(asked, expected):
    program = (
        "import os\nasked = os.environ.pop('OPENBLAS_NUM_THREADS')\n"
        "if asked: os.environ['OPENBLAS_NUM_THREADS'] = asked\n"
        "import textclust.cli.main; print(os.environ['OPENBLAS_NUM_THREADS'])"
    )
    assert (
        finish(start(program=program, env={"OPENBLAS_NUM_THREADS": asked})).out.strip() == expected
    )


def test_a_command_imports_no_other(tmp_path):
    program = (
        "import sys; from textclust.cli.main import run\n"
        "assert run(['cluster', '--help']) == 0\n"
        "others = {f'textclust.cli.{name}' for name in ('ask', 'diff', 'replay', 'workbench')}\n"
        "print('imported', *set(sys.modules) & others)"
    )
    assert finish(start(program=program)).out.splitlines()[-1].split() == ["imported"]
