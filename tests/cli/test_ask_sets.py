"""textclust ask about sets of documents, and of a program that answers."""

from __future__ import annotations

import os
import re
import shlex
import sys

import pytest

from tests.cli.conftest import TEXTS
from tests.cli.running import finish, read_rows, write_files
from tests.cli.test_ask import Terminal, answers

ANSWERS = "texts.answers.csv"
PROGRAM = """
import json, sys
log = open("asked.jsonl", "a")
for number, line in enumerate(sys.stdin):
    question = json.loads(line)
    log.write(line)
    log.flush()
    kinds = [each["id"].split("/")[0] for each in question["documents"]]
    if question["question"] == "pair":
        reply = {"answer": kinds[0] == kinds[1]}
    else:
        reply = {"strangers": [n for n, kind in enumerate(kinds) if kind != kinds[0]]}
"""
HONEST = "    print(json.dumps(reply), flush=True)\n"


def program(place, ending=HONEST):
    (place / "oracle.py").write_text(PROGRAM + ending)
    return f"{shlex.quote(sys.executable)} oracle.py"


# Sets


def test_folders_answer_about_sets(textclust, place):
    answer = textclust(
        "ask", "texts", "--k", 3, "--queries", 8, "--sets", 4, "--oracle", "folders",
        "--answers", "a.csv", "--out", "out",
    )  # fmt: skip
    assert answer.code == 0
    assert "3 clusters of 3 found, of 4, 4, 4 documents so far." in answer.err
    assert textclust("evaluate", "out", "texts", "--json").json["nmi"] == 1.0
    assert {row["set"] for row in read_rows(place / "a.csv")} > {"1", "2"}
    assert textclust("check", "a.csv", "texts").code == 0
    assert textclust("cluster", "texts", "--k", 3, "--constraints", "a.csv").code == 0


def test_a_set_is_numbered_and_blind(textclust, place):
    answer = textclust("ask", "texts", "--k", 3, "--sets", 4, stdin=b"q\n")
    assert re.findall(r"│ (\d) │ ", answer.err) == ["1", "2", "3", "4"]
    assert not any(name in answer.err for name in TEXTS)
    assert max(len(line) for line in answer.err.splitlines()) <= 80


def test_digits_are_strangers_and_enter_is_none(textclust, place):
    answer = textclust("ask", "texts", "--k", 3, "--sets", 4, "--queries", 3, stdin=b"24\n\n3, 2\n")
    assert answer.code == 0
    rows = read_rows(place / ANSWERS)
    kinds = [[row["kind"] for row in rows if row["set"] == number] for number in "12"]
    assert kinds == [["must-link", "cannot-link", "cannot-link"], ["must-link"] * 3]
    assert "Question 3 of 3." in answer.err


def test_keys_that_do_not_answer_a_set(textclust, place):
    answer = textclust("ask", "texts", "--k", 3, "--sets", 4, stdin=b"u\n7\nyes\n2\nu\ns\n?\nq\n")
    assert answer.code == 0
    assert "There is no answer to take back." in answer.err
    assert "There is no document 7." in answer.err
    assert "Taken back." in answer.err
    assert {kind for *_, kind in answers(place)} == {"dont-know"}
    assert len(answers(place)) == 3


def test_sets_go_on_where_they_ended(textclust, place):
    """In two sittings the same is asked as in one, and a set counts as one question."""
    common = ("ask", "texts", "--k", 3, "--sets", 4)
    textclust(*common, "--queries", 2, stdin=b"24\n3\n")
    second = textclust(*common, "--queries", 4, stdin=b"4\n\n")
    assert "going on from 2 answers" in second.err
    assert "Question 3 of 4." in second.err
    textclust(*common, "--queries", 4, "--answers", "whole.csv", stdin=b"24\n3\n4\n\n")
    assert answers(place, "whole.csv") == answers(place)


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
def test_digits_on_a_terminal_are_shown_and_can_be_taken_back(place):
    terminal = Terminal(place, "ask", "texts", "--k", 3, "--sets", 4, "--queries", 1)
    terminal.question(1)
    terminal.press("3\x7f24 \r")
    assert finish(terminal.process).code == 0
    kinds = [kind for *_, kind in answers(place)]
    assert kinds == ["must-link", "cannot-link", "cannot-link"]
    os.close(terminal.master)


def test_a_person_points_with_one_digit(textclust, place):
    answer = textclust("ask", "texts", "--k", 3, "--sets", 10, stdin=b"")
    assert (answer.code, answer.out) == (2, "")
    assert "at most 9" in answer.err


def test_no_control_character_of_a_set_reaches_the_terminal(textclust, tmp_path):
    evil = "\x1b]0;title\x07\x1b[2Jred\u202e lens \x9b31m frame \x08\x08"
    write_files(tmp_path / "evil", {f"a\x1b[31m{n}": f"{evil} word{n}" for n in range(5)})
    answer = textclust(
        "ask", tmp_path / "evil", "--k", 2, "--sets", 4, "--language", "none", "--answers",
        tmp_path / "a.csv", stdin=b"2\nq\n",
    )  # fmt: skip
    assert answer.code == 0
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", answer.err + answer.out)


# A program that answers


def test_a_program_answers_about_pairs_and_sets(textclust, place):
    command = program(place)
    pairs = textclust("ask", "texts", "--k", 3, "--queries", 20, "--oracle-command", command)
    assert pairs.code == 0
    assert "12 documents in 3 clusters" in pairs.out
    assert all((a.split("/")[0] == b.split("/")[0]) == (kind == "must-link")
               for a, b, kind in answers(place))  # fmt: skip
    sets = textclust(
        "ask", "texts", "--k", 3, "--sets", 5, "--oracle-command", command, "--answers", "s.csv"
    )
    assert "3 clusters of 3 found, of 4, 4, 4 documents" in sets.err
    asked = (place / "asked.jsonl").read_text()
    assert asked.count('"question": "pair"') >= len(answers(place))
    assert '"question": "set"' in asked


def test_a_command_is_never_read_by_a_shell(textclust, place):
    command = f"{program(place)} ; touch hacked.txt $(touch hacked.txt) && touch hacked.txt"
    answer = textclust("ask", "texts", "--k", 3, "--queries", 3, "--oracle-command", command)
    assert answer.code == 0
    assert not (place / "hacked.txt").exists()


@pytest.mark.parametrize(
    ("ending", "said"),
    [
        (HONEST + "    if number == 2: sys.exit(3)\n", "ended with exit code 3;"),
        (HONEST + "    if number == 2: raise ValueError('no key')\n", "'ValueError: no key'"),
        (HONEST.replace("reply", "reply if number < 3 else 'yes'"), "answered '\"yes\"' to"),
        (HONEST.replace("reply", "reply if number < 3 else {'answer': 1}"), "about a pair"),
        ("    print(json.dumps(reply) if number < 3 else 'Sure!', flush=True)\n", "'Sure!'"),
        (
            "    if number == 3: import time; time.sleep(60)\n" + HONEST,
            "no answer within 2 seconds",
        ),
    ],
)
def test_a_program_that_fails_is_one_line_and_all_answers_are_kept(textclust, place, ending, said):
    answer = textclust(
        "ask", "texts", "--k", 3, "--queries", 9, "--oracle-command", program(place, ending),
        "--oracle-timeout", 2,
    )  # fmt: skip
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert f"3 answers kept in {ANSWERS}" in answer.err
    assert answer.err.count("\n") == 1
    assert len(answers(place)) == 3
    again = textclust("ask", "texts", "--k", 3, "--queries", 9, "--oracle-command", program(place))
    assert "going on from 3 answers" in again.err
    assert again.code == 0


def test_strangers_that_are_not_in_the_set_are_nonsense(textclust, place):
    ending = HONEST.replace("reply", "{'strangers': [9], 'answer': True}")
    answer = textclust(
        "ask", "texts", "--k", 3, "--sets", 4, "--oracle-command", program(place, ending)
    )
    assert answer.code == 2
    assert "to a question about a set" in answer.err


def test_null_is_dont_know(textclust, place):
    ending = HONEST.replace("reply", "None if number else {'answer': None}")
    answer = textclust(
        "ask", "texts", "--k", 3, "--queries", 4, "--oracle-command", program(place, ending)
    )
    assert answer.code == 0
    assert {kind for *_, kind in answers(place)} == {"dont-know"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--oracle-command", "nowhere-such-a-program"), "cannot be started"),
        (("--oracle-command", "'open quote"), "check the quotes"),
        (("--oracle-command", ""), "names no program"),
        (("--oracle-command", "cat", "--oracle", "folders"), "both answer"),
        (("--error-rate", "0.7"), "--error-rate must be"),
        (("--error-rate", "guess"), "'estimate'"),
        (("--sets", "1"), "1 is not in the range x>=2"),
    ],
)
def test_options_that_cannot_be_are_one_line(textclust, place, options, said):
    answer = textclust("ask", "texts", "--k", 3, *options, stdin=b"")
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert answer.err.count("\n") == 1


def test_documents_on_standard_input_need_a_file_for_the_answers(textclust):
    answer = textclust("ask", "-", "--oracle-command", "cat", stdin=b'{"text": "red lens"}\n')
    assert answer.code == 2
    assert "--answers" in answer.err


# Answers that are wrong


def test_a_program_that_errs_with_its_error_rate(textclust, place):
    """Every seventh answer is turned round; votes put the documents right."""
    ending = "    if number % 7 == 6: reply = {'answer': not reply.get('answer')}\n" + HONEST
    common = (
        "ask", "texts", "--k", 3, "--queries", 120, "--oracle-command", program(place, ending)
    )  # fmt: skip
    told = textclust(*common, "--error-rate", 0.15, "--json", "--answers", "t.csv")
    assert told.code == 0
    assert told.json["error_rate"] == 0.15
    assert len({(row["id"].split("/")[0], row["cluster"]) for row in told.json["labels"]}) == 3
    rows = answers(place, "t.csv")
    assert len({frozenset(pair[:2]) for pair in rows}) <= len(rows)
    estimated = textclust(*common, "--error-rate", "estimate", "--answers", "e.csv")
    assert re.search(r"About \d+% of the answers are wrong: of \d+ that were", estimated.err)


def test_the_estimate_of_right_answers_is_low(textclust, place):
    answer = textclust(
        "ask", "texts", "--k", 3, "--queries", 60, "--error-rate", "estimate",
        "--oracle", "folders", "--json",
    )  # fmt: skip
    assert answer.json["error_rate"] < 0.05
