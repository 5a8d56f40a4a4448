"""textclust check: what is wrong with a file of constraints."""

from __future__ import annotations

import pytest

GOOD = "left,right,kind\nmoon/1,moon/2,must-link\nmoon/2,bread/1,cannot-link\n"
CONTRADICTORY = (
    "left,right,kind,weight\n"
    "moon/1,moon/2,must-link,2\n"
    "moon/2,moon/3,must-link,3\n"
    "moon/3,moon/1,cannot-link,1\n"
    "moon/3,moon/4,must-link,\n"
)


@pytest.fixture
def check(textclust, corpus, tmp_path):
    """Check a file of this content: check("left,right,kind\\n...", "--json")."""

    def run(content, *options):
        path = tmp_path / "pairs.csv"
        path.write_text(content)
        return textclust("check", path, corpus, *options)

    return run


def test_a_file_without_faults_is_said_to_be_so(check):
    answer = check(GOOD)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == (
        "1 must-link and 1 cannot-link between 3 documents; 1 group joined by must-links\n"
        "Nothing is wrong.\n"
    )


def test_json_is_one_object_and_nothing_else(check):
    answer = check(GOOD, "--json")
    assert (answer.code, answer.err) == (0, "")
    assert answer.json == {
        "must_links": 1,
        "cannot_links": 1,
        "documents": 3,
        "groups": 1,
        "unknown": [],
        "apart_from_itself": [],
        "conflicts": [],
        "drop": [],
        "repeated": [],
        "joined_to_itself": [],
    }


def test_a_contradiction_is_shown_with_its_chain_and_the_line_to_drop(check):
    answer = check(CONTRADICTORY, "--json")
    assert (answer.code, answer.err) == (1, "")
    assert answer.json["conflicts"] == [
        {
            "line": 4,
            "cannot_link": ["moon/3", "moon/1"],
            "chain": ["moon/3", "moon/2", "moon/1"],
        }
    ]
    drop = {"line": 4, "left": "moon/3", "right": "moon/1", "kind": "cannot-link"}
    assert answer.json["drop"] == [drop]
    shown = check(CONTRADICTORY)
    assert shown.code == 1
    assert "cannot-links between documents that must-links join" in shown.out
    assert "smallest set of lines to remove" in shown.out
    assert "Nothing is wrong" not in shown.out


def test_without_the_lines_to_drop_nothing_is_wrong(check):
    drop = {row["line"] for row in check(CONTRADICTORY, "--json").json["drop"]}
    lines = CONTRADICTORY.splitlines(keepends=True)
    kept = [line for number, line in enumerate(lines, start=1) if number not in drop]
    assert check("".join(kept)).code == 0


def test_a_link_to_drop_goes_with_every_line_that_gives_it(check):
    answer = check(
        "left,right,kind,weight\n"
        "moon/1,moon/2,must-link,5\n"
        "moon/1,moon/2,cannot-link,1\n"
        "moon/2,moon/1,cannot-link,1\n",
        "--json",
    )
    assert [row["line"] for row in answer.json["drop"]] == [3, 4]
    says = "moon/1 cannot-link moon/2"
    assert answer.json["repeated"] == [{"line": 4, "first": 3, "says": says}]


def test_every_unknown_id_is_reported_with_its_line(check):
    content = GOOD + "moon/9,sun/1,must-link\nmoon/1,sun/2,cannot-link\n"
    answer = check(content, "--json")
    assert answer.code == 1
    assert answer.json["unknown"] == [
        {"line": 4, "id": "moon/9"},
        {"line": 4, "id": "sun/1"},
        {"line": 5, "id": "sun/2"},
    ]
    assert answer.json["must_links"] == 1
    shown = check(content)
    assert shown.code == 1
    for word in ("ids that no document has", "moon/9", "sun/1", "sun/2"):
        assert word in shown.out


def test_repeated_lines_and_must_links_with_itself_are_reported_but_no_fault(check):
    answer = check(GOOD + "moon/2,moon/1,must-link\nmoon/4,moon/4,must-link\n")
    assert answer.code == 0
    assert "moon/1 must-link moon/2" in answer.out
    assert "with itself, which have no effect" in answer.out
    assert answer.out.endswith("Nothing is wrong.\n")


def test_a_cannot_link_with_itself_is_a_fault(check):
    answer = check(GOOD + "moon/4,moon/4,cannot-link\n", "--json")
    assert answer.code == 1
    assert answer.json["apart_from_itself"] == [{"line": 4, "id": "moon/4"}]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("id,label\nmoon/1,moon\n", "no column 'left'"),
        ("left,right,kind\nmoon/1,moon/2,perhaps\n", "line 2: the kind is 'perhaps'"),
        ("left,right,kind\nmoon/1,moon/2\n", "line 2: 2 fields"),
        ("left,right,kind,weight\nmoon/1,moon/2,must-link,x\n", "line 2: the weight is 'x'"),
    ],
)
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_malformed_file_is_bad_input(check, content, reason, options):
    answer = check(content, *options)
    assert (answer.code, answer.out) == (2, "")
    assert len(answer.err.splitlines()) == 1
    assert reason in answer.err


def test_files_that_are_not_there_are_bad_input(textclust, corpus, tmp_path):
    (tmp_path / "pairs.csv").write_text(GOOD)
    for arguments in ((tmp_path / "none.csv", corpus), (tmp_path / "pairs.csv", tmp_path / "none")):
        answer = textclust("check", *arguments)
        assert (answer.code, answer.out) == (2, "")
        assert len(answer.err.splitlines()) == 1


def test_ids_of_a_table_are_those_of_its_column(textclust, tmp_path):
    (tmp_path / "texts.csv").write_text("key,text\na,one\nb,two\n")
    (tmp_path / "pairs.csv").write_text("left,right,kind\na,b,must-link\n")
    answer = textclust(
        "check", tmp_path / "pairs.csv", tmp_path / "texts.csv", "--id-column", "key"
    )
    assert answer.code == 0


def test_names_from_files_are_plain_text_on_the_terminal(check):
    answer = check(GOOD + "moon/1,\x1b[31m[red]x[/red],must-link\n")
    assert answer.code == 1
    assert "\x1b" not in answer.out
    assert "[red]x[/red]" in answer.out


def test_a_long_list_is_shown_in_short_and_counted(check):
    repeated = GOOD + "moon/2,moon/1,must-link\n" * 5000
    answer = check(repeated)
    assert answer.code == 0
    assert "their weights add up: the first 20 of 5,000" in answer.out
    assert len(answer.out.splitlines()) < 40
    assert check(repeated, "--rows", 30).out.count("moon/1 must-link moon/2") == 30
    assert len(check(repeated, "--json").json["repeated"]) == 5000
