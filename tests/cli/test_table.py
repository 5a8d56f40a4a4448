"""Tables on the terminal: straight, no wider than it, and with every letter of their cells."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textclust.cli.table import draw

CELLS = st.text(st.sampled_from("ab c-é日本タ（"), max_size=40)
ROWS = st.lists(st.tuples(CELLS, CELLS, st.integers(0, 99_999)), max_size=5)


def test_long_cells_go_on_in_the_next_line_and_numbers_stand_to_the_right():
    rows = [(3, "moon, orbit", "x" * 20), (12, "日本語の タイトル", "two\nlines")]
    assert draw(("size", "terms", "title"), rows, 36, only_ascii=False) == (
        "┏━━━━━━┳━━━━━━━━━━━━━┳━━━━━━━━━━━━━┓\n"
        "┃ size ┃ terms       ┃ title       ┃\n"
        "┡━━━━━━╇━━━━━━━━━━━━━╇━━━━━━━━━━━━━┩\n"
        "│    3 │ moon, orbit │ xxxxxxxxxxx │\n"
        "│      │             │ xxxxxxxxx   │\n"
        "│   12 │ 日本語の    │ two         │\n"
        "│      │ タイトル    │ lines       │\n"
        "└──────┴─────────────┴─────────────┘\n"
    )


def test_a_narrow_encoding_gets_narrow_borders():
    drawn = draw(("a", "b"), [("x", 1.5)], 80, only_ascii=True)
    assert drawn == "+---+-----+\n| a | b   |\n+---+-----+\n| x | 1.5 |\n+---+-----+\n"


@given(ROWS, st.integers(20, 90))
def test_lines_are_of_one_width_and_no_letter_is_lost(rows, width):
    lines = draw(("one", "two", "size"), rows, width, only_ascii=False).splitlines()
    assert len({cell_len(line) for line in lines}) == 1
    assert cell_len(lines[0]) <= width
    body = [line[1:-1].split("│") for line in lines if line.startswith("│ ")]
    for column in range(2):
        shown = "".join(cells[column] for cells in body)
        wanted = "".join(row[column] for row in rows)
        assert "".join(shown.split()) == "".join(wanted.split())
