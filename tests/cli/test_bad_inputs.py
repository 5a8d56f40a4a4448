"""The tour of bad inputs: one line that says why, exit code 2, and nothing half-written."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import TEXTS
from tests.cli.running import finish, snapshot, start, write_files
from textclust import pipeline
from textclust.errors import InputError

MODEL_FILES = ("manifest.json", "model.json", "arrays.npz")


def assert_refused(answer, reason):
    assert "Traceback" not in answer.err
    assert answer.code == 2, answer.err
    assert answer.out == ""
    assert len(answer.err.splitlines()) == 1, answer.err
    assert answer.err.startswith("textclust: ")
    assert reason in answer.err


@pytest.fixture
def place(tmp_path, corpus, results):
    """A folder with a collection `texts`, the results of a run `model`, and nothing else."""
    shutil.copytree(corpus, tmp_path / "texts")
    shutil.copytree(results, tmp_path / "model")
    return tmp_path


@pytest.fixture
def refused(textclust, place, monkeypatch):
    """Run a command in the place; it must refuse, say the reason, and change nothing."""
    monkeypatch.chdir(place)

    def check(reason: str, *arguments: object, stdin: bytes = b"") -> None:
        before = snapshot(place)
        assert_refused(textclust(*arguments, stdin=stdin), reason)
        assert snapshot(place) == before

    return check


@pytest.fixture
def refused_with_out(refused, place):
    """Run `textclust cluster` with --out: to a new place, and over earlier results."""

    def check(reason: str, *arguments: object, stdin: bytes = b"") -> None:
        for out in ("new/deep", "model"):
            refused(reason, "cluster", *arguments, "--out", out, stdin=stdin)

    return check


# Collections


def empty_folder(place):
    (place / "bad").mkdir()
    return "bad"


def one_document(place):
    write_files(place / "bad", {"only": TEXTS["moon/1"]})
    return "bad"


def identical_documents(place):
    write_files(place / "bad", {str(i): TEXTS["moon/1"] for i in range(20)})
    return "bad"


def few_different_documents(place):
    write_files(place / "bad", {str(i): TEXTS[f"moon/{i % 2 + 1}"] for i in range(20)})
    return "bad"


def only_stop_words(place):
    write_files(place / "bad", {str(i): f"{word} the of and" for i, word in enumerate("is at it")})
    return "bad"


def only_empty_files(place):
    write_files(place / "bad", {str(i): "" for i in range(5)})
    return "bad"


def only_binary_files(place):
    write_files(place / "bad", {f"{i}.jpg": bytes(range(256)) * 9 for i in range(5)})
    return "bad"


def table_without_the_column(place):
    write_files(place, {"bad.csv": "id,body\n1,some text\n2,more text\n"})
    return "bad.csv"


def ragged_table(place):
    write_files(place, {"bad.csv": "id,text\n1,some text\n2,more,text\n"})
    return "bad.csv"


def table_with_an_id_twice(place):
    write_files(place, {"bad.csv": "id,text\n1,some text\n1,more text\n"})
    return "bad.csv"


def empty_table(place):
    write_files(place, {"bad.csv": ""})
    return "bad.csv"


def broken_jsonl(place):
    lines = [json.dumps({"text": text}) for text in TEXTS.values()]
    lines[6] = lines[6][:-4]
    write_files(place, {"bad.jsonl": "\n".join(lines)})
    return "bad.jsonl"


def damaged_parquet(place):
    write_files(place, {"bad.parquet": b"PAR1 and then nothing of the kind PAR1"})
    return "bad.parquet"


def truncated_tar(place):
    with tarfile.open(place / "bad.tar.gz", "w:gz") as archive:
        archive.add(place / "texts", "texts")
    data = (place / "bad.tar.gz").read_bytes()
    (place / "bad.tar.gz").write_bytes(data[: len(data) * 2 // 3])
    return "bad.tar.gz"


def truncated_zip(place):
    with zipfile.ZipFile(place / "bad.zip", "w") as archive:
        for name, text in TEXTS.items():
            archive.writestr(name, text)
    data = (place / "bad.zip").read_bytes()
    (place / "bad.zip").write_bytes(data[: len(data) * 2 // 3])
    return "bad.zip"


def unknown_kind_of_file(place):
    write_files(place, {"bad.docx": "PK"})
    return "bad.docx"


def named_pipe(place):
    os.mkfifo(place / "bad.csv")
    return "bad.csv"


@pytest.mark.parametrize(
    ("make", "k", "reason"),
    [
        (lambda _: "missing", 3, "missing: no such file or folder"),
        (lambda _: "texts/moon/1/deeper", 3, "texts/moon/1/deeper: no such file or folder"),
        (lambda _: "x" * 300, 3, "cannot be read (File name too long)"),
        (lambda _: "", 3, "no such file or folder"),
        (empty_folder, 3, "bad: no documents found"),
        (one_document, 1, "one document alone cannot be clustered"),
        (one_document, 2, "2 clusters cannot be made of one document; give more"),
        (lambda _: "texts", 13, "13 clusters cannot be made of 12 documents"),
        (lambda _: "texts", 10**30, "clusters cannot be made of 12 documents"),
        (identical_documents, 1, "no term that tells the 20 texts apart"),
        (identical_documents, 2, "no term that tells the 20 texts apart"),
        (few_different_documents, 3, "only 2 of 3 clusters can be distinguished"),
        (only_stop_words, 2, "no term that tells the"),
        (only_empty_files, 2, "no term that tells the"),
        (only_binary_files, 2, "bad: no documents found; 5 left out (5 binary)"),
        (table_without_the_column, 2, "bad.csv: no column 'text', only 'id', 'body'"),
        (ragged_table, 2, "bad.csv: line 3: 3 fields, but the header has 2"),
        (table_with_an_id_twice, 2, "line 2 and line 3 have the same id '1'"),
        (empty_table, 2, "bad.csv: the table is empty"),
        (broken_jsonl, 2, "bad.jsonl: line 7: not valid JSON"),
        (damaged_parquet, 2, "bad.parquet: the table is damaged"),
        (truncated_tar, 2, "bad.tar.gz: archive is truncated or damaged"),
        (truncated_zip, 2, "bad.zip: archive is truncated or damaged"),
        (unknown_kind_of_file, 2, "bad.docx: not a kind of file that can be read"),
        (named_pipe, 2, "bad.csv: neither a file nor a folder"),
    ],
)
def test_collections_that_cannot_be_clustered(refused_with_out, place, make, k, reason):
    refused_with_out(reason, make(place), "--k", k)


@pytest.mark.parametrize(
    ("stdin", "reason"),
    [
        (b"", "standard input: no documents found"),
        (b'{"text": "one"}\n' * 6 + b'{"text": "two"\n', "standard input: line 7: not valid JSON"),
        (b'{"body": "one"}\n', "standard input: line 1: no column 'text', only 'body'"),
        (b'["one"]\n', "standard input: line 1: not a JSON object"),
        (b'{"text": 5}\n', "standard input: line 1: 'text' is not text but int"),
    ],
)
def test_standard_input_that_cannot_be_clustered(refused_with_out, stdin, reason):
    refused_with_out(reason, "-", "--k", 2, stdin=stdin)


# Options


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--k", "0"), "--k must be at least 1; got 0"),
        (("--k", "-3"), "--k must be at least 1; got -3"),
        (("--k", "three"), "--k must be a whole number or auto; got three"),
        (("--k", "2.5"), "--k must be a whole number or auto; got 2.5"),
        (("--k", "3", "--method", "magic"), "no method 'magic'; there is kmeans"),
        (
            ("--k", "3", "--distortion", "hamming"),
            "'euclidean', 'cosine', 'kl', 'i-divergence', 'itakura-saito'",
        ),
        (("--k", "3", "--init", "luck"), "Invalid value for '--init'"),
        (("--k", "3", "--magic"), "No such option"),
        (("--k", "3", "another"), "unexpected extra argument"),
        (("--k", "3", "--random-state", "-1"), "Invalid value for '--random-state'"),
        (("--k", "3", "--random-state", "4294967296"), "Invalid value for '--random-state'"),
        (("--k", "3", "--terms", "0"), "Invalid value for '--terms'"),
        (("--k", "3", "--ngrams", "0"), "Invalid value for '--ngrams'"),
        (("--k", "3", "--min-df", "0"), "Invalid value for '--min-df'"),
        (("--k", "3", "--min-df", "99"), "no term that tells the 12 texts apart"),
        (("--k", "3", "--max-df", "2"), "Invalid value for '--max-df'"),
        (("--k", "3", "--max-df", "0"), "no term that tells the 12 texts apart"),
        (("--k", "3", "--max-df", "nan"), "max"),
        (("--k", "3", "--language", "klingon"), "no stop words for 'klingon'"),
        (("--k", "3", "--language", "none", "--stem"), "needs a language"),
        (("--k", "3", "--headers", "maybe"), "Invalid value for '--headers'"),
    ],
)
def test_options_that_make_no_sense(refused_with_out, options, reason):
    refused_with_out(reason, "texts", *options)


def test_usage_errors_name_the_help_that_tells_more(refused):
    refused("see textclust --help", "clutser", "texts")
    refused("see textclust --help", "--magic")
    refused("see textclust cluster --help", "cluster")
    refused("see textclust corpora path --help", "corpora", "path")
    refused("see textclust predict --help", "predict", "model")
    refused("'--k' requires an argument; see textclust", "cluster", "texts", "--k")


# Vectors


def save_vectors(place, kind):
    good = np.random.default_rng(0).random((12, 4))
    arrays = {
        "too few rows": good[:11],
        "too many rows": np.vstack([good, good]),
        "no columns": good[:, :0],
        "one dimension": good[:, 0],
        "three dimensions": good[:, :, None],
        "words": good.astype(str),
        "complex numbers": good + 1j,
        "truth values": good > 0.5,
        "pickled objects": good.astype(object),
        "not a number": np.where(good == good[4, 2], np.nan, good),
        "infinity": np.where(good == good[4, 2], np.inf, good),
        "zeros": good * 0,
    }
    if kind in arrays:
        np.save(place / "bad.npy", arrays[kind])
    elif kind == "several arrays":
        with (place / "bad.npy").open("wb") as file:
            np.savez(file, a=good, b=good)
    elif kind == "a cut file":
        np.save(place / "bad.npy", good)
        (place / "bad.npy").write_bytes((place / "bad.npy").read_bytes()[:200])
    else:
        write_files(
            place, {"bad.npy": {"no array": "1 2 3\n", "an empty file": "", **HEADERS}[kind]}
        )


def npy(header):
    """A .npy file that begins with this, which is to be a line of Python."""
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + bytes(64)


HEADERS = {
    "a header that does not end": npy("{'descr': ("),
    "a header of a quote": npy("'''"),
    "a header with a truth value": npy(
        "{'descr': '<f8', 'fortran_order': False, 'shape': (True, 2), }"
    ),
    "a header of a hundred dimensions": npy(
        f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({'1,' * 100}), }}"
    ),
}
VECTORS = {
    **dict.fromkeys(HEADERS, "bad.npy: cannot be read as a .npy array"),
    "too few rows": "bad.npy: 11 rows of 4 numbers for 12 documents",
    "too many rows": "bad.npy: 24 rows of 4 numbers for 12 documents",
    "no columns": "bad.npy: 12 rows of 0 numbers for 12 documents",
    "one dimension": "bad.npy: not a table of numbers",
    "three dimensions": "bad.npy: not a table of numbers",
    "words": "bad.npy: not a table of numbers",
    "complex numbers": "bad.npy: not a table of numbers",
    "truth values": "bad.npy: not a table of numbers",
    "several arrays": "bad.npy: cannot be read as a .npy array",
    "pickled objects": "bad.npy: cannot be read as a .npy array (Object arrays cannot be loaded",
    "no array": "bad.npy: cannot be read as a .npy array",
    "an empty file": "bad.npy: cannot be read as a .npy array",
    "a cut file": "bad.npy: cannot be read as a .npy array",
    "not a number": "bad.npy: row 5 has a value that is not a finite number",
    "infinity": "bad.npy: row 5 has a value that is not a finite number",
}


@pytest.mark.parametrize("kind", VECTORS)
def test_vectors_that_cannot_be_used(refused_with_out, place, kind):
    save_vectors(place, kind)
    refused_with_out(VECTORS[kind], "texts", "--k", 3, "--vectors", "bad.npy")


def test_negative_vectors_have_no_divergence(refused_with_out, place):
    np.save(place / "bad.npy", np.random.default_rng(0).normal(size=(12, 4)))
    options = ("--vectors", "bad.npy", "--distortion", "kl")
    refused_with_out("use --distortion cosine", "texts", "--k", 3, *options)


def test_vectors_without_anything_in_them(refused_with_out, place):
    save_vectors(place, "zeros")
    refused_with_out("nothing to cluster", "texts", "--k", 3, "--vectors", "bad.npy")
    refused_with_out("cannot be read", "texts", "--k", 3, "--vectors", "missing.npy")
    refused_with_out("cannot be read", "texts", "--k", 3, "--vectors", "texts")


@pytest.mark.parametrize("kind", VECTORS)
def test_vectors_that_cannot_be_placed(refused, textclust, place, kind):
    np.save(place / "good.npy", np.random.default_rng(0).random((12, 4)))
    made = ("--vectors", place / "good.npy", "--out", place / "of-vectors")
    assert textclust("cluster", place / "texts", "--k", 2, *made).code == 0
    save_vectors(place, kind)
    refused(VECTORS[kind], "predict", "of-vectors", "texts", "--vectors", "bad.npy")


def test_vectors_and_texts_are_not_mistaken_for_each_other(refused, textclust, place):
    np.save(place / "good.npy", np.random.default_rng(0).random((12, 4)))
    np.save(place / "wide.npy", np.random.default_rng(0).random((12, 5)))
    made = ("--vectors", place / "good.npy", "--out", place / "of-vectors")
    assert textclust("cluster", place / "texts", "--k", 2, *made).code == 0
    refused("made from vectors: give vectors", "predict", "of-vectors", "texts")
    refused("made from texts: give texts", "predict", "model", "texts", "--vectors", "good.npy")
    refused("4 columns", "predict", "of-vectors", "texts", "--vectors", "wide.npy")


# Places to write to


@pytest.mark.parametrize(
    ("out", "reason"),
    [
        ("texts/moon/1", "texts/moon/1: a file is in the way; name another folder"),
        ("texts/moon/1/deeper", "texts/moon/1/deeper: cannot be written"),
        ("/proc/textclust-out", "/proc/textclust-out: cannot be written"),
        ("/proc/textclust-out/deeper", "cannot be written"),
        ("texts", "the results cannot lie among the documents"),
        ("x" * 300, "cannot be written (File name too long)"),
    ],
)
def test_places_that_results_cannot_be_written_to(refused, out, reason):
    refused(reason, "cluster", "texts", "--k", 3, "--out", out)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_folder_is_reported(refused, place):
    (place / "locked").mkdir()
    (place / "locked").chmod(0o555)
    refused("Permission denied", "cluster", "texts", "--k", 3, "--out", "locked/out")


@pytest.mark.parametrize(
    ("out", "reason"),
    [
        ("texts", "texts: cannot be written (Is a directory)"),
        ("texts/moon/1/labels.csv", "cannot be written"),
        ("/proc/textclust.csv", "/proc/textclust.csv: cannot be written"),
    ],
)
def test_places_that_predictions_cannot_be_written_to(refused, out, reason):
    refused(reason, "predict", "model", "texts", "--out", out)


# Models


@pytest.mark.parametrize("command", [("predict", "texts"), ("explain", "moon/1")])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("name", MODEL_FILES)
def test_a_model_with_a_byte_flipped(refused, place, name, share, command):
    file = place / "model" / "model" / name
    data = bytearray(file.read_bytes())
    data[int(share * (len(data) - 1))] ^= 0xFF
    file.write_bytes(data)
    verb, argument = command
    refused("model/model", verb, "model", argument)


@pytest.mark.parametrize("name", MODEL_FILES)
@pytest.mark.parametrize("damage", ["missing", "cut", "emptied", "a folder"])
def test_a_model_with_a_file_that_is_not_whole(refused, place, name, damage):
    file = place / "model" / "model" / name
    data = file.read_bytes()
    file.unlink()
    if damage == "a folder":
        file.mkdir()
    elif damage != "missing":
        file.write_bytes(data[: len(data) // 2] if damage == "cut" else b"")
    refused("model/model", "predict", "model", "texts")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"version": 99}, "written in model format 99"),
        ({"version": "1"}, "version is not a whole number"),
        ({"format": "another"}, "not a textclust model"),
        ({"files": []}, "files is not an object"),
        ({"files": {}}, "files.model.json is missing"),
    ],
)
def test_a_model_that_says_it_is_something_else(refused, place, change, reason):
    file = place / "model" / "model" / "manifest.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    refused(reason, "predict", "model", "texts")


def test_a_model_from_a_newer_version_says_what_to_do(refused, place):
    file = place / "model" / "model" / "manifest.json"
    manifest = json.loads(file.read_text())
    file.write_text(json.dumps({**manifest, "version": manifest["version"] + 1}))
    refused("upgrade textclust", "explain", "model", "moon/1")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no more", "prototypes", "nested"])
def test_a_model_whose_checksums_were_forged(refused, place, content):
    folder = place / "model" / "model"
    if content == "prototypes":
        with np.load(folder / "arrays.npz") as file:
            arrays = dict(file)
        np.savez(folder / "arrays.npz", **{**arrays, "prototypes": np.zeros((3, 3))})
    elif content == "nested":
        (folder / "model.json").write_text("[" * 100_000)
    else:
        (folder / "arrays.npz").write_bytes(content)
    manifest = json.loads((folder / "manifest.json").read_text())
    for name in manifest["files"]:
        digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        manifest["files"][name] = digest
    (folder / "manifest.json").write_text(json.dumps(manifest))
    refused("model/model", "predict", "model", "texts")


def test_a_folder_that_is_not_there_is_no_model(refused):
    refused("missing: no such folder; check the path", "predict", "missing", "texts")
    refused("missing: no such folder; check the path", "explain", "missing", "moon/1")


@pytest.mark.parametrize("model", ["texts", "texts/moon/1", ""])
def test_what_is_no_model(refused, model):
    refused("not a textclust model", "predict", model, "texts")
    refused("not a textclust model", "explain", model, "moon/1")


# Documents, labels and names


@pytest.mark.parametrize("document", ["moon/9", "texts", "", "x" * 5000, "\x1b[31m"])
def test_documents_that_a_model_does_not_know(refused, document):
    refused("neither a document of this model nor a file", "explain", "model", document)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file no one can read")
def test_a_document_that_cannot_be_read(refused):
    refused("/proc/self/mem: cannot be read", "explain", "model", "/proc/self/mem")


def test_collections_that_cannot_be_placed(refused, place):
    refused("missing: no such file or folder", "predict", "model", "missing")
    refused("no documents found", "predict", "model", empty_folder(place))
    refused("line 7: not valid JSON", "predict", "model", broken_jsonl(place))


@pytest.mark.parametrize(
    ("labels", "truth", "reason"),
    [
        ("missing.csv", "texts", "missing.csv: cannot be read"),
        ("x" * 300, "texts", "cannot be read (File name too long)"),
        ("texts", "texts", "texts/labels.csv: cannot be read"),
        ("model", "missing.csv", "missing.csv: cannot be read"),
        ("model", "missing", "missing: no such file or folder"),
        ("model", "texts/moon", "no classes in it"),
        ("model", "other.csv", "no document id in common"),
        ("model", "headless.csv", "headless.csv: needs the columns id and label or cluster"),
        ("model", "hollow.csv", "hollow.csv: no labels in it"),
        ("model", "short.csv", "short.csv: line 3 has too few fields"),
        ("model", "double.csv", "double.csv: line 3 gives 'a' a second label"),
        ("model", "binary.csv", "binary.csv: not a CSV table in UTF-8"),
    ],
)
def test_labels_that_cannot_be_compared(refused, place, labels, truth, reason):
    tables = {
        "other.csv": "id,label\na,1\nb,2\n",
        "headless.csv": "a,1\nb,2\n",
        "hollow.csv": "id,label\n",
        "short.csv": "id,label\na,1\nb\n",
        "double.csv": "id,label\na,1\na,2\n",
        "binary.csv": b"id,label\n\xff\xfe\x00,1\n",
    }
    write_files(place, tables)
    refused(reason, "evaluate", labels, truth)


@pytest.mark.parametrize("json", [(), ("--json",)])
def test_json_does_not_change_how_a_refusal_looks(refused, json):
    refused("no such file or folder", "cluster", "missing", "--k", 3, *json)
    refused("no such file or folder", "predict", "model", "missing", *json)
    refused("nor a file", "explain", "model", "moon/9", *json)
    refused("no experiment 'none'", "reproduce", "none", *json)


# In a process of its own


def test_a_process_of_its_own_says_no_more_than_the_one_line(place):
    before = snapshot(place)
    process = start("cluster", "texts", "--k", 13, "--out", "out/deep", cwd=place)
    assert_refused(finish(process), "13 clusters cannot be made of 12 documents")
    assert snapshot(place) == before


def test_hostile_names_in_a_refusal_cannot_write_to_the_terminal(textclust, tmp_path):
    answer = textclust("cluster", tmp_path / "a\x1b[31m\nb\x9b", "--k", 3)
    assert_refused(answer, "no such file or folder")
    assert not set(answer.err) & set("\x1b\x9b")


def test_a_fault_of_ours_is_one_line_too_but_not_a_bad_input(
    textclust, corpus, tmp_path, monkeypatch
):
    def broken(*_, **__):
        raise ZeroDivisionError("never meant to happen")

    monkeypatch.setattr(pipeline, "cluster", broken)
    monkeypatch.delenv("TEXTCLUST_DEBUG", raising=False)
    answer = textclust("cluster", corpus, "--k", 3, "--out", tmp_path / "out")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith("textclust: a fault in textclust itself (ZeroDivisionError")
    assert len(answer.err.splitlines()) == 1
    assert snapshot(tmp_path) == {}
    monkeypatch.setenv("TEXTCLUST_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        textclust("cluster", corpus, "--k", 3)


LONG = "9" * 4000


@pytest.mark.parametrize(
    "arguments",
    [
        ("cluster", LONG, "--k", 3),
        ("cluster", "texts", "--k", LONG),
        ("cluster", "texts", "--k", 3, "--seeds", "seeds.csv"),
        ("cluster", "texts", "--k", 3, "--constraints", "pairs.csv"),
        ("cluster", "rows.jsonl", "--k", 2),
        ("explain", "model", "a"),
        (LONG,),
    ],
    ids=["path", "number", "seed", "kind", "row", "version", "command"],
)
def test_a_message_is_short_whatever_it_quotes(textclust, place, arguments):
    (place / "seeds.csv").write_text(f"id,label\n{LONG * 10},a\n")
    (place / "pairs.csv").write_text(f"left,right,kind\nmoon/1,moon/2,{LONG * 10}\n")
    (place / "rows.jsonl").write_text(f'{{"id": "{LONG}", "text": 1}}\n{{"{LONG}": 1}}\n')
    manifest = place / "model" / "model" / "manifest.json"
    content = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**content, "version": int(LONG)}))
    answer = textclust(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert 20 < len(answer.err) < 1500
    assert len(answer.err.splitlines()) == 1


def test_the_beginning_and_the_end_of_a_long_message_stay():
    error = InputError(f"a.csv: {'x ' * 10**6} is no number; correct it")
    assert len(str(error)) < 3100
    assert str(error).startswith("a.csv: x x")
    assert str(error).endswith("x x  is no number; correct it")
    assert str(InputError("short")) == "short"
