"""Answers on disk: each is there the moment it is given, and the file is one of constraints."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textclust import Constraints, InputError, OutputError
from textclust.active import answer_files
from textclust.active.answer_files import AnswerFile, read_answers
from textclust.active.dialogue import Answer, Dialogue
from textclust.active.session import Disagreement, Session
from textclust.active.stopping import RecentSurprises, recent_surprises

IDS = ["news/a", "news/b", 'c, "with" a comma', "d\nwith two lines", "ganz anders: ü", "f"]
WHOLE = "left,right,kind\nnews/b,news/a,must-link\nf,news/a,cannot-link\nf,news/b,dont-know\n"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "answers.csv"


def saved(path):
    return [(a.left, a.right, a.same) for a in read_answers(path, IDS)]


def test_answers_are_on_the_disk_at_once_and_a_file_of_constraints(path):
    file = AnswerFile(path, IDS)
    assert path.read_text() == "left,right,kind\n"
    file.append(1, 0, True)
    file.append(5, 0, False)
    file.append(5, 1, None)
    assert path.read_text() == WHOLE
    assert Constraints.from_csv(path, IDS) == Constraints([(1, 0)], [(5, 0)])


@pytest.mark.parametrize("end", [",must-link\n", ""])
def test_a_field_without_end_is_an_input_error(path, end):
    path.write_text("left,right,kind\nnews/b," + "x" * 200_000 + end)
    for read in (AnswerFile, read_answers):
        with pytest.raises(InputError, match=r"field larger.*quotes"):
            read(path, IDS)


def test_a_quote_that_is_never_closed_is_found_at_once(path):
    """Each step back looks at one line more, and not at all that is before it again."""
    path.write_text('left,right,kind\n"' + "news/b,news/a,must-link\n" * 20_000)
    looked_at = 0

    class Watched(str):
        def count(self, *arguments):
            nonlocal looked_at
            looked_at += (arguments[2] if len(arguments) > 2 else len(self)) - (
                arguments[1] if len(arguments) > 1 else 0
            )
            return str.count(self, *arguments)

    with pytest.raises(InputError, match="quotes"):
        answer_files._whole_lines(Watched(path.read_text()), path)
    assert looked_at < 5 * path.stat().st_size


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n", "\u2028", "\x85"])
def test_ids_with_the_end_of_a_line_in_them_are_read_again(path, end):
    """Before 3.13 `csv` leaves a CR outside quotes where lines end in LF."""
    ids = [f"a{end}b", f"{end}c", "d"]
    file = AnswerFile(path, ids)
    file.append(0, 1, True)
    file.append(1, 2, False)
    assert [(each.left, each.right) for each in read_answers(path, ids)] == [(0, 1), (1, 2)]
    AnswerFile(path, ids).undo()
    assert [(each.left, each.right) for each in read_answers(path, ids)] == [(0, 1)]


def test_each_answer_is_flushed_to_the_disk(path, monkeypatch):
    file = AnswerFile(path, IDS)
    flushed = []
    monkeypatch.setattr(answer_files.os, "fsync", lambda handle: flushed.append(path.read_text()))
    file.append(1, 0, True)
    assert flushed == ["left,right,kind\nnews/b,news/a,must-link\n"]


@given(
    st.lists(
        st.tuples(
            st.lists(st.integers(0, 5), min_size=2, max_size=2, unique=True),
            st.sampled_from([True, False, None]),
        ),
        max_size=8,
    ),
    st.integers(0, 400),
)
def test_wherever_a_write_is_cut_off_the_answers_before_it_are_there(tmp_path_factory, said, cut):
    path = tmp_path_factory.mktemp("torn") / "answers.csv"
    file = AnswerFile(path, IDS)
    sizes = [path.stat().st_size]
    pairs = {frozenset(pair): (*pair, same) for pair, same in said}
    for answer in pairs.values():
        file.append(*answer)
        sizes.append(path.stat().st_size)
    cut = max(sizes[0], min(cut, sizes[-1]))
    path.write_bytes(path.read_bytes()[:cut])
    whole = sum(size <= cut for size in sizes) - 1
    resumed = AnswerFile(path, IDS)
    found = [(a.left, a.right, a.same) for a in resumed.answers]
    expected = list(pairs.values())
    assert found in (expected[:whole], expected[: whole + 1])
    resumed.append(4, 3, True)
    kept = [answer for answer in found if {3, 4} != {*answer[:2]} or answer[2] is True]
    assert saved(path) == [*kept, (4, 3, True)]


def test_a_line_that_was_cut_off_is_reported(path):
    path.write_text(WHOLE + "f,news/")
    assert AnswerFile(path, IDS).incomplete_line == "f,news/"
    assert path.read_text() == WHOLE


def test_a_line_that_lacks_its_end_alone_is_kept(path):
    path.write_text(WHOLE[:-1])
    assert AnswerFile(path, IDS).incomplete_line == ""
    assert path.read_text() == WHOLE


def test_columns_and_weights_of_a_file_that_was_there_stay(path):
    path.write_text("kind,weight,right,left,note\nmust-link,2.5,news/a,news/b,sure\n")
    file = AnswerFile(path, IDS)
    file.append(5, 0, False)
    assert path.read_text().splitlines()[1:] == [
        "must-link,2.5,news/a,news/b,sure",
        "cannot-link,,news/a,f,",
    ]
    file.undo()
    assert path.read_text().splitlines()[1:] == ["must-link,2.5,news/a,news/b,sure"]


def test_a_corrected_answer_takes_the_place_of_the_old_one_and_undo_brings_it_back(path):
    path.write_text(WHOLE)
    file = AnswerFile(path, IDS)
    file.append(0, 1, False)
    assert saved(path) == [(5, 0, False), (5, 1, None), (0, 1, False)]
    file.undo()
    assert path.read_text() == WHOLE


def test_the_same_answer_again_is_one_more_line(path):
    path.write_text(WHOLE)
    AnswerFile(path, IDS).append(1, 0, True)
    assert Constraints.from_csv(path, IDS).must_link == [(1, 0), (1, 0)]


def test_two_people_can_add_to_one_file(path):
    mine, theirs = AnswerFile(path, IDS), AnswerFile(path, IDS)
    mine.append(1, 0, True)
    theirs.append(5, 0, False)
    mine.append(1, 0, False)  # a correction
    assert saved(path) == [(5, 0, False), (1, 0, False)]
    theirs.append(5, 1, None)
    mine.undo()
    assert saved(path) == [(1, 0, True), (5, 0, False), (5, 1, None)]
    mine.undo()
    assert saved(path) == [(5, 0, False), (5, 1, None)]


@pytest.mark.parametrize("end", ["\n", ""])
def test_lines_added_in_an_editor_stay(path, end):
    path.write_text(WHOLE)
    file = AnswerFile(path, IDS)
    path.write_text(f"{WHOLE}ganz anders: ü,news/a,cannot-link{end}")
    file.append(4, 1, True)
    assert saved(path)[3:] == [(4, 0, False), (4, 1, True)]
    file.undo()
    file.undo()
    assert saved(path) == [(1, 0, True), (5, 0, False), (4, 0, False)]


def test_columns_that_are_changed_meanwhile_are_reported(path):
    path.write_text(WHOLE)
    file = AnswerFile(path, IDS)
    path.write_text("kind,left,right\n")
    with pytest.raises(InputError, match="its columns were changed during the session"):
        file.undo()


def test_files_that_cannot_be_used_are_reported(path, tmp_path):
    path.write_text("left,right,kind\nnews/a,nowhere,dont-know\n")
    with pytest.raises(InputError, match="line 2: no document has the id 'nowhere'"):
        AnswerFile(path, IDS)
    path.write_bytes(b"left,right,kind\nnews/\xff,news/b,must-link\n")
    with pytest.raises(InputError, match="not in UTF-8"):
        AnswerFile(path, IDS)
    with pytest.raises(InputError, match="cannot be read"):
        read_answers(tmp_path, IDS)
    file = AnswerFile(tmp_path / "new.csv", IDS)
    (tmp_path / "new.csv").unlink()
    with pytest.raises(OutputError, match="the answer cannot be written"):
        file.append(1, 0, True)


# Sessions


@pytest.mark.parametrize("blank", ["\n", "\r", "\r\n", "\n\n\r"])
def test_blank_lines_before_the_header_say_nothing(path, blank):
    path.write_text(blank, newline="")
    AnswerFile(path, IDS).append(0, 1, True)
    assert read_answers(path, IDS) == [Answer(0, 1, True)]
    header, line = path.read_text().splitlines()
    path.write_text(f"{blank}{header}\n{line}", newline="")  # an editor left the last end out
    AnswerFile(path, IDS).append(1, 2, False)
    assert read_answers(path, IDS) == [Answer(0, 1, True), Answer(1, 2, False)]


@pytest.mark.parametrize(
    "content", ['12" pipe', '12" pipe\nmore\n', '\n12" pipe\nmore', 'left,"right']
)
def test_a_file_of_something_else_is_refused_and_left_as_it_is(path, content):
    path.write_text(content)
    for read in (AnswerFile, read_answers):
        with pytest.raises(InputError, match="a quote in its first line is never closed"):
            read(path, IDS)
    assert path.read_text() == content


def test_a_session_goes_on_where_the_last_one_ended(path):
    first = Session(2, AnswerFile(path, IDS))
    for answer in [(1, 0, True), (2, 0, False), (3, 0, None), (4, 0, False), (1, 0, True)]:
        first.answer(*answer)
    again = Session(2, AnswerFile(path, IDS))
    assert again.dialogue.answers == first.dialogue.answers
    assert again.dialogue.skeleton() == first.dialogue.skeleton() == [[0, 1], [2, 4]]


def test_undo_reaches_back_into_earlier_sessions(path):
    path.write_text(WHOLE)
    session = Session(None, AnswerFile(path, IDS))
    assert session.undo() == Answer(5, 1, None)
    assert session.undo() == Answer(5, 0, False)
    assert path.read_text() == "left,right,kind\nnews/b,news/a,must-link\n"
    session.undo()
    assert session.undo() is None
    assert path.read_text() == "left,right,kind\n"


@given(
    st.lists(
        st.one_of(
            st.tuples(st.sampled_from([(1, 0), (2, 0), (2, 1)]), st.sampled_from([True, False])),
            st.none(),
        ),
        max_size=12,
    )
)
def test_the_file_is_always_what_the_dialogue_holds(tmp_path_factory, steps):
    path = tmp_path_factory.mktemp("steps") / "answers.csv"
    session = Session(None, AnswerFile(path, IDS))
    for step in steps:
        if step is None:
            session.undo()
        else:
            session.answer(*step[0], step[1])
        assert Dialogue(None, read_answers(path, IDS)).answers == session.dialogue.answers


def test_two_peoples_answers_are_merged_and_their_disagreements_asked_again(path):
    path.write_text(WHOLE)
    session = Session(None, AnswerFile(path, IDS))
    theirs = [Answer(0, 1, True), Answer(0, 5, True), Answer(5, 1, False), Answer(2, 0, None)]
    assert session.merge(theirs) == [Disagreement(0, 5, mine=False, theirs=True)]
    assert saved(path) == [(1, 0, True), (5, 0, False), (5, 1, False), (2, 0, None)]
    assert session.dialogue.suspect_answers == [Answer(5, 0, False)]
    session.answer(5, 0, True)
    assert session.dialogue.suspect_answers == []
    session.undo()
    assert session.dialogue.suspect_answers == [Answer(5, 0, False)]


def test_merging_twice_changes_nothing(path):
    session = Session(None, AnswerFile(path, IDS))
    theirs = [Answer(1, 0, True), Answer(2, 0, False), Answer(3, 0, None)]
    session.merge(theirs)
    before = path.read_text()
    session.merge(theirs)
    assert path.read_text() == before


def test_what_follows_from_both_and_contradicts_is_noticed():
    session = Session(None)
    session.answer(1, 0, True)
    assert session.merge([Answer(2, 1, True), Answer(2, 0, False)]) == []
    assert session.dialogue.disputed == [Answer(2, 0, False)]


# When to stop


def test_ten_documents_in_a_row_without_a_surprise_settle_it():
    dialogue = Dialogue(2)
    dialogue.record(1, 0, False)
    for row in range(2, 11):
        dialogue.record(row, 0, True)
    assert recent_surprises(dialogue) == RecentSurprises(10, 1)
    assert not recent_surprises(dialogue).is_settled
    dialogue.record(11, 0, True)
    assert recent_surprises(dialogue).is_settled
    assert recent_surprises(dialogue).chance == 1 / 12
