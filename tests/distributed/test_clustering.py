"""From paths to named clusters on workers: what textclust.cluster finds, and its files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import textclust as tc
import textclust.distributed as td
from tests.cli.running import write_files
from tests.distributed.collections import DOCUMENTS, rows, write_jsonl
from tests.distributed.fake import FakeClient
from textclust.errors import InputError
from textclust.methods import METHODS
from textclust.text.splitting import split_source
from textclust.writing import LABELS, csv_text

IDS = list(DOCUMENTS)
SEEDS = {name: name.partition("/")[0] for name in IDS[::7]}
MUST, CANNOT = (IDS[0], IDS[17]), (IDS[3], IDS[15])
GIVEN = {
    "nothing": {},
    "seeds": {"seeds": SEEDS},
    "links": {"constraints": "links.csv"},
    "both": {"seeds": SEEDS, "constraints": "links.csv"},
    "sizes": {"min_size": 16},
    "two of three classes": {"seeds": {IDS[0]: "two wheels", IDS[8]: "the sky"}},
}


@pytest.fixture
def lines(tmp_path, monkeypatch):
    """A file of the documents, and one of links, in the folder to run in."""
    links = f"left,right,kind\n{','.join(MUST)},must-link\n{','.join(CANNOT)},cannot-link\n"
    write_files(tmp_path, {"links.csv": links})
    monkeypatch.chdir(tmp_path)
    return write_jsonl(tmp_path) / "0.jsonl"


def in_pieces(path, k=3, client=None, size=3000, **given):
    """The clustering in parts, with few restarts."""
    pieces = split_source(path, size=size)
    return td.cluster(path, k, client or FakeClient(), pieces=pieces, n_init=2, **given)


def alone(path, k=3, **given):
    return tc.cluster(path, k, n_init=2, **given)


def labels_of(folder):
    """The tables of labels, one after the other, under one header."""
    tables = [path.read_bytes() for path in sorted(Path(folder, "labels").glob("*.csv"))]
    header = b"id,cluster,name,score\n"
    assert all(table.startswith(header) for table in tables)
    return header + b"".join(table.removeprefix(header) for table in tables)


def table_of(clustering):
    """The same of one machine."""
    labels, scores = clustering.labels.tolist(), clustering.scores.round(4).tolist()
    names = [clustering.names[h] for h in labels]
    rows = zip(clustering.ids, labels, names, scores, strict=True)
    return csv_text(LABELS, rows).encode()


@pytest.mark.parametrize("kind", GIVEN)
@pytest.mark.parametrize("size", [1500, 100_000])
def test_it_is_the_clustering_of_one_machine(lines, kind, size):
    found, expected = in_pieces(lines, size=size, **GIVEN[kind]), alone(lines, **GIVEN[kind])
    np.testing.assert_array_equal(found.labels, expected.labels)
    kept = found.kept
    assert kept.names == expected.names
    assert kept.objective == expected.objective
    assert kept.n_documents == 48
    assert kept.sizes == expected.sizes
    for h in range(3):
        assert kept.representatives(h) == expected.representatives(h)
        assert kept.terms(h) == expected.terms(h)


@pytest.mark.parametrize("kind", GIVEN)
def test_it_is_written_as_on_one_machine(lines, kind, tmp_path):
    found, expected = in_pieces(lines, **GIVEN[kind]), alone(lines, **GIVEN[kind])
    out = tmp_path / "out"
    out.mkdir()
    found.write(out)
    assert labels_of(out) == table_of(expected)
    assert json.loads((out / "clusters.json").read_bytes()) == json.loads(
        json.dumps(found.kept.to_dict())
    )
    model, texts = tc.load(out), ["the dough and the oven", "a planet", "nothing known"]
    ours, theirs = model.predict(texts), expected.predict(texts)
    for name in ("labels", "scores", "costs"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), name)
    some = model.ids[0]
    assert model.explain(some).cluster == expected.explain(some).cluster


def test_with_workers_of_dask(client, lines, tmp_path):
    found = in_pieces(lines, client=client, seeds=SEEDS)
    expected = alone(lines, seeds=SEEDS)
    np.testing.assert_array_equal(found.labels, expected.labels)
    found.write(tmp_path)
    assert labels_of(tmp_path) == table_of(expected)


def test_what_became_of_the_supervision(lines):
    given = {"seeds": SEEDS, "constraints": "links.csv"}
    found, expected = in_pieces(lines, **given).kept.outcome, alone(lines, **given).outcome
    moved = "What you gave moved "  # known on one machine alone
    sentences = [each for each in expected.sentences() if not each.startswith(moved)]
    assert found.sentences() == sentences
    assert {**found.to_dict(), "moved": 1} == {**expected.to_dict(), "moved": 1}


def test_documents_that_supervision_names_are_kept(lines):
    kept = in_pieces(lines, seeds=SEEDS, constraints="links.csv").kept
    assert {*SEEDS, *MUST, *CANNOT} <= set(kept.ids)
    assert len(kept.ids) <= 48


@pytest.mark.parametrize(
    "method", [name for name, method in METHODS.items() if not method.in_parts]
)
def test_methods_that_need_all_documents_here_are_refused_before_they_are_read(method, tmp_path):
    with pytest.raises(InputError, match=f"method '{method}' needs (all documents|examples)"):
        td.cluster(tmp_path / "nowhere.jsonl", 2, None, method=method)


def test_wrong_supervision_is_named(lines):
    cases = [
        ({"seeds": {"nowhere": "a"}}, "no document has the id 'nowhere'"),
        ({"seeds": {name: name for name in IDS[:4]}}, "4 classes for 3 clusters"),
        ({"seeds": "missing.csv"}, "missing.csv"),
    ]
    for given, reason in cases:
        messages = []
        for run in (in_pieces, alone):
            with pytest.raises(InputError, match=reason) as refusal:
                run(lines, **given)
            messages.append(str(refusal.value))
        assert messages[0] == messages[1]


def test_too_many_clusters_are_refused(lines):
    with pytest.raises(InputError, match="49 clusters cannot be made of 48 documents"):
        in_pieces(lines, 49)


def test_clusters_that_cannot_be_told_apart_are_refused(tmp_path):
    write_files(tmp_path, {"a.jsonl": rows([IDS[0]] * 6 + [IDS[8]] * 6).replace('"id"', '"x"')})
    messages = []
    for run in (in_pieces, alone):
        with pytest.raises(InputError, match="only 2 of 3 clusters can be distinguished") as error:
            run(tmp_path / "a.jsonl", vectorizer=tc.TextVectorizer(min_df=1))
        messages.append(str(error.value))
    assert messages[0] == messages[1]


def test_an_id_that_two_documents_have_cannot_be_named(tmp_path):
    write_files(tmp_path, {"a.jsonl": rows(), "b.jsonl": rows(IDS[:3])})
    with pytest.raises(InputError, match=f"two documents have the id '{IDS[0]}'"):
        td.cluster(
            str(tmp_path / "*.jsonl"), 3, FakeClient(), n_init=1, seeds={IDS[0]: "x", IDS[9]: "y"}
        )


@pytest.mark.xfail(reason="each piece looks at its own ids alone", raises=pytest.fail.Exception)
def test_an_id_that_two_documents_have_is_an_error(tmp_path):
    write_files(tmp_path, {"a.jsonl": rows(), "b.jsonl": rows(IDS[:3])})
    with pytest.raises(InputError, match=IDS[0]):
        td.cluster(str(tmp_path / "*.jsonl"), 3, FakeClient(), n_init=1)
    write_files(tmp_path, {"c.jsonl": rows() + rows(IDS[:1])})
    with pytest.raises(InputError, match=IDS[0]):
        in_pieces(tmp_path / "c.jsonl")
