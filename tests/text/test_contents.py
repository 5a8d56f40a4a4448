"""Files as most are take a short way: the same documents, to the last character and digest."""

from __future__ import annotations

import io
import random
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.core import needs_core
from textclust import native
from textclust.errors import InputError
from textclust.text import tars
from textclust.text.cleaning import AUTO, Cleaning
from textclust.text.contents import file_reader, plain_cleaner
from textclust.text.documents import Documents
from textclust.text.limits import Limits
from textclust.text.reading import open_documents

pytestmark = needs_core

HEADERS = [
    *("Subject: lenses", "SUBJECT:Re: re:  AW: two\tblanks ", "subject: Re[2]: Re^3 : FWD:fw: x"),
    *("Subject:", "Subject: Re:", "Subject: Ref: a", "Subject: antw[1234]: b", "Subject : odd"),
    *("Subject: =?utf-8?q?x?=", "Subject: " + "long " * 210, "Keywords: a, b", "Summary: c"),
    *("Date: 29 Mar 93 06:57:19 -0500", "date:\tMon,  1 Apr 93", "Date:", "Date: " + "x " * 600),
    *("From: a@b", "From a@b Thu Jan  1", "Newsgroups: rec.autos,", "Path: a!b", "Lines: 3"),
    *("Subject: R&amp;D", "Subject: <b>x</b>", "Subject: Poincar\\'e", "Summary: a;b \\n <c d>"),
    *("Content-Type: text/plain", "Content-transfer-encoding: base64", "X" * 76 + ": y"),
    *("X" * 77 + ": too long a name", "1: digit", "Odd name: x", "no header at all", "a:b", "Re:"),
]
FOLDED = [" more", "\t folded", " ", "\t", " Re: x", "  "]
SAID = [
    *("In article <1@x> john@x (John) writes:", "In article <1@x>,", "On 21 Apr 93, John"),
    *("On Jan", "On x", "john@x writes:", "John wrote: ", "he says...", "she said ...\t", "wr:"),
    *("says    :    ", "says     :", "says:     ", "rewrites:", "writes....", "writes", "WRITES:"),
    *("In message", "In a previous post", "In <1@x>", "In time", "a " * 98 + "writes:"),
    *("a " * 99 + "writes:", "x" * 200 + "said:", "x" * 199 + "said:", "sayswrites:", "write  :"),
]
QUOTED = [
    *("> q", ">", "  >", "    > q", "     > q", "| q", ": q", ":", ":>", "::", ":a", "JS> q"),
    *("J> q", "ABCD> q", "ABCDE> q", "A1> q", "\t>", "    ", "     ", " ", "\t"),
]
OWN = [
    *("words of my own", " indented", "trailing ", "Note: this", "Note that", "Hello:", "a: b: c"),
    *("--", "-- ", "--  ", "---", "-- John", " --", "--\t", "-", "x --", "john@example.org"),
    *("<a@b.c> <d@e> <1@f>", "<b >", "</i", "<u/>", "path :", "a path", "Newsgroups :"),
]
ODD = [
    *("Newsgroups: a", "> xref: b", "the PATH: c", "\x07bell", "\x0c", "\x7f", "\x1f", "\r"),
    *("<html>", "<p>a</p><br>", "<?xml?><body>", "<h1>a<h2>b<hr>"),
    *(
        "a &lt;b&gt;",
        "AT&amp;T",
        "&#39;",
        " #39;s",
        "quot;",
        "x;",
        "&x y;",
        "#;",
        "&" + "x" * 40 + ";",
    ),
    *("a<br>b", "<i>x</i>", "<i", "<a href=b>", "</b>", "<b>", "<p", "<BR/>", "<sub >"),
    *("Poincar\\'e", "{\\ss}", "Stra\\ss e", "C:\\old", "\\", "\\v{s}", "don\\'t", "{\\'\\i}"),
    *("naïve", "\N{EN DASH}", "\x00", "caf\xe9", "\ufeff", "\N{NO-BREAK SPACE}"),
]
line = st.sampled_from([*HEADERS, *FOLDED, *SAID, *QUOTED, *OWN, *ODD, "", ""])
ends = st.sampled_from(["\n"] * 12 + ["", "\n\n", "\r\n", " \n"])
heap = st.lists(st.tuples(line, ends).map("".join), max_size=12).map("".join)
heads = st.lists(st.sampled_from(HEADERS + FOLDED), max_size=4).map(
    lambda more: "\n".join(["Subject: s", *more, "Date: d", ""])
)
messages = st.builds(
    lambda front, head, body, back: front + head + "\n" + "\n".join(body) + back,
    st.sampled_from(["", "", "\n", " \n\t", "From a@b\n", "\nFrom \n"]),
    heads,
    st.lists(st.sampled_from([*SAID, *QUOTED, *OWN, "", ""]), max_size=30)
    | st.lists(st.sampled_from([*SAID, *QUOTED, *OWN, *ODD, "", ""]), max_size=8),
    st.sampled_from(["", "\n", " ", "\n\n-- \nJohn\n", "\n--"]),
)
encodings = st.sampled_from(["utf-8", "utf-8", "utf-8", "cp1252", "utf-16"])
encoded = st.builds(lambda text, how: text.encode(how, "replace"), heap | messages, encodings)


def cleaned(data: bytes) -> tuple[str, str | None] | None:
    """What the core makes of a file; None where it leaves it to the path in Python."""
    return plain_cleaner()(data)


@settings(max_examples=600)
@given(encoded | st.binary(max_size=40) | st.text(max_size=200).map(str.encode))
@example(b"")
@example(b"Subject: a\nDate: b\n" + b"X: y\n" * 498 + b"\nbody")
@example(b"Subject: a\nDate: b\n" + b"X: y\n" * 499 + b"\nbody")
@example(b"Subject: a\nDate: b\n\n" + b"\n".join([b"x writes:\n> y"] * 100))
@example(b"Subject: a\nDate: b\n\nx writes:\n: \n-- \nJohn")
def test_both_ways_of_reading_give_the_same(data: bytes) -> None:
    quickly = file_reader(AUTO)(data)
    with native.without():
        expected = file_reader(AUTO)(data)

    assert (quickly and tuple(quickly)) == expected


@settings(max_examples=200)
@given(messages)
def test_both_ways_agree_on_plain_messages(text: str) -> None:
    data = text.encode()
    with native.without():
        expected = file_reader(AUTO)(data)

    assert cleaned(data) in (None, expected)
    assert file_reader(AUTO)(data) == expected


@settings(max_examples=300)
@given(messages, st.integers(0, 400), st.integers(0, 20), st.binary(max_size=4))
def test_mutilated_messages_are_read_the_same(
    text: str, place: int, length: int, instead: bytes
) -> None:
    """Bytes are changed, left out or put in anywhere, and all that follows may be missing."""
    data = text.encode()
    for mutilated in (data[:place] + instead + data[place + length :], data[:place] + instead):
        with native.without():
            expected = file_reader(AUTO)(mutilated)

        assert cleaned(mutilated) in (None, expected)


def assert_same_text(*texts: str) -> None:
    for text in texts:
        found = file_reader(AUTO)(text.encode())
        with native.without():
            assert file_reader(AUTO)(text.encode()) == found, text


FRAME = "Subject: a\nDate: b\n\n"
REPLIES = ["Re", "RE", "aw", "Fw", "fwd", "WG", "sv", "Antw", "Ref", "R", "fwdd"]
COUNTS = ["", "[1]", "[999]", "[1000]", "[]", "[1", "^2", "^999", "^1000", "^", "(2)", "[x]"]


def test_every_reply_mark() -> None:
    for count in COUNTS:
        for gap in ("", " ", "\t ", "\n "):
            marks = [f"{word}{count}{gap}:{gap}" for word in REPLIES]
            assert_same_text(*(f"Subject: {mark}{mark}x\nDate: b\n\nbody" for mark in marks))


def test_every_way_to_introduce_a_quotation() -> None:
    for said in SAID:
        for quoted in QUOTED:
            assert_same_text(
                *(f"{FRAME}x\n{said}\n{gap}{quoted}\nx" for gap in ("", "\n", "\n \n")),
                *(f"{FRAME}{said}" + "\n" * count + quoted for count in (4, 5, 6)),
            )
        for before in SAID:
            assert_same_text(*(f"{FRAME}{first}{before}\n{said}\n>" for first in ("", "x\n")))


def test_every_line_first_and_last_and_amid_others() -> None:
    for one in [*HEADERS, *FOLDED, *SAID, *QUOTED, *OWN, *ODD]:
        texts = [one, f"{one}\n", f"\n {one}\nx", f"x\n{one}", f"x\n{one}\nx", f"{one}\n{one}\nx"]
        assert_same_text(*texts, *(FRAME + text for text in texts))
        assert_same_text(f"Subject: a\n{one}\nDate: b\n\nx", f"{one}\nSubject: a\nDate: b\n\nx")


def test_every_way_to_begin_a_body_with_headers() -> None:
    beginnings = [*HEADERS, *ODD, "Archive-name: x", "XREF:", "From a@b\nnewsgroups: x", "Hi: x"]
    for one in beginnings:
        seconds = [*HEADERS, *FOLDED, "Archive-name: x", " folded\nDate: x", " folded\nHi"]
        for two in seconds:
            texts = (f"{one}\n{two}\n\nwords", f"{one}\n{two}", f"\n{one}\n{two}\nwords")
            assert_same_text(*(FRAME + text for text in texts))


LENGTHS = range(14, 20)


@pytest.mark.parametrize("mark", ["--", "-- "])
@pytest.mark.parametrize("end", ["", "\n", " \n\t"])
@pytest.mark.parametrize("before", ["", "words\n", "words \n\n", "\n"])
def test_signatures_of_any_length(before: str, mark: str, end: str) -> None:
    for length in LENGTHS:
        text = f"Subject: a\nDate: b\n\n{before}{mark}\n" + "\n".join(["line"] * length) + end
        with native.without():
            expected = file_reader(AUTO)(text.encode())

        assert cleaned(text.encode()) == expected


def test_what_is_plain_is_read_natively(sample: Path) -> None:
    """Else all of the above would hold, and nothing be gained."""
    posts = [path.read_bytes() for path in sorted(sample.rglob("*")) if path.is_file()]
    read = [cleaned(post) for post in posts if post.isascii()]

    assert sum(one is not None for one in read) > 0.95 * len(read)
    assert cleaned(FRAME.encode() + b"Well: a lone word\n") is not None
    assert cleaned(b"No message, only words.\n") == ("No message, only words.\n", None)
    assert cleaned("No m\xe9ssage".encode()) is None


@pytest.mark.parametrize("switch", ["headers", "signatures", "quotes", "html", "entities", "latex"])
def test_other_cleanings_are_honoured(switch: str) -> None:
    cleaning = Cleaning(**{switch: False})
    data = b"From: a\nSubject: s\nDate: d\n\nx writes:\n> y\n-- \nJohn"

    found = file_reader(cleaning)(data)
    with native.without():
        assert file_reader(cleaning)(data) == found
    assert (found == file_reader(AUTO)(data)) == (switch in ("html", "entities", "latex"))


SIZE = 300_000
HOSTILE = [
    *("\n", " ", ":", "a:", "a: b\n", "> ", "writes:\n", "writes:\n>", "writes:\n\n\n\n", "-- \n"),
    *(";", "&a;", "x;", "#39;", "\\", "\\'e", "{\\o", "</b>", "<br", "<b ", "quot;"),
    *("--\n", "--", "<", "<a ", "Re: ", "path", "\t\n", "In <\n", "On 1\nwrites:\n", " writes:\n"),
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_costs_no_more_than_its_length(unit: str) -> None:
    """A moment each; were any step quadratic, this would take minutes."""
    many = unit * (SIZE // len(unit))
    for text in (many, f"Subject: {many}\nDate: b\n\nx", f"Subject: a\nDate: b\n\nx\n{many}"):
        assert_same_text(text)


def outcome(path: Path, limits: Limits) -> object:
    """All there is to know of a reading, or what is said against it."""
    try:
        reading = open_documents(path, limits=limits)
        documents = Documents.from_reading(reading)
    except InputError as error:
        return str(error)
    read = reading.catalogue()
    return documents, read.rows, read.titles, read.excerpts, read.sha256()


def assert_same_both_ways(path: Path, limits: Limits | None = None) -> None:
    """With and without the core, and with every header of a tar read by the standard library."""
    limits = limits or Limits()
    found = outcome(path, limits)
    with native.without(), pytest.MonkeyPatch.context() as patch:
        assert outcome(path, limits) == found
        patch.setattr(tars, "_ordinary", lambda *_: None)
        assert outcome(path, limits) == found


@pytest.mark.parametrize("name", ["20newsgroups.tar.gz", "classic4.tar.gz"])
def test_whole_collections_are_the_same_both_ways(data: Path, name: str) -> None:
    if not (data / name).exists():
        pytest.skip(f"{name} is not among the real corpora here")
    assert_same_both_ways(data / name)


GNU = tarfile.GNU_FORMAT
FORMATS = [tarfile.USTAR_FORMAT, GNU, tarfile.PAX_FORMAT]
NAMES = [
    *("a/1", "a/2", "b/c/d.txt", "./a/3", "/rooted", "a/../b", "a//b", "a/.hidden", "Thumbs.db"),
    *("desktopic", "a/thumbs", "x" * 100, "x" * 101, "caf\xe9", "a b", "a/", "-a", "_a", "a-_.b"),
]


def add(archive: tarfile.TarFile, name: str, size: int, kind: bytes = tarfile.REGTYPE) -> None:
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size if kind == tarfile.REGTYPE else 0
    archive.addfile(info, io.BytesIO(b"w" * info.size))


def written(path: Path, write: Callable[[tarfile.TarFile], None], form: int) -> bytearray:
    with tarfile.open(path, "w", format=form) as archive:
        write(archive)
    return bytearray(path.read_bytes())


def changed(content: bytearray, begin: int, place: int, byte: int, honest: bool) -> bytes:
    """An archive with one byte of a header changed, and its sum made right again or not."""
    header = content[begin : begin + 512]
    header[place] = byte
    if honest:
        header[148:156] = b" " * 8
        header[148:156] = b"%06o\0 " % sum(header)
    return bytes(content[:begin] + header + content[begin + 512 :])


members = st.lists(
    st.tuples(
        st.sampled_from(NAMES),
        st.sampled_from([0, 1, 511, 512, 513, 600, 601, 3000, 70_000]),
        st.sampled_from([tarfile.REGTYPE] * 5 + [tarfile.DIRTYPE, tarfile.SYMTYPE]),
    ),
    max_size=8,
)
nicks = st.none() | st.tuples(st.integers(0, 511), st.integers(0, 255), st.booleans())


@settings(max_examples=150)
@given(members, st.sampled_from(FORMATS), nicks, st.integers(0, 4000), st.booleans())
def test_archives_are_the_same_both_ways(
    tmp_path_factory: pytest.TempPathFactory,
    files: list[tuple[str, int, bytes]],
    form: int,
    nick: tuple[int, int, bool] | None,
    cut: int,
    small: bool,
) -> None:
    """Of any kind, with a byte of the second header changed, or the end missing."""
    path = tmp_path_factory.mktemp("archive") / "corpus.tar"
    plain = ("top/plain", 100, tarfile.REGTYPE)

    def write(archive: tarfile.TarFile) -> None:
        for name, size, kind in [plain, plain, *files]:
            add(archive, name, size, kind)

    content = written(path, write, form if all(len(f[0]) <= 100 for f in files) else GNU)
    if nick is not None:
        content[:] = changed(content, 1024, *nick)
    path.write_bytes(content[: len(content) - (cut if cut > 3000 else 0)])

    assert_same_both_ways(path, Limits(document_bytes=600) if small else None)


PLACES = [
    0,
    8,
    9,
    99,
    *range(100, 160, 3),
    *range(107, 156, 8),
    155,
    156,
    157,
    300,
    329,
    336,
    337,
    344,
]


@pytest.mark.parametrize("place", [*PLACES, 345, 346, 500])
def test_a_header_with_any_field_changed_is_the_same_both_ways(tmp_path: Path, place: int) -> None:
    path = tmp_path / "corpus.tar"

    def write(archive: tarfile.TarFile) -> None:
        add(archive, "top/plain", 100)
        add(archive, "top/other", 100)

    content = written(path, write, GNU)
    for byte in b"\0 0159/a\xe9":
        for honest in (True, False):
            path.write_bytes(changed(content, 1024, place, byte, honest))
            assert_same_both_ways(path)


def test_members_across_the_pieces_of_an_archive(tmp_path: Path) -> None:
    rng = random.Random(0)
    path = tmp_path / "corpus.tar.gz"
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for i in range(300):
            add(archive, f"group/{i}", rng.randrange(30_000))

    assert_same_both_ways(path)
