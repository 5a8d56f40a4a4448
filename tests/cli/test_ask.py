"""textclust ask: questions on the terminal, answers on the disk, and a clustering at the end."""

from __future__ import annotations

import os
import re
import signal
import struct
import sys
import time

import pytest

from tests.cli.conftest import TEXTS
from tests.cli.running import finish, read_rows, start, write_files

PROMPT = "q quit: "


def answers(place, name="texts.answers.csv"):
    return [(row["left"], row["right"], row["kind"]) for row in read_rows(place / name)]


def true_answer(screen):
    """What the folders say of the pair that was shown last."""
    left, right = re.findall(r"┃ (\S+)/\d+ +┃ (\S+)/\d+ +┃", screen)[-1]
    return "y" if left == right else "n"


# Answered by the folders


def test_folders_answer_and_the_documents_are_clustered_with_the_answers(textclust, place):
    answer = textclust(
        "ask", "texts", "--k", 3, "--queries", 20, "--oracle", "folders", "--out", "out"
    )
    assert answer.code == 0
    assert "12 documents in 3 clusters" in answer.out
    assert textclust("evaluate", "out", "texts", "--json").json["nmi"] == 1.0
    assert re.search(r"0 of \d+ links overruled", answer.out)
    assert "3 clusters of 3 found" in answer.err
    assert {p.name for p in (place / "out").iterdir()} == {
        "labels.csv",
        "clusters.json",
        "model",
        "report.html",
        "run.json",
    }
    assert not (place / "texts.answers.csv").exists()


def test_the_answers_are_a_constraints_file(textclust, place):
    first = textclust("ask", "texts", "--k", 3, "--oracle", "folders", "--answers", "a.csv")
    assert first.code == 0
    assert textclust("check", "a.csv", "texts").code == 0
    second = textclust("cluster", "texts", "--k", 3, "--constraints", "a.csv")
    assert (second.code, second.err) == (0, "")
    assert "0 of" in second.out


def test_a_constraints_file_is_gone_on_from(textclust, place):
    (place / "a.csv").write_text("left,right,kind\nmoon/1,moon/2,must-link\n")
    answer = textclust(
        "ask", "texts", "--k", 3, "--queries", 6, "--oracle", "folders", "--answers", "a.csv"
    )
    assert "going on from 1 answer in a.csv" in answer.err
    assert answers(place, "a.csv")[0] == ("moon/1", "moon/2", "must-link")
    assert len(answers(place, "a.csv")) == 6


def test_without_k_there_are_as_many_clusters_as_were_found(textclust, place):
    answer = textclust("ask", "texts", "--queries", 40, "--oracle", "folders")
    assert "12 documents in 3 clusters" in answer.out
    assert "3 clusters found" in answer.err


def test_json_is_one_object_with_the_answers(textclust, place):
    content = textclust(
        "ask", "texts", "--k", 3, "--queries", 5, "--oracle", "folders", "--json"
    ).json
    assert len(content["answers"]) == 5
    assert set(content["answers"][0]) == {"left", "right", "same"}
    assert len(content["labels"]) == 12


def test_more_documents_than_one_file_can_be_asked_about_in_a_table(textclust, tmp_path):
    rows = [f"{name},{name.split('/')[0]},{text.strip()!r}" for name, text in TEXTS.items()]
    table = tmp_path / "texts.csv"
    table.write_text("id,label,text\n" + "\n".join(rows).replace("'", '"') + "\n")
    answer = textclust("ask", table, "--k", 3, "--queries", 20, "--oracle", "folders", "--json")
    assert answer.code == 0
    assert len({(row["id"].split("/")[0], row["cluster"]) for row in answer.json["labels"]}) == 3


def test_the_thesis_can_be_asked_for(textclust, place):
    """The same questions as from Python, with the choices of the thesis."""
    import textclust as tc

    options = ("--space", "full", "--exploring", "farthest", "--consolidating", "random")
    answers = textclust(
        "ask", "texts", "--k", 3, "--queries", 15, "--oracle", "folders", *options, "--json"
    ).json["answers"]
    docs = tc.read_documents(place / "texts")
    X = tc.TextVectorizer(sublinear_tf=True).fit_transform(docs.texts)
    asking = tc.ExploreConsolidate(
        3, 15, space="full", exploring="farthest", consolidating="random"
    )
    asking.query(X, lambda i, j: docs.labels[i] == docs.labels[j])
    rows = [(docs.ids[answer.left], docs.ids[answer.right]) for answer in asking.dialogue_.answers]
    assert [(answer["left"], answer["right"]) for answer in answers] == rows


@pytest.mark.parametrize("name", ["space", "exploring", "consolidating"])
def test_each_choice_of_the_estimator_is_one_of_the_command_line(textclust, place, name):
    from textclust import ExploreConsolidate

    common = ("ask", "texts", "--k", 3, "--queries", 12, "--oracle", "folders")
    rule = ExploreConsolidate.rules[name]
    for choice in (*rule.words, *getattr(rule, "registry", ())):
        assert textclust(*common, f"--{name}", choice).code == 0
    refused = textclust(*common, f"--{name}", "never")
    assert (refused.code, refused.out) == (2, "")
    assert len(refused.err.splitlines()) == 1


# Answered by lines


def test_lines_on_standard_input_are_answers(textclust, place):
    answer = textclust("ask", "texts", "--k", 2, "--queries", 3, stdin=b"n\nyes\nD\n")
    assert answer.code == 0
    assert [kind for *_, kind in answers(place)] == ["cannot-link", "must-link", "dont-know"]
    assert answer.err.count(PROMPT) == 3
    assert "Question 3 of 3. 2 clusters of 2 found, of 2, 1 documents so far." in answer.err
    assert "documents in 2 clusters" in answer.out


def test_a_page_fits_eighty_columns(textclust, place):
    answer = textclust("ask", "texts", "--k", 2, "--queries", 6, stdin=b"n\ny\nn\nd\ny\nn\n")
    assert max(len(line) for line in answer.err.splitlines()) <= 80


def test_words_are_marked(textclust, tmp_path):
    texts = {"1": "Red lens, red frame.", "2": "A red planet."}
    write_files(tmp_path / "pair", texts)
    answer = textclust(
        "ask",
        tmp_path / "pair",
        "--answers",
        tmp_path / "a.csv",
        "--language",
        "none",
        stdin=b"q\n",
    )
    assert "_lens_" in answer.err
    assert "_planet_" in answer.err


def test_undo_skip_and_what_is_no_key(textclust, place):
    answer = textclust("ask", "texts", "--k", 3, "--queries", 4, stdin=b"u\n?\ny\nu\ns\nn\nq\n")
    assert answer.code == 0
    assert "There is no answer to take back." in answer.err
    assert "Taken back." in answer.err
    ((left, _, kind),) = answers(place)
    assert kind == "cannot-link"
    shown = re.findall(r"┃ (\S+) +┃ (\S+) +┃", answer.err)
    assert shown[0] == shown[1] == shown[3]  # there was no answer; it was taken back
    assert shown[4] != shown[0]  # skipped
    assert left == shown[4][0]


def test_the_end_of_the_input_is_the_end_of_the_questions(textclust, place):
    answer = textclust("ask", "texts", "--k", 3, stdin=b"n\n")
    assert answer.code == 0
    assert len(answers(place)) == 1
    assert "12 documents in 3 clusters" in answer.out


def test_questions_go_on_where_they_ended(textclust, place):
    """In two sittings the same is asked as in one."""
    textclust("ask", "texts", "--k", 3, "--queries", 4, stdin=b"n\nn\nn\ny\n")
    textclust("ask", "texts", "--k", 3, "--queries", 7, stdin=b"n\nn\ny\n")
    apart = answers(place)
    whole = textclust(
        "ask", "texts", "--k", 3, "--queries", 7, "--answers", "whole.csv",
        stdin=b"n\nn\nn\ny\nn\nn\ny\n",
    )  # fmt: skip
    assert whole.code == 0
    assert answers(place, "whole.csv") == apart


def test_a_suggestion_to_stop_comes_once_there_are_no_surprises(textclust, tmp_path):
    texts = {f"a/{i}": f"bike chain wheel number{i} bike" for i in range(12)}
    texts |= {f"b/{i}": f"flour oven bread number{i} flour" for i in range(12)}
    write_files(tmp_path / "texts", texts)
    reply = b"n\n" + 14 * b"y\n"
    options = ("--k", 2, "--queries", 15, "--answers", tmp_path / "a.csv")
    answer = textclust("ask", tmp_path / "texts", *options, stdin=reply)
    assert answer.err.replace("\n", " ").count("you may well stop here") == 1


def test_a_contradiction_is_asked_about_once_more(textclust, place):
    (place / "a.csv").write_text(
        "left,right,kind\nmoon/1,moon/2,must-link\nmoon/2,moon/3,must-link\n"
        "moon/1,moon/3,cannot-link\n"
    )
    answer = textclust("ask", "texts", "--k", 3, "--queries", 4, "--answers", "a.csv", stdin=b"y\n")
    assert "Once more, as it contradicts another answer" in answer.err
    assert [kind for *_, kind in answers(place, "a.csv")] == ["must-link"] * 3
    assert textclust("check", "a.csv", "texts").code == 0


def test_a_person_is_asked_what_was_inferred_and_shown_what_fits_nowhere(textclust, place):
    common = ("ask", "texts", "--k", 2, "--queries", 8)
    checked = textclust(*common, stdin=b"n\n" * 8)
    assert checked.err.count("To check an earlier answer:") == 1
    assert "1 document in none of them: a wrong answer, or one more cluster." in " ".join(
        checked.err.split()
    )
    trusting = textclust(*common, "--checks", 0, "--answers", "b.csv", stdin=b"n\n" * 8)
    assert "To check" not in trusting.err


def test_two_peoples_answers_are_merged_and_disagreements_shown(textclust, place):
    (place / "mine.csv").write_text("left,right,kind\nmoon/1,moon/2,must-link\n")
    (place / "theirs.csv").write_text(
        "left,right,kind\nmoon/2,moon/1,cannot-link\nbread/1,moon/1,cannot-link\n"
    )
    answer = textclust(
        "ask", "texts", "--k", 3, "--queries", 3, "--answers", "mine.csv", "--merge", "theirs.csv",
        stdin=b"y\n",
    )  # fmt: skip
    assert "1 answer taken from theirs.csv" in answer.err
    assert "moon/2 and moon/1: you say same, theirs.csv says different" in answer.err
    assert "┃ moon/1" in answer.err
    assert sorted(answers(place, "mine.csv")) == [
        ("bread/1", "moon/1", "cannot-link"),
        ("moon/1", "moon/2", "must-link"),
        ("moon/1", "moon/2", "must-link"),
    ]


# Untrusted text


def test_no_control_character_of_a_document_reaches_the_terminal(textclust, tmp_path):
    evil = "\x1b]0;title\x07\x1b[2Jred\u202e lens \x9b31m frame \x08\x08"
    write_files(tmp_path / "evil", {"a\x1b[31m": evil + "red", "b": evil + "planet", "c": evil})
    answer = textclust(
        "ask", tmp_path / "evil", "--k", 2, "--language", "none", "--answers",
        tmp_path / "a.csv", stdin=b"n\ny\n",
    )  # fmt: skip
    assert answer.code == 0
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", answer.err + answer.out)


# What cannot be


def test_documents_on_standard_input_leave_no_room_for_answers(textclust):
    answer = textclust("ask", "-", "--k", 2, stdin=b'{"text": "red lens"}\n')
    assert (answer.code, answer.out) == (2, "")
    assert "--oracle folders" in answer.err


def test_without_folders_there_is_nobody_to_answer(textclust, tmp_path):
    write_files(tmp_path / "flat", {"1": "red lens", "2": "dark star", "3": "red star"})
    answer = textclust("ask", tmp_path / "flat", "--k", 2, "--oracle", "folders")
    assert (answer.code, answer.out) == (2, "")
    assert "no sub-folders to answer from" in answer.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--k", 13), "13 clusters cannot be made of 12 documents"),
        (("--k", 0), "0 is not in the range x>=1"),
        (("--k", 2, "--answers", "texts"), "texts"),
        (("--k", 2, "--out", "texts/moon/1"), "texts/moon/1: a file is in the way"),
        (("--k", 2, "--merge", "nowhere.csv"), "nowhere.csv: cannot be read"),
        (("--k", 2, "--answers", "bad.csv"), "line 2: the kind is 'perhaps'"),
    ],
)
def test_bad_input_ends_with_one_line_before_any_question(textclust, place, options, said):
    (place / "bad.csv").write_text("left,right,kind\nmoon/1,moon/2,perhaps\n")
    answer = textclust("ask", "texts", *options, stdin=b"y\n")
    assert answer.code == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1
    assert PROMPT not in answer.err


# On a terminal


class Terminal:
    """The command line at a pseudo-terminal of 80 columns."""

    def __init__(self, place, *arguments):
        import fcntl
        import pty
        import termios

        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environment = {"COLUMNS": "80", "LINES": "24", "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
        self.process = start(
            *arguments, cwd=place, stdin=slave, stderr=slave, start_new_session=True,
            env=environment,
        )  # fmt: skip
        os.close(slave)
        self.screen = ""

    def question(self, number):
        """Wait until so many questions were asked in all, and the screen since then."""
        deadline = time.monotonic() + 60
        while self.screen.count(PROMPT) < number:
            assert time.monotonic() < deadline, self.screen
            self.screen += os.read(self.master, 65536).decode("utf-8", "replace")
        return self.screen

    def press(self, key):
        os.write(self.master, key.encode())


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
def test_a_dialogue_that_is_killed_in_mid_question_is_resumed_without_loss(place):
    command = ("ask", "texts", "--k", 3, "--queries", 8)
    first = Terminal(place, *command)
    for number in range(1, 5):
        first.press(true_answer(first.question(number)))  # one key each, no Enter
    first.question(5)
    first.process.send_signal(signal.SIGKILL)
    first.process.wait(timeout=60)
    given = answers(place)
    assert len(given) == 4
    assert "\x1b[4m" in first.screen  # telling words are underlined
    second = Terminal(place, *command)
    assert "going on from 4 answers" in second.question(1)
    assert "Question 5 of 8" in second.screen
    for number in range(1, 5):
        second.press(true_answer(second.question(number)))
    answer = finish(second.process)
    assert answer.code == 0
    assert answers(place)[:4] == given
    assert len(answers(place)) == 8
    assert "12 documents in 3 clusters" in answer.out
    os.close(first.master)
    os.close(second.master)


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
def test_arrows_say_nothing_and_keys_may_be_pressed_ahead(place):
    terminal = Terminal(place, "ask", "texts", "--k", 3, "--queries", 3)
    terminal.question(1)
    terminal.press("\x1b[D\x1bOS")  # a d and an s are in these
    terminal.press("ndn")
    assert finish(terminal.process).code == 0
    assert [kind for *_, kind in answers(place)] == ["cannot-link", "dont-know", "cannot-link"]
    os.close(terminal.master)


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0), ("q", 0)])
def test_ctrl_c_ends_at_once_and_ctrl_d_and_q_with_the_clustering(place, key, code):
    terminal = Terminal(place, "ask", "texts", "--k", 3)
    terminal.question(1)
    terminal.press("n")
    terminal.question(2)
    if key == "\x03":
        terminal.process.send_signal(signal.SIGINT)
    else:
        terminal.press(key)
    answer = finish(terminal.process)
    assert answer.code == code
    assert ("documents in 3 clusters" in answer.out) == (code == 0)
    assert len(answers(place)) == 1
    os.close(terminal.master)


def test_the_farewell_counts_what_the_next_start_finds(textclust, place):
    """A corrected answer takes the place of the first: two questions, one line."""
    pair = ("moon/1", "moon/2")
    (place / "a.csv").write_text(f"left,right,kind\n{','.join(pair)},cannot-link\n")
    options = ("ask", "texts", "--k", 3, "--answers", "a.csv", "--merge", "b.csv")
    (place / "b.csv").write_text(f"left,right,kind\n{','.join(pair)},must-link\n")
    answer = textclust(*options, "--queries", 2, stdin=b"y\n")
    assert "you say different, b.csv says same; to be asked again" in answer.err
    assert answers(place, "a.csv") == [(*pair, "must-link")]
    assert "\n1 answer in a.csv. " in answer.err
    again = textclust("ask", "texts", "--k", 3, "--answers", "a.csv", stdin=b"q\n")
    assert "going on from 1 answer in a.csv" in again.err


def test_an_interruption_between_the_disk_and_the_memory_is_counted(textclust, place, monkeypatch):
    from textclust.active.dialogue import Dialogue

    real = Dialogue.record_all

    def interrupted(self, event):
        if len(answers(place)) == 2:
            raise KeyboardInterrupt
        real(self, event)

    monkeypatch.setattr(Dialogue, "record_all", interrupted)
    answer = textclust("ask", "texts", "--k", 3, stdin=b"n\nn\nn\n")
    assert (answer.code, len(answers(place))) == (130, 2)
    assert answer.err.endswith("textclust: interrupted; 2 answers in texts.answers.csv\n")


@pytest.mark.parametrize("end", ["\r", "\r\n", "\n"], ids=["cr", "crlf", "lf"])
@pytest.mark.parametrize("last", [True, False], ids=["ended", "not ended"])
def test_lines_may_end_as_any_program_ends_them(textclust, place, end, last):
    lines = ["left,right,kind", "moon/1,moon/2,must-link", "moon/1,bread/1,cannot-link"]
    (place / "a.csv").write_bytes((end.join(lines) + end * last).encode())
    checked = textclust("check", "a.csv", "texts")
    clustered = textclust("cluster", "texts", "--k", 3, "--constraints", "a.csv")
    assert (checked.code, clustered.code) == (0, 0)
    assert "1 must-link and 1 cannot-link" in checked.out
    asked = textclust(
        "ask", "texts", "--k", 3, "--queries", 4, "--answers", "a.csv", stdin=b"n\nn\n"
    )
    assert asked.code == 0, asked.err
    assert "going on from 2 answers in a.csv" in asked.err
    assert answers(place, "a.csv")[:2] == [tuple(line.split(",")) for line in lines[1:]]
    assert len(answers(place, "a.csv")) == 4
    assert textclust("check", "a.csv", "texts").code == 0


def test_a_torn_line_in_a_file_of_such_lines_is_cut_off(textclust, place):
    (place / "a.csv").write_bytes(b"left,right,kind\rmoon/1,moon/2,must-link\rmoon/1,bre")
    answer = textclust("ask", "texts", "--k", 3, "--answers", "a.csv", stdin=b"q\n")
    assert answer.code == 0
    assert "the last line was cut off and is left out: 'moon/1,bre'" in answer.err
