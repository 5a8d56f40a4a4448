"""No cell of a table is a formula to a spreadsheet, and every reader gets back what was written."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textclust.active.answer_files import AnswerFile
from textclust.supervision.constraint_files import match_links, read_links, row_of_each
from textclust.text.labels import read_labels
from textclust.text.word_lists import read_words
from textclust.writing import csv_text, known_as, quoted, unquoted

FORMULAS = [
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "\uff1d1+1",
    "'=1",
    "''=1",
    "-",
    "'-1",
]
HARMLESS = ["a", "", "a=b", "-1", "+2.5", "1e5", "-1e-5", "'a", "'", "3-4"]
CELLS = st.text(st.sampled_from("'=+-@\t\r\n1a"), max_size=5)


@pytest.mark.parametrize("cell", FORMULAS)
def test_a_formula_has_a_mark_before_it(cell):
    assert quoted(cell) == "'" + cell
    assert unquoted(quoted(cell)) == cell


@pytest.mark.parametrize("cell", HARMLESS)
def test_all_else_stays_as_it_is(cell):
    assert quoted(cell) == cell
    assert unquoted(cell) == cell


@given(CELLS)
def test_any_cell_comes_back(cell):
    assert unquoted(quoted(cell)) == cell
    assert quoted(cell)[:1] not in ("=", "@", "\t", "\r", "\n")


@given(st.lists(st.tuples(CELLS, st.integers(), CELLS), min_size=1))
def test_tables_are_quoted_cell_by_cell(rows):
    header = ("id", "cluster", "name")
    text = csv_text(header, rows)
    expected = [[quoted(name), str(number), quoted(called)] for name, number, called in rows]
    assert [*csv.reader(io.StringIO(text, newline=""))] == [[*header], *expected]


@pytest.mark.parametrize("keep", [True, False])
def test_labels_words_and_links_are_read_back_to_the_same_ids(tmp_path, keep):
    names = [name for name in FORMULAS if name == unquoted(name)]  # else kept ones are ambiguous
    seeds, words = tmp_path / "seeds.csv", tmp_path / "words.csv"
    pairs = tmp_path / "pairs.csv"
    for path, header, rows in (
        (seeds, ("id", "label"), [(name, name) for name in names]),
        (words, ("label", "word"), [(name, "bike") for name in names]),
        (pairs, ("left", "right", "kind"), [(name, "a", "must-link") for name in names]),
    ):
        path.write_text(csv_text(header, rows, keep_formulas=keep), newline="")
    assert read_labels(seeds) == {name: name for name in names}
    assert [*read_words(words)] == names
    matched = match_links(read_links(pairs), row_of_each(["a", *names]))
    assert [link.left for link in matched.links] == [*range(1, len(names) + 1)]
    assert matched.unknown == []


def test_ids_that_begin_with_the_mark_themselves_are_found():
    assert known_as("=1", {"=1", "'=1"}) == "=1"
    assert known_as("=1", {"'=1"}) == "'=1"
    assert known_as("=1", {"a"}) == "=1"


@pytest.mark.parametrize("keep", [True, False])
def test_answers_about_such_ids_are_kept_replaced_and_read_again(tmp_path, keep):
    path, ids = tmp_path / "answers.csv", ["=a", "b", "'=a"]
    file = AnswerFile(path, ids, keep_formulas=keep)
    file.append(0, 1, True)
    assert path.read_text().splitlines()[1] == ("" if keep else "'") + "=a,b,must-link"
    file.append(1, 0, False)
    assert len(path.read_text().splitlines()) == 2
    again = AnswerFile(path, ids, keep_formulas=not keep)
    assert [(each.left, each.right, each.same) for each in again.answers] == [(1, 0, False)]
    again.append(0, 1, True)  # written the other way, and still about the same pair
    assert len(path.read_text().splitlines()) == 2
