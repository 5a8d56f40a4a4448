"""Results on disk: whole or not at all, and never in the place of anything textclust did not write.

files       one file, written beside its place and renamed into it
stage       several entries of a folder, which take their places together
moves       how they do: a journal on disk, so that a run that was killed can be undone
leftovers   what killed runs left behind is restored or removed by the next one
guard       what may be replaced: our own results, and no input of the run
marks       how our own results are recognised
records     what they say of the tables written with them
standing    what a command that was interrupted has written
"""

from textclust.writing.files import reserved_file, whole_file, write_whole
from textclust.writing.guard import any_file, claim, is_same, refuse_input
from textclust.writing.leftovers import PREFIX, recover
from textclust.writing.marks import LABELS_FORMAT, MODEL_FORMAT, PICTURE_METADATA, is_ours
from textclust.writing.places import writing_to
from textclust.writing.records import record_of, summary_beside
from textclust.writing.stage import staged_folder
from textclust.writing.standing import about_to_write, recording
from textclust.writing.tables import FITS, LABELS, csv_text, level_columns

__all__ = [
    "FITS",
    "LABELS",
    "LABELS_FORMAT",
    "MODEL_FORMAT",
    "PICTURE_METADATA",
    "PREFIX",
    "about_to_write",
    "any_file",
    "claim",
    "csv_text",
    "is_ours",
    "is_same",
    "level_columns",
    "record_of",
    "recording",
    "recover",
    "refuse_input",
    "reserved_file",
    "staged_folder",
    "summary_beside",
    "whole_file",
    "write_whole",
    "writing_to",
]
