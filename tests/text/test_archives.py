"""An archive gives the documents of the folder in it, and trusts nothing inside."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import shutil
import stat
import tarfile
import tempfile
import tracemalloc
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from textclust.errors import InputError
from textclust.text.documents import Documents, Skipped, read_documents
from textclust.text.limits import STANDARD_LIMITS, Limits

TAR_KINDS: dict[str, Callable[[bytes], bytes]] = {
    ".tar": bytes,
    ".tar.gz": gzip.compress,
    ".tgz": gzip.compress,
    ".tar.bz2": bz2.compress,
    ".tar.xz": lzma.compress,
}
KINDS = [".zip", *TAR_KINDS]
FILES = {"corpus/a/1": b"one", "corpus/b/2": b"two words", "corpus/top": b"top"}


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def tarred(members: dict[str, bytes] | list[tarfile.TarInfo]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        if isinstance(members, dict):
            for name, data in members.items():
                info = tarfile.TarInfo(name)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
        else:
            for info in members:
                archive.addfile(info, io.BytesIO(bytes(info.size)))
    return buffer.getvalue()


def packed(kind: str, files: dict[str, bytes]) -> bytes:
    return zipped(files) if kind == ".zip" else TAR_KINDS[kind](tarred(files))


def reading(folder: Path, kind: str, data: bytes, limits: Limits = STANDARD_LIMITS) -> Documents:
    archive = folder / f"archive{kind}"
    archive.write_bytes(data)
    return read_documents(archive, limits=limits)


@pytest.mark.parametrize("kind", KINDS)
def test_the_one_folder_all_lies_in_is_stripped(tmp_path: Path, kind: str) -> None:
    documents = reading(tmp_path, kind, packed(kind, FILES))

    assert documents.ids == ["a/1", "b/2", "top"]
    assert documents.labels == ["a", "b", None]
    assert documents.texts == ["one", "two words", "top"]
    assert documents.skipped == []


@pytest.mark.parametrize("kind", [".zip", ".tar.gz"])
def test_several_folders_at_the_top_are_labels(tmp_path: Path, kind: str) -> None:
    documents = reading(tmp_path, kind, packed(kind, {"b/2": b"y", "a/1": b"x"}))

    assert documents.ids == ["a/1", "b/2"]
    assert documents.labels == ["a", "b"]


def test_an_archive_made_inside_its_folder_keeps_its_labels(tmp_path: Path) -> None:
    documents = reading(tmp_path, ".tar", tarred({"./only/1": b"x", "./only/2": b"y"}))

    assert documents.labels == ["only", "only"]


@pytest.mark.parametrize("kind", [".zip", ".tar.gz"])
def test_litter_beside_the_folder_does_not_keep_it_from_being_stripped(
    tmp_path: Path, kind: str
) -> None:
    files = {"corpus/a/1": b"x", "__MACOSX/corpus/a/._1": b"y", ".DS_Store": b"z"}

    documents = reading(tmp_path, kind, packed(kind, files))

    assert documents.ids == ["a/1"]
    assert documents.skipped == [Skipped(".DS_Store", "hidden"), Skipped("__MACOSX", "hidden")]


def test_capital_letters_in_the_ending_do_not_matter(tmp_path: Path) -> None:
    assert len(reading(tmp_path, ".ZIP", zipped(FILES))) == 3


def test_the_compression_is_recognised_by_the_bytes_not_the_name(tmp_path: Path) -> None:
    assert len(reading(tmp_path, ".tar.gz", tarred(FILES))) == 3
    assert len(reading(tmp_path, ".tar", lzma.compress(tarred(FILES)))) == 3


names = st.text(st.sampled_from("abéßz中 .-_~1" + "e\u0301"), min_size=1, max_size=6).filter(
    lambda name: name not in (".", "..")
)
contents = st.one_of(st.binary(max_size=60), st.text(max_size=60).map(lambda t: t.encode("utf-8")))
trees = st.dictionaries(st.lists(names, min_size=1, max_size=3).map(tuple), contents, max_size=8)


def plantable(tree: dict[tuple[str, ...], bytes]) -> Iterator[tuple[str, bytes]]:
    """The files of a tree that can stand side by side on any file system."""
    taken: set[str] = set()
    for parts, data in sorted(tree.items()):
        folded = [unicodedata.normalize("NFC", part).casefold() for part in parts]
        path = "/".join(folded)
        parents = {"/".join(folded[:i]) for i in range(1, len(folded))}
        below = any(other.startswith(path + "/") for other in taken)
        if path not in taken and not parents & taken and not below:
            taken.add(path)
            yield "/".join(unicodedata.normalize("NFC", part) for part in parts), data


def result(path: Path) -> Documents | str:
    """The documents, or what is said against them."""
    try:
        return read_documents(path)
    except InputError as error:
        return str(error).partition(": ")[2]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(trees)
def test_folder_zip_and_tar_of_one_tree_give_equal_documents(
    tree: dict[tuple[str, ...], bytes],
) -> None:
    with tempfile.TemporaryDirectory() as home:
        corpus = Path(home) / "corpus"
        corpus.mkdir()
        for name, data in plantable(tree):
            (corpus / name).parent.mkdir(parents=True, exist_ok=True)
            (corpus / name).write_bytes(data)
        expected = result(corpus)
        for kind in ("zip", "gztar"):
            archive = shutil.make_archive(f"{home}/packed", kind, root_dir=home, base_dir="corpus")
            assert result(Path(archive)) == expected


def test_a_forgotten_utf_8_flag_is_no_matter(tmp_path: Path) -> None:
    data = zipped({"corpus/e.txt": b"x", "corpus/ae": b"x"})

    documents = reading(tmp_path, ".zip", data.replace(b"ae", "é".encode()))

    assert documents.ids == ["e.txt", "é"]


def test_a_zip_made_with_backslashes_has_folders(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("corpus_a_1")
    info.create_system = 0
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(info, b"x")

    documents = reading(tmp_path, ".zip", buffer.getvalue().replace(b"corpus_a_1", b"corpus\\a\\1"))

    assert documents.ids == ["a/1"]


@pytest.mark.parametrize("kind", [".zip", ".tar.gz"])
@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../up", "a/../../up", "C:\\x", "c:/x", "\\\\host\\x", "..\\up"]
)
def test_members_that_point_outside_are_reported_and_left_out(
    tmp_path: Path, kind: str, name: str
) -> None:
    documents = reading(tmp_path, kind, packed(kind, {"corpus/a/1": b"x", name: b"evil"}))

    assert documents.ids == ["a/1"]
    assert documents.texts == ["x"]
    assert documents.skipped == [Skipped(name, "points outside the archive")]


def test_links_and_devices_in_a_tar_are_reported_and_left_out(tmp_path: Path) -> None:
    members = []
    for name, kind in [
        ("symlink", tarfile.SYMTYPE),
        ("hardlink", tarfile.LNKTYPE),
        ("fifo", tarfile.FIFOTYPE),
        ("device", tarfile.CHRTYPE),
    ]:
        info = tarfile.TarInfo(f"corpus/{name}")
        info.type, info.linkname = kind, "/etc/passwd"
        members.append(info)
    members.append(tarfile.TarInfo("corpus/real"))

    documents = reading(tmp_path, ".tar", tarred(members))

    assert documents.ids == ["real"]
    assert documents.skipped == [
        Skipped("device", "not a regular file"),
        Skipped("fifo", "not a regular file"),
        Skipped("hardlink", "link inside an archive"),
        Skipped("symlink", "link inside an archive"),
    ]


def test_links_in_a_zip_are_reported_and_left_out(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("corpus/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    buffer = io.BytesIO(zipped({"corpus/real": b"x"}))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr(link, "/etc/passwd")

    documents = reading(tmp_path, ".zip", buffer.getvalue())

    assert documents.ids == ["real"]
    assert documents.skipped == [Skipped("link", "link inside an archive")]


def test_encrypted_members_are_reported_and_left_out(tmp_path: Path) -> None:
    data = bytearray(zipped({"corpus/open": b"x", "corpus/secret": b"x"}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        second = data.find(signature, data.find(signature) + 1)
        data[second + offset] |= 1

    documents = reading(tmp_path, ".zip", bytes(data))

    assert documents.ids == ["open"]
    assert documents.skipped == [Skipped("secret", "encrypted")]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_compression_in_a_zip_is_reported(tmp_path: Path, method: int) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("corpus/odd", b"x" * 100, method)
        archive.writestr("corpus/plain", b"x")

    documents = reading(tmp_path, ".zip", buffer.getvalue())

    assert documents.skipped == [Skipped("odd", "unusual compression")]


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("kind", [".zip", ".tar"])
def test_of_members_with_one_name_the_last_counts(tmp_path: Path, kind: str) -> None:
    members = [("a", b"first"), ("a", b"last"), ("b", b"b")]
    buffer = io.BytesIO()
    if kind == ".zip":
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, text in members:
                archive.writestr(f"corpus/{name}", text)
    else:
        with tarfile.open(fileobj=buffer, mode="w") as tar:
            for name, text in members:
                info = tarfile.TarInfo(f"corpus/{name}")
                info.size = len(text)
                tar.addfile(info, io.BytesIO(text))

    documents = reading(tmp_path, kind, buffer.getvalue())

    assert documents.ids == ["a", "b"]
    assert documents.texts == ["last", "b"]
    assert documents.skipped == [Skipped("a", "replaced by a later file of the same name")]


def sizeable(seed: int = 0) -> dict[str, bytes]:
    rng = random.Random(seed)
    words = ["alpha", "beta", "gamma", "delta"]
    return {
        f"corpus/{label}/{i}": " ".join(rng.choices(words, k=rng.randrange(300))).encode()
        for label in "ab"
        for i in range(6)
    }


@pytest.mark.parametrize("kind", KINDS)
def test_a_truncated_archive_is_reported_wherever_it_is_cut(tmp_path: Path, kind: str) -> None:
    files = sizeable()
    whole = packed(kind, files)
    end = whole.rstrip(b"\0") if kind == ".tar" else whole
    cuts = {*range(0, len(end), max(1, len(end) // 150)), len(end) - 1}
    if kind == ".tar":
        cuts |= {cut - cut % 512 for cut in cuts}

    for cut in cuts:
        with pytest.raises(InputError, match=r"truncated or damaged .* download it again"):
            reading(tmp_path, kind, whole[:cut])
    assert len(reading(tmp_path, kind, whole)) == len(files)


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_saved_in_place_of_an_archive_is_reported(tmp_path: Path, kind: str) -> None:
    with pytest.raises(InputError, match=rf"archive\{kind}: archive is truncated or damaged"):
        reading(tmp_path, kind, b"<html>404 Not Found</html>" * 100)


@settings(deadline=None, max_examples=300)
@given(
    kind=st.sampled_from(KINDS),
    wounds=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=4),
)
def test_a_damaged_archive_gives_documents_or_an_input_error(
    kind: str, wounds: list[tuple[float, int]]
) -> None:
    data = bytearray(packed(kind, FILES))
    for place, value in wounds:
        data[int(place * len(data))] = value
    with tempfile.TemporaryDirectory() as home:
        archive = Path(home) / f"wounded{kind}"
        archive.write_bytes(data)
        outcome = result(archive)
    if isinstance(outcome, Documents):
        assert len(outcome) <= len(FILES)
    else:
        assert "\n" not in outcome


@settings(deadline=None, max_examples=300)
@given(st.integers(0, len(tarred(FILES)) // 512 - 1), st.integers(0, 511), st.binary(max_size=12))
def test_tar_headers_with_good_sums_and_bad_fields_never_crash(
    block: int, offset: int, field: bytes
) -> None:
    data = bytearray(tarred(FILES))
    start = block * 512
    data[start + offset : start + offset + len(field)] = field
    header = data[start : start + 512]
    header[148:156] = b" " * 8
    data[start + 148 : start + 156] = b"%06o\0 " % sum(header)
    with tempfile.TemporaryDirectory() as home:
        archive = Path(home) / "odd.tar"
        archive.write_bytes(data)
        outcome = result(archive)
    assert isinstance(outcome, Documents) or "\n" not in outcome


def test_a_negative_size_in_a_tar_ends_the_reading(tmp_path: Path) -> None:
    info = tarfile.TarInfo("corpus/a")
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[124:136] = b"\xff" * 11 + b"\x00"
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)

    with pytest.raises(InputError, match="impossible size"):
        reading(tmp_path, ".tar", bytes(header) + bytes(1024))


def test_an_extra_header_of_gigabytes_is_not_read(tmp_path: Path) -> None:
    info = tarfile.TarInfo("pax")
    info.type, info.size = tarfile.XHDTYPE, 1 << 33

    with pytest.raises(InputError, match="impossible size"):
        reading(tmp_path, ".tar", info.tobuf(tarfile.GNU_FORMAT) + bytes(10_000))


MIB = 1 << 20
BOMB = 80 * MIB


def zip_bomb(path: Path, fill: bytes) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("corpus/honest", "x")
        with archive.open("corpus/bomb", "w") as member:
            for _ in range(BOMB // MIB):
                member.write(fill * MIB)


def tar_bomb(path: Path, fill: bytes) -> None:
    info = tarfile.TarInfo("corpus/bomb")
    info.size = BOMB
    kinds: dict[str, Any] = {
        ".gz": gzip.open,
        ".bz2": bz2.open,
        ".xz": partial(lzma.open, preset=0),
    }
    with kinds[path.suffix](path, "wb") as file:
        file.write(info.tobuf())
        for _ in range(BOMB // MIB):
            file.write(fill * MIB)
        file.write(bytes(1024))


@pytest.mark.parametrize("fill", [b"a", b"\0"])
@pytest.mark.parametrize("kind", [".zip", ".tar.gz", ".tar.bz2", ".tar.xz"])
def test_a_compression_bomb_is_stopped_early(tmp_path: Path, kind: str, fill: bytes) -> None:
    bomb = tmp_path / f"bomb{kind}"
    (zip_bomb if kind == ".zip" else tar_bomb)(bomb, fill)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"compression bomb\?.* unpack it and give the folder"):
            read_documents(bomb)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < BOMB


@pytest.mark.parametrize("kind", [".zip", ".tar.gz"])
def test_many_small_members_can_be_a_bomb_too(tmp_path: Path, kind: str) -> None:
    files = {f"corpus/{i}": b"a" * 200_000 for i in range(20)}

    with pytest.raises(InputError, match="compression bomb"):
        reading(tmp_path, kind, packed(kind, files), limits=Limits(harmless_bytes=MIB))


@pytest.mark.parametrize("kind", KINDS)
def test_limits_can_be_lifted(tmp_path: Path, kind: str) -> None:
    files = {f"corpus/{i}": b"a" * 200_000 for i in range(20)}
    limits = Limits(harmless_bytes=MIB, expansion=10**6)

    assert len(reading(tmp_path, kind, packed(kind, files), limits=limits)) == 20


@pytest.mark.parametrize("kind", KINDS)
def test_a_member_larger_than_a_document_may_be_is_reported(tmp_path: Path, kind: str) -> None:
    files = {"corpus/large": b"words " * 100_000, "corpus/small": b"words"}

    documents = reading(tmp_path, kind, packed(kind, files), limits=Limits(document_bytes=MIB // 2))

    assert documents.ids == ["small"]
    assert documents.skipped == [Skipped("large", "larger than 0.5 MiB")]


@pytest.mark.parametrize("kind", KINDS)
def test_an_archive_without_documents_says_what_was_left_out(tmp_path: Path, kind: str) -> None:
    with pytest.raises(InputError, match="no documents found; check"):
        reading(tmp_path, kind, packed(kind, {}))
    with pytest.raises(InputError, match=r"1 left out \(1 hidden\)"):
        reading(tmp_path, kind, packed(kind, {"corpus/.x": b"x"}))


def test_nothing_is_written_to_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for kind in KINDS:
        reading(tmp_path, kind, packed(kind, FILES))

    assert sorted(os.listdir(tmp_path)) == sorted(f"archive{kind}" for kind in KINDS)
