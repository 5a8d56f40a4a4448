"""The page "What can go wrong, and what happens then": each line has a test that shows it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from textclust.cli import output

from textclust import errors
from textclust.text.limits import STANDARD_LIMITS
from textclust.workbench import actions, application, content
from textclust.workbench.security import MAX_BODY

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "what-can-go-wrong.md").read_text(encoding="utf-8")
# By the beginning of each line of the tables: a file of tests, and those of them that show it.
SHOWN = {
    "Ctrl-C, SIGTERM, or": (
        "writing/test_stage.py",
        "test_an_interruption_at_any_step_leaves_all_old_or_all_new",
        "test_signals_wait_until_all_results_are_in_their_places",
    ),
    "Ctrl-C as the program starts": (
        "cli/test_interruption.py",
        "test_ctrl_c_amid_the_imports_is_one_line",
    ),
    "Ctrl-C during the search": (
        "cli/test_interruption.py",
        "test_the_first_ctrl_c_during_the_search_keeps_the_best_so_far",
        "test_a_second_ctrl_c_during_the_search_leaves_no_trace",
    ),
    "A kill, at any step": (
        "writing/test_stage.py",
        "test_a_process_killed_at_any_step_is_undone_by_the_next_run",
    ),
    "A power cut": (
        "writing/test_power_cut.py",
        "test_results_move_only_once_they_and_the_way_back_are_on_the_disk",
        "test_one_file_is_whole_before_it_has_its_name_and_its_name_is_kept",
    ),
    "A full disk": (
        "writing/test_stage.py",
        "test_a_full_disk_at_any_step_is_reported_or_does_no_harm",
    ),
    "Something of yours is in the place": (
        "cli/test_overwriting.py",
        "test_a_file_of_the_users_is_not_replaced",
        "test_no_other_input_is_written_over",
    ),
    "Something of yours comes": (
        "cli/test_overwriting.py",
        "test_what_appears_during_the_run_is_not_replaced",
    ),
    "An earlier result was edited": (
        "cli/test_overwriting.py",
        "test_a_table_that_was_edited_is_the_users",
    ),
    "The working directory is deleted": (
        "cli/test_interruption.py",
        "test_a_deleted_working_directory_is_called_what_it_is",
    ),
    "Ctrl-C, a kill or a power cut": (
        "writing/test_power_cut.py",
        "test_an_answer_is_on_the_disk_when_the_next_question_comes",
    ),
    "A line was written by half": (
        "cli/test_ask.py",
        "test_a_torn_line_in_a_file_of_such_lines_is_cut_off",
    ),
    "The file ends its lines with CR": (
        "cli/test_ask.py",
        "test_lines_may_end_as_any_program_ends_them",
    ),
    "A second `ask`": (
        "cli/test_two_at_once.py",
        "test_a_second_one_is_refused_with_the_process_of_the_first",
        "test_a_kill_lets_go_of_the_file_and_keeps_the_answers",
    ),
    "You take an answer back": (
        "active/test_answer_files.py",
        "test_two_people_can_add_to_one_file",
    ),
    "The journal of a workbench is damaged": (
        "workbench/test_journal.py",
        "test_anything_else_is_an_error_with_its_line_and_stays",
    ),
    "The workbench is killed": (
        "workbench/test_kills.py",
        "test_what_was_acknowledged_survives_every_kill",
    ),
    "Escape sequences": (
        "cli/test_hostile_text.py",
        "test_no_command_sends_a_terminal_what_it_would_obey",
        "test_json_and_piped_tables_have_the_ids_as_they_are",
    ),
    "A line end in an id": (
        "cli/test_hostile_text.py",
        "test_no_command_sends_a_terminal_what_it_would_obey",
    ),
    "HTML or a script": ("report/test_hostile.py", "test_hostile_text_stays_text"),
    "An id or a name that a spreadsheet": (
        "writing/test_formulas.py",
        "test_labels_words_and_links_are_read_back_to_the_same_ids",
    ),
    "A message quotes": (
        "cli/test_bad_inputs.py",
        "test_a_message_is_short_whatever_it_quotes",
    ),
    "Thousands of lines": ("cli/test_check.py", "test_a_long_list_is_shown_in_short_and_counted"),
    "A model was damaged": (
        "cli/test_bad_inputs.py",
        "test_a_model_with_a_byte_flipped",
        "test_a_model_whose_checksums_were_forged",
    ),
    "A mail, a table or an archive": (
        "text/test_mime.py",
        "test_a_charset_that_is_no_name_leaves_the_body_readable",
    ),
    "a document: a file": (
        "text/test_limits.py",
        "test_a_text_in_a_table_that_is_too_large_is_left_out_and_reported",
    ),
    "an id or a label": ("text/test_limits.py", "test_an_id_that_is_too_long_is_refused"),
    "what an archive unpacks to": (
        "text/test_archives.py",
        "test_a_compression_bomb_is_stopped_early",
    ),
    "what the arrays of a model": (
        "result/test_damage.py",
        "test_zeros_that_no_model_needs_are_not_unpacked",
        "test_a_table_that_was_written_sparse_is_not_a_thousand_times_its_file",
    ),
    "lists and objects": ("result/test_damage.py", "test_the_field_that_is_wrong_is_named"),
    "a request to the workbench": (
        "workbench/test_security.py",
        "test_a_larger_body_can_be_allowed",
    ),
    "rows of a list": ("workbench/test_application.py", "test_malformed_parameters_are_refused"),
    "a name given": ("workbench/test_actions.py", "test_what_is_wrong_is_said"),
    "a text shown": ("workbench/test_content.py", "test_long_texts_are_cut_and_dates_are_days"),
    "a message": (
        "cli/test_bad_inputs.py",
        "test_the_beginning_and_the_end_of_a_long_message_stay",
    ),
    "a cell of a table": ("cli/test_output.py", "test_a_cell_is_cut"),
}


def lines():
    """The first cells of all lines of the tables, without the heads."""
    found = re.findall(r"^\| (.+?) \|", PAGE, re.MULTILINE)
    return [cell for cell in found if cell not in ("what happens", "what")]


@pytest.mark.parametrize("line", lines())
def test_each_line_has_a_test(line):
    keys = [key for key in SHOWN if line.startswith(key)]
    assert len({max(keys, key=len)}) == 1
    file, *names = SHOWN[max(keys, key=len)]
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    tests = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert names
    assert {*names} <= tests


def test_each_test_is_of_a_line():
    for key in SHOWN:
        assert any(line.startswith(key) for line in lines()), key


def bound(line):
    return next(row for row in PAGE.splitlines() if row.startswith(f"| {line}")).split(" | ")[1]


def test_the_bounds_are_those_of_the_program():
    limits = STANDARD_LIMITS
    assert bound("a document") == f"{limits.document_bytes >> 20} MiB"
    assert bound("an id or a label") == f"{limits.name_length:,} characters"
    harmless = limits.harmless_bytes >> 20
    assert (
        bound("what an archive")
        == f"{limits.expansion} times its size, once that is over {harmless} MiB"
    )
    assert bound("a request") == f"{MAX_BODY >> 20} MiB"
    assert bound("rows of a list") == f"{application.MAX_LIST:,} at a time"
    assert bound("a name given") == f"{actions.LONGEST_NAME} characters"
    assert bound("a text shown") == f"{content.LONGEST:,} characters"
    assert bound("a message") == f"{errors.LONGEST:,} characters, {errors.LONGEST_WORD} for a word"
    assert bound("a cell") == f"{output.LONGEST_CELL:,} characters"
