"""Words for the classes of the collections, written down by someone who saw their names alone.

`WORDS` are those that come to mind first; `OTHERS` are as many further ones, less to the point, for
some of the collections.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["OTHERS", "WORDS"]

WordsOfClasses = Mapping[str, str]  # words of each class, with spaces between them

WORDS: Mapping[str, WordsOfClasses] = {
    "newsgroups": {
        "rec.bicycles": "bike ride helmet wheel",
        "rec.photo": "camera lens photo film",
        "sci.astro": "planet orbit star telescope",
    },
    "3-news-different-1000": {
        "alt.atheism": "god atheism religion",
        "rec.sport.baseball": "baseball pitcher game team",
        "sci.space": "orbit nasa shuttle moon",
    },
    "3-news-related-1000": {
        "talk.politics.guns": "gun firearms weapons nra handgun",
        "talk.politics.mideast": "israel arab turkish armenian jews",
        "talk.politics.misc": "clinton tax president gay health",
    },
    "3-news-similar-1000": {
        "comp.graphics": "image graphics polygon jpeg",
        "comp.os.ms-windows.misc": "dos ini microsoft windows",
        "comp.windows.x": "motif server xterm widget",
    },
    "classic4": {
        "cacm": "algorithm program computer compiler",
        "cisi": "library retrieval information documents",
        "cran": "flow boundary wing mach",
        "med": "patients cells blood disease",
    },
    "20-newsgroups-100": {
        "alt.atheism": "atheism atheist god",
        "comp.graphics": "graphics image polygon",
        "comp.os.ms-windows.misc": "windows microsoft dos",
        "comp.sys.ibm.pc.hardware": "ide scsi motherboard bios",
        "comp.sys.mac.hardware": "mac apple quadra",
        "comp.windows.x": "motif xterm widget x11",
        "misc.forsale": "sale offer shipping",
        "rec.autos": "car cars engine",
        "rec.motorcycles": "bike motorcycle riding",
        "rec.sport.baseball": "baseball pitcher braves",
        "rec.sport.hockey": "hockey goalie nhl",
        "sci.crypt": "encryption clipper key",
        "sci.electronics": "circuit voltage amp",
        "sci.med": "doctor disease patients",
        "sci.space": "space orbit nasa",
        "soc.religion.christian": "christ church bible",
        "talk.politics.guns": "gun guns firearms",
        "talk.politics.mideast": "israel arab turkish",
        "talk.politics.misc": "president clinton government",
        "talk.religion.misc": "jesus religion mormon",
    },
}
OTHERS: Mapping[str, WordsOfClasses] = {
    "3-news-related-1000": {
        "talk.politics.guns": "fbi batf waco rifle",
        "talk.politics.mideast": "palestinian turkey muslim genocide",
        "talk.politics.misc": "drugs insurance abortion homosexual",
    },
    "3-news-similar-1000": {
        "comp.graphics": "gif tiff rendering",
        "comp.os.ms-windows.misc": "win excel driver",
        "comp.windows.x": "x11r5 sun client",
    },
    "classic4": {
        "cacm": "algol subroutine language",
        "cisi": "librarians citation journals",
        "cran": "supersonic pressure aerodynamic",
        "med": "treatment hormone cancer",
    },
}
