"""Options that are mistyped, or called otherwise elsewhere; PATH after several examples; panels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textclust.cli.cluster import command
from textclust.cli.commands import _spread
from textclust.cli.main import app
from textclust.cli.method_options import declared_options
from textclust.cli.panels import PANELS, REST, panel_of
from textclust.cli.reference import parameters, walk
from textclust.cli.suggestions import MEANINGS, distance, meant

from textclust.errors import InputError

OPTIONS = {path: [p.name for p in parameters(call)] for path, call in walk(app)}


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        (("--n-clusters", "3"), "--k"),
        (("--n_clusters=3",), "--k"),
        (("--clusters", "3"), "--k"),
        (("--num-clusters", "3"), "--k"),
        (("--seed", "3"), "--random-state"),
        (("--seed=3",), "--random-state"),
        (("--random-seed", "3"), "--random-state"),
        (("--output", "out"), "--out"),
        (("-o", "out"), "--out"),
        (("--metho", "kmeans"), "--method"),
        (("--methud", "kmeans"), "--method"),
        (("--Method", "kmeans"), "--method"),
        (("--min_df", "2"), "--min-df"),
        (("--min-fd", "2"), "--min-df"),
        (("--dist", "kl"), "--distortion"),
        (("--text", "body"), "--text-column"),
    ],
)
def test_what_was_meant_is_suggested(textclust, typed, wanted):
    answer = textclust("cluster", "anywhere", *typed)
    assert answer.code == 2
    name = typed[0].partition("=")[0]
    assert f"No such option: {name} (did you mean {wanted}?); see textclust" in answer.err
    assert len(answer.err.splitlines()) == 1


def test_stop_words_lead_somewhere(textclust):
    answer = textclust("cluster", "anywhere", "--stopwords", "german")
    assert any(f"(did you mean {each}?)" in answer.err for each in MEANINGS["stopwords"])


def test_a_path_needs_no_option(textclust):
    answer = textclust("cluster", "--input", "anywhere")
    assert "--input (PATH stands by itself, without an option before it)" in answer.err


@pytest.mark.parametrize("name", ["--magic", "-z", "--xyzzy-plugh"])
def test_nothing_is_suggested_for_what_is_like_nothing(textclust, name):
    answer = textclust("cluster", "anywhere", name)
    assert f"No such option: {name}; see textclust cluster --help" in answer.err


def test_a_command_suggests_only_what_it_has(textclust):
    assert "did you mean" not in textclust("evaluate", "a", "b", "--n-clusters", "3").err
    assert "did you mean --to?" in textclust("select-k", "a", "--max-k", "3").err


def test_every_meaning_is_an_option_of_some_command():
    every = {name.split()[0].split("/")[0] for names in OPTIONS.values() for name in names}
    for name, found in MEANINGS.items():
        assert every & set(found), f"{name} would mean {found}, which no command has"


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_the_distance_is_one(one, other):
    far = distance(one, other)
    assert far == distance(other, one)
    assert (far == 0) == (one == other)
    assert abs(len(one) - len(other)) <= far <= max(len(one), len(other))


def test_one_mistake_in_any_long_option_is_forgiven():
    names = sorted({name.split()[0].split("/")[0] for name in OPTIONS["textclust cluster"]})
    for name in [name for name in names if name.startswith("--") and len(name) > 7]:
        mistyped = name[:4] + name[5] + name[4] + name[6:]
        if mistyped != name and mistyped not in names:
            assert name in meant(mistyped, names), mistyped


# PATH after --examples

ORDERS = [
    ("PATH", "--examples", "a", "b"),
    ("--examples", "a", "b", "PATH"),
    ("--examples", "a", "--examples", "b", "PATH"),
    ("--examples", "a", "b", "-k", "3", "PATH"),
    ("--examples", "a", "b", "--k", "3", "--json", "PATH"),
    ("--examples", "a", "b", "PATH", "-k", "3"),
    ("-k", "3", "--examples", "a", "b", "PATH", "--json"),
    ("-k3", "--examples", "a", "b", "PATH"),
    ("--k=3", "--examples", "a", "b", "PATH"),
    ("--examples", "a", "PATH", "--examples", "b"),
    ("--examples", "a", "b", "--", "PATH"),
    ("--json", "--examples", "a", "b", "PATH"),
    ("--examples=a", "--examples=b", "PATH"),
    ("--examples=a", "PATH", "--examples", "b"),
]


@pytest.mark.parametrize("typed", ORDERS, ids=" ".join)
def test_the_path_is_found_in_any_order(typed):
    found = _spread(typed, {"-k", "--k", "--examples"})

    values = [
        value.removeprefix("--examples=")
        for option, value in zip(["", *found], found, strict=False)
        if option == "--examples" or value.startswith("--examples=")
    ]
    assert values == ["a", "b"]
    others = [word for word in found if word in ("PATH", "-")]
    assert others == ["PATH"]
    assert found[found.index("PATH") - 1] not in ("--examples", "-k", "--k")


def test_standard_input_may_be_the_path():
    assert _spread(["--examples", "a", "-"], set()) == ["--examples", "a", "-"]


def test_one_value_is_an_example_and_no_path(textclust):
    assert _spread(["--examples", "a"], set()) == ["--examples", "a"]
    assert "Missing argument 'PATH'" in textclust("cluster", "--examples", "a").err


def test_an_option_without_a_value_is_refused():
    with pytest.raises(InputError, match="--examples needs a value"):
        _spread(["PATH", "--examples", "--json"], set())


def test_it_works_from_the_command_line(textclust, corpus):
    options = ("-k", 3, "--json")
    before = textclust("cluster", corpus, "--examples", "bread", "moon", *options)
    for typed in (("--examples", "bread", "moon", corpus, *options),
                  (*options, "--examples", "bread", "moon", corpus)):  # fmt: skip
        after = textclust("cluster", *typed)
        assert after.code == 0, after.err
        assert after.json["labels"] == before.json["labels"]


# Panels


def test_the_help_of_cluster_is_in_panels(textclust):
    answer = textclust("cluster", "--help")
    titles = [line for line in answer.out.splitlines() if line.endswith(":") and line[0] != " "]
    titles = [title.removesuffix(":") for title in titles if not title.startswith("Usage")]
    assert titles == ["Arguments", *(panel for panel in PANELS if panel != REST)]


def test_every_option_of_cluster_has_a_panel():
    ours = {each.parameter for each in parameters(command) if each.name.startswith("-")}
    for name in ours - declared_options().keys():
        assert panel_of(name) != REST, f"name the panel of {name} in cli/panels.py"


def test_no_option_is_in_two_panels():
    every = [name for names in PANELS.values() for name in names]
    assert len(every) == len(set(every))


def test_the_reference_has_the_panels():
    from textclust.cli.reference import reference

    section = reference().split("## textclust cluster")[1].split("\n## ")[0]
    places = [section.index(f"**{panel}**") for panel in PANELS if panel != REST]
    assert places == sorted(places)


def test_a_wrong_command_and_a_wrong_number_are_in_our_words(textclust):
    wrong = textclust("clustr", "anywhere").err
    assert wrong.rstrip().endswith("(did you mean 'cluster'?); see textclust --help")
    wrong = textclust("diff", "a", "b", "--moves", "x").err
    assert "must be a whole number; got x" in wrong
    assert "int range" not in wrong
