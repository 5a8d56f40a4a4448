"""--time: how it is typed, and what the commands say when it is up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textclust.cli.durations import seconds

from textclust.errors import InputError

AT_ONCE = "0.000001s"
BAD = ["", "0", "0s", "-1", "5x", "1ms", "m", "1s1m", "1h30", "1 m", "nan", "inf", "1e3", "9" * 12]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("90", 90.0),
        ("60s", 60.0),
        ("2m", 120.0),
        ("1h30m", 5400.0),
        ("1h1m1s", 3661.0),
        ("1h5s", 3605.0),
        ("0.5", 0.5),
        (".5s", 0.5),
        ("1.5h", 5400.0),
    ],
)
def test_a_time_is_typed_as_people_write_it(typed, expected):
    assert seconds(typed) == expected


@given(*(st.integers(0, 99) for _ in range(3)))
def test_units_are_added_up(h, m, s):
    typed = "".join(f"{number}{unit}" for number, unit in ((h, "h"), (m, "m"), (s, "s")) if number)
    if typed:
        assert seconds(typed) == 3600 * h + 60 * m + s


@given(st.text(max_size=6))
def test_anything_else_is_refused_in_words(typed):
    try:
        found = seconds(typed)
    except InputError as error:
        found = str(error)
    refusal = f"--time must be a time such as 90, 60s, 2m or 1h30m; got {typed}"
    assert found == refusal or found > 0


@pytest.mark.parametrize("command", [("cluster", "--k", "2"), ("select-k",)])
@pytest.mark.parametrize("typed", BAD)
def test_a_bad_time_is_one_line(textclust, corpus, command, typed):
    answer = textclust(*command, corpus, f"--time={typed}")
    assert (answer.code, answer.out) == (2, "")
    expected = f"textclust: --time must be a time such as 90, 60s, 2m or 1h30m; got {typed}"
    assert answer.err.rstrip() == expected.rstrip()


def test_time_that_is_up_is_said_where_the_clusters_are(textclust, corpus, tmp_path):
    answer = textclust("cluster", corpus, "--k", 3, "--time", AT_ONCE, "--out", tmp_path / "out")
    assert answer.code == 0, answer.err
    assert "s (the time limit): 1 start tried, not refined; more time may lower" in answer.out
    assert (tmp_path / "out" / "labels.csv").is_file()


def test_the_object_of_json_has_it(textclust, corpus):
    stopped = textclust("cluster", corpus, "--k", 3, "--time", AT_ONCE, "--json").json["stopped"]
    assert (stopped["reason"], stopped["limit"], stopped["starts"]) == ("time", 1e-6, 1)
    assert textclust("cluster", corpus, "--k", 3, "--time", "1h", "--json").json["stopped"] is None
    assert (
        textclust("cluster", corpus, "--k", 3, "--time", "none", "--json").json["stopped"] is None
    )


def test_select_k_says_how_far_it_came(textclust, corpus):
    answer = textclust("select-k", corpus, "--time", AT_ONCE)
    assert answer.code == 0
    assert "s (the time limit): 1 number of clusters looked at." in answer.out


def test_a_method_that_cannot_stop_has_no_time(textclust, corpus):
    answer = textclust("cluster", corpus, "--k", 2, "--method", "hac", "--time", "1h")
    assert answer.code == 2
    assert answer.err == "textclust: method 'hac' has no option --time; leave it out\n"
