"""What the library says of its parameters, the command line says of its options."""

from __future__ import annotations

import pytest
from textclust.cli.main import app
from textclust.cli.method_options import declared_options
from textclust.cli.reference import spellings
from textclust.cli.wording import in_options

OPTIONS = {name: option.spelling for name, option in declared_options().items()} | spellings(app)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("n_neighbors must be a whole number", "--neighbours must be a whole number"),
        ("n_clusters=9 is more than 3 documents", "--k 9 is more than 3 documents"),
        (
            "robust=True needs use_constraints='both'",
            "--robust needs --use-constraints both",
        ),
        ("no column 'a'; name it with text_column=", "no column 'a'; name it with --text-column"),
        ("method 'kmeans' has no parameter 'R'; go", "method 'kmeans' has no option --R; go"),
        ("refine=False, or cut=None", "--no-refine, or --cut none"),
        (
            "cut must be one of None, 'ratio'; got None",
            "--cut must be one of 'none', 'ratio'; got None",
        ),
        ("--landmarks must be whole or None; got x", "--landmarks must be whole or 'none'; got x"),
        ("n_landmarks is for the kernels", "--landmarks is for the kernels"),
    ],
)
def test_parameters_become_options(said, shown):
    assert in_options(said, OPTIONS) == shown


@pytest.mark.parametrize(
    "said",
    [
        "n_init=3.csv: no such file or folder",
        "n_init: no such file or folder",
        "/tmp/n_init/refine=True: no such file",
        "no document has the id 'robust=True'",
        "--max-df must be a number",
        "the weight of a link, and its kind",
        "k-means++ draws documents",
    ],
)
def test_paths_ids_and_plain_words_stay(said):
    assert in_options(said, OPTIONS) == said


def test_every_option_that_a_method_declares_is_one_of_the_command():
    declared = {name: option.spelling for name, option in declared_options().items()}
    own = {"n_clusters"}  # which is k there
    given = spellings(app)
    assert {name: given[name] for name in declared.keys() - own} == {
        name: spelt for name, spelt in declared.items() if name not in own
    }
    assert declared["n_clusters"] == given["k"]
