"""Results on disk: whole or not at all, and never in the place of anything textclust did not write.

files       one file, written beside its place and renamed into it
stage       several entries of a folder, which take their places together
moves       how they do: a journal on disk, so that a run that was killed can be undone
kept        where it goes that is replaced and kept
leftovers   what killed runs left behind is restored or removed by the next one
guard       what may be replaced: our own results, and no input of the run
marks       how our own results are recognised
locks       a file that one process works on at a time
records     what they say of the tables written with them
tables      the tables that are written, as CSV
formulas    cells of them that a spreadsheet would run
standing    what a command that was interrupted has written
"""

from textclust.writing.files import reserved_file, whole_file, write_whole
from textclust.writing.formulas import known_as, quoted, unquoted
from textclust.writing.guard import any_file, claim, is_same, refuse_input
from textclust.writing.kept import HISTORY, NAME_FORM, kept_runs, when_kept, when_written
from textclust.writing.leftovers import PREFIX, final_place, recover
from textclust.writing.locks import LOCK_PREFIX, WorkLock, working_on
from textclust.writing.marks import LABELS_FORMAT, MODEL_FORMAT, PICTURE_METADATA, is_ours
from textclust.writing.places import writing_to
from textclust.writing.records import OVER_TIME, record_of, summary_beside
from textclust.writing.stage import staged_folder
from textclust.writing.standing import about_to_write, recording
from textclust.writing.tables import COURSE, DISAGREEMENTS, FITS, LABELS, csv_text, level_columns

__all__ = [
    "COURSE",
    "DISAGREEMENTS",
    "FITS",
    "HISTORY",
    "LABELS",
    "LABELS_FORMAT",
    "LOCK_PREFIX",
    "MODEL_FORMAT",
    "NAME_FORM",
    "OVER_TIME",
    "PICTURE_METADATA",
    "PREFIX",
    "WorkLock",
    "about_to_write",
    "any_file",
    "claim",
    "csv_text",
    "final_place",
    "is_ours",
    "is_same",
    "kept_runs",
    "known_as",
    "level_columns",
    "quoted",
    "record_of",
    "recording",
    "recover",
    "refuse_input",
    "reserved_file",
    "staged_folder",
    "summary_beside",
    "unquoted",
    "when_kept",
    "when_written",
    "whole_file",
    "working_on",
    "write_whole",
    "writing_to",
]
