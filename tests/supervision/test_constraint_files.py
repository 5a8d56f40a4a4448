"""Constraints from a CSV table: every mistake is reported with its line."""

from __future__ import annotations

import pytest

from textclust import Constraints, InputError
from textclust.supervision.constraint_files import match_links, read_links, row_of_each

IDS = ["news/a", "news/b", "c, with a comma", "d"]


@pytest.fixture
def table(tmp_path):
    """A file with this content: table("left,right,kind\\n...")."""

    def write(content):
        path = tmp_path / "pairs.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_pairs_and_weights_are_read(table):
    path = table(
        "left,right,kind,weight\n"
        "news/a,d,cannot-link,2.5\n"
        "\n"
        'news/a,"c, with a comma",must-link,\n'
        "news/b,news/a,must-link,3\n"
    )
    c = Constraints.from_csv(path, IDS)
    assert c == Constraints([(0, 2), (1, 0)], [(0, 3)], [1, 3, 2.5])


def test_columns_may_stand_in_any_order_with_others_beside(table):
    content = "\ufeffkind,note,right,left\r\nmust-link,sure,d,news/a\r\n"
    assert Constraints.from_csv(table(content), IDS) == Constraints([(0, 3)])


def test_spaces_after_commas_do_no_harm(table):
    path = table("left, right, kind\nnews/a, news/b, must-link\n")
    assert Constraints.from_csv(path, IDS).must_link == [(0, 1)]


def test_a_header_alone_is_no_constraint(table):
    assert len(Constraints.from_csv(table("left,right,kind\n"), IDS)) == 0


def test_a_line_given_twice_is_there_twice(table):
    path = table("left,right,kind\nd,news/a,must-link\nnews/a,d,must-link\n")
    assert Constraints.from_csv(path, IDS).must_link == [(3, 0), (0, 3)]
    ((again, first),) = match_links(read_links(path), row_of_each(IDS)).repeated
    assert (again.line, first.line) == (3, 2)


def test_a_must_link_with_itself_is_left_out(table):
    path = table("left,right,kind\nd,d,must-link\n")
    assert len(Constraints.from_csv(path, IDS)) == 0
    assert [link.line for link in match_links(read_links(path), row_of_each(IDS)).alone] == [2]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "no column 'left', only an empty file"),
        ("left,right\nd,d\n", "no column 'kind', only left, right"),
        ("left,right,kind,kind\nd,d,,must-link\n", "two columns 'kind'; leave one of them out"),
        ("d,news/a,must-link\n", "begin with the line left,right,kind"),
        ("left,right,kind\nd,news/a,must\n", "line 2: the kind is 'must'; write must-link or"),
        ("left,right,kind\nd,news/a,\n", "line 2: the kind is ''"),
        ("left,right,kind\n\nd,news/a\n", "line 3: 2 fields, but the header has 3"),
        ("left,right,kind\nc, with a comma,d,must-link\n", "ids with a comma in quotes"),
        ("left,right,kind,weight\nd,news/a,must-link,much\n", "line 2: the weight is 'much'"),
        ("left,right,kind,weight\nd,news/a,must-link,-1\n", "number of at least 0"),
        ("left,right,kind,weight\nd,news/a,must-link,nan\n", "number of at least 0"),
        ("left,right,kind,weight\nd,news/a,must-link,inf\n", "number of at least 0"),
        ("left,right,kind\nd,e,must-link\n", "line 2: no document has the id 'e';"),
        ("left,right,kind\nd,e,must-link\nf,g,must-link\n", r"'e' \(2 more like it\)"),
        (
            "left,right,kind\nd,d,cannot-link\n",
            "line 2: 'd' has a cannot-link to itself; remove the line",
        ),
        ('left,right,kind\n"d"x,news/a,must-link\n', "line 2: .*check the quotes"),
        (b"left,right,kind\n\xff,d,must-link\n", "not in UTF-8"),
    ],
)
def test_a_wrong_table_is_refused_in_one_line_that_names_it(table, content, reason):
    path = table(content)
    with pytest.raises(InputError, match=reason) as refusal:
        Constraints.from_csv(path, IDS)
    assert str(refusal.value).startswith(f"{path}: ")
    assert "\n" not in str(refusal.value)


def test_a_file_that_is_not_there_is_reported(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.csv: cannot be read"):
        Constraints.from_csv(tmp_path / "nowhere.csv", IDS)


def test_every_unknown_id_is_collected_with_its_line(table):
    path = table(
        "left,right,kind\nd,x,must-link\nnews/a,d,must-link\ny,z,cannot-link\nq,q,must-link\n"
    )
    matched = match_links(read_links(path), row_of_each(IDS))
    assert [(link.line, name) for link, name in matched.unknown] == [
        (2, "x"),
        (4, "y"),
        (4, "z"),
        (5, "q"),
    ]
    assert [(link.left, link.right, link.kind, link.weight) for link in matched.links] == [
        (0, 3, "must-link", 1.0)
    ]


def test_an_answer_of_dont_know_is_no_constraint_but_kept_apart(table):
    path = table("left,right,kind\nd,news/a,dont-know\nnews/b,news/a,must-link\n")
    assert Constraints.from_csv(path, IDS) == Constraints([(1, 0)])
    (link,) = match_links(read_links(path), row_of_each(IDS)).unanswered
    assert (link.line, link.left, link.right) == (2, 3, 0)


def test_an_unknown_id_is_reported_whatever_the_kind(table):
    with pytest.raises(InputError, match="line 2: no document has the id 'z'"):
        Constraints.from_csv(table("left,right,kind\nz,d,dont-know\n"), IDS)
