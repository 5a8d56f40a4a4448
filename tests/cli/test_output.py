"""CSV as the commands write it."""

from __future__ import annotations

import csv

from hypothesis import given
from hypothesis import strategies as st
from textclust.cli import output

from textclust.writing import csv_text

CELLS = st.text(st.sampled_from('ab ,";\r\n\té'), max_size=6) | st.integers() | st.floats()


@given(st.lists(st.tuples(CELLS, CELLS), max_size=6))
def test_tables_are_those_of_the_csv_module(rows):
    lines = []
    keep = type("Lines", (), {"write": staticmethod(lines.append)})
    csv.writer(keep, lineterminator="\r\n").writerows([("id", "a,b"), *rows])
    assert csv_text(("id", "a,b"), rows, keep_formulas=True) == "".join(
        line[:-2] + "\n" for line in lines
    )


def test_a_cell_is_cut(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    output.print_table(("id", "many"), [("x" * 10**6, ["y" * 10**6, "z"])])
    shown = capsys.readouterr().out
    assert len(shown) < 40_000
    assert "..." in shown
    assert "z" in shown
