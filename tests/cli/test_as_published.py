"""The command line reaches every setting of the papers, one by one and by one switch."""

from __future__ import annotations

import pytest

PAIRS = """left,right,kind
rec.bicycles/10204,rec.bicycles/10211,must-link
rec.bicycles/10204,rec.photo/20331,cannot-link
"""
SEEDS = """id,label
rec.bicycles/10204,rec.bicycles
rec.photo/20331,rec.photo
sci.astro/30133,sci.astro
"""


@pytest.fixture
def given(tmp_path):
    (tmp_path / "pairs.csv").write_text(PAIRS, encoding="utf-8")
    (tmp_path / "seeds.csv").write_text(SEEDS, encoding="utf-8")
    return {
        "links": ("--constraints", tmp_path / "pairs.csv"),
        "seeds": ("--seeds", tmp_path / "seeds.csv"),
        "nothing": (),
    }


def settings_of(textclust, sample, *options):
    done = textclust("cluster", sample, "-k", 3, *options, "--json")
    assert done.code == 0, done.err
    return done.json["settings"]


@pytest.mark.parametrize(
    ("kind", "options", "expected"),
    [
        ("nothing", ["--n-init", 3, "--no-refine"], {"n_init": 3, "refine": False}),
        ("links", ["--init", "neighbourhoods"], {"init": "neighbourhoods"}),
        ("links", ["--init", "largest", "--entailed"], {"init": "largest", "entailed": True}),
        ("links", ["--use-constraints", "init"], {"use_constraints": "init"}),
        ("links", ["--no-emphasis"], {"emphasis": False}),
        ("links", ["--method", "cop", "--init", "random"], {"init": "random"}),
        ("seeds", ["--init", "seeds"], {"init": "seeds"}),
    ],
)
def test_single_settings_are_reachable(textclust, sample, given, kind, options, expected):
    used = settings_of(textclust, sample, *given[kind], *options)["parameters"]
    assert {name: used[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("kind", "method", "expected"),
    [
        ("nothing", "kmeans", {"init": "perturbed", "n_init": 1, "refine": False}),
        ("seeds", "seeded", {"init": "seeds", "n_init": 1, "refine": False}),
        ("links", "hmrf", {"init": "neighbourhoods", "entailed": True, "weight": 1.0}),
        ("links", "pckmeans", {"init": "largest", "entailed": True, "weight": 1.0}),
        ("links", "cop", {"init": "random", "local_search": False}),
        ("links", "kernel", {"init": "neighbourhoods", "kernel": "rbf", "weight": 1.0}),
    ],
)
def test_the_switch_sets_the_print_and_plain_term_frequencies(
    textclust, sample, given, kind, method, expected
):
    settings = settings_of(textclust, sample, *given[kind], "--method", method, "--as-published")
    used = settings["parameters"]
    assert {name: used[name] for name in expected} == expected
    assert settings["vectorizer"]["sublinear_tf"] is False


def test_options_beside_the_switch_hold(textclust, sample, given):
    options = ["--as-published", "--weight", "0.5", "--refine", "--weighting", "log"]
    settings = settings_of(textclust, sample, *given["links"], *options)
    used = settings["parameters"]
    assert (used["weight"], used["refine"], used["init"]) == (0.5, True, "neighbourhoods")
    assert settings["vectorizer"]["sublinear_tf"] is True


def test_a_background_has_its_price_and_threshold(textclust, sample, tmp_path):
    from tests.cli.running import write_files

    old = write_files(
        tmp_path / "old",
        {
            "bikes/1": "A bicycle with a new wheel, chain and brake.",
            "bikes/2": "The brake of my bike and its wheel.",
            "sky/1": "A telescope shows the planet and the star in the sky.",
            "sky/2": "The moon and a star tonight.",
        },
    )
    options = ["--background", old, "--labeller", "naive-bayes", "--R", "0.2", "--threshold", "0.7"]
    used = settings_of(textclust, sample, *options)["parameters"]
    assert (used["R"], used["threshold"]) == (0.2, 0.7)
    for implied in ([], ["--weighting", "tf"]):
        options = ["--background", old, "--as-published", *implied]
        printed = settings_of(textclust, sample, *options)
        used = printed["parameters"]
        assert (used["labeller"], used["init"]) == ("naive-bayes", "confident")
        assert printed["vectorizer"]["use_idf"] is False
        assert printed["vectorizer"]["sublinear_tf"] is False


def test_questions_are_asked_and_answers_used_as_printed(textclust, sample):
    command = ("ask", sample, "-k", 3, "--queries", 12, "--oracle", "folders", "--json")
    ours, printed = textclust(*command).json, textclust(*command, "--as-published").json
    used = printed["settings"]["parameters"]
    assert (used["init"], used["entailed"], used["weight"]) == ("neighbourhoods", True, 1.0)
    assert printed["settings"]["vectorizer"]["sublinear_tf"] is False
    assert printed["answers"] != ours["answers"]


@pytest.mark.parametrize("option", ["--entailed", "--no-emphasis"])
def test_a_setting_that_a_method_lacks_is_refused(textclust, sample, option):
    done = textclust("cluster", sample, "-k", 3, option)
    assert done.code == 2
    assert "has no option" in done.err
