"""textclust corpora: collections by name, fetched once and only if they are the right ones."""

from __future__ import annotations

import hashlib
import io
import socket
import tarfile
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from sklearn.utils import Bunch
from textclust.corpora import REGISTRY, Corpus, fetch
from textclust.corpora.fetching import digest_of

from tests.cli.conftest import TEXTS
from tests.cli.running import snapshot
from textclust.text.documents import read_documents


def archive(texts):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as file:
        for name, text in texts.items():
            info = tarfile.TarInfo(f"tiny/{name}")
            info.size = len(text)
            file.addfile(info, io.BytesIO(text.encode()))
    return buffer.getvalue()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A machine that has the embedded sample and nothing else; its cache."""
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("TEXTCLUST_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "textclust"


@pytest.fixture
def tiny(monkeypatch):
    """A corpus that can be fetched, known by the name tiny."""
    corpus = Corpus("tiny", "tiny.tar.gz", "twelve short texts", 12, 3, "http://127.0.0.1:9/none")
    monkeypatch.setitem(REGISTRY, "tiny", corpus)
    return corpus


@pytest.fixture
def served(monkeypatch):
    """A web server on this machine that answers every path with what is put into it."""
    content = {"status": 200, "body": b""}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(content["status"])
            self.send_header("Content-Length", str(len(content["body"])))
            self.end_headers()
            self.wfile.write(content["body"])

        def log_message(self, *_):
            """Keep quiet."""

    monkeypatch.setenv("no_proxy", "*")
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        content["address"] = f"http://127.0.0.1:{server.server_address[1]}/tiny.tar.gz"
        yield content
        server.shutdown()
        thread.join()


def test_the_list_names_every_corpus_and_where_it_lies(textclust, sample):
    answer = textclust("corpora", "list")
    assert (answer.code, answer.err) == (0, "")
    for corpus in REGISTRY.values():
        assert corpus.name in answer.out
    assert "not here yet" in answer.out
    content = textclust("corpora", "list", "--json").json
    assert set(content) == set(REGISTRY)
    assert Path(content["newsgroups"]["path"]) == sample
    assert content["newsgroups"]["documents"] == 225
    assert content["20newsgroups"]["path"] is None


def test_the_embedded_sample_is_always_there(textclust, sample, cache):
    for command in ("path", "fetch"):
        answer = textclust("corpora", command, "newsgroups")
        assert (answer.code, answer.out) == (0, f"{sample}\n")
    assert not cache.exists()


def test_a_corpus_that_is_not_here_is_reported_with_the_way_to_get_it(textclust):
    answer = textclust("corpora", "path", "20newsgroups")
    assert answer.code == 2
    assert "textclust corpora fetch 20newsgroups" in answer.err
    answer = textclust("corpora", "fetch", "classic4")
    assert answer.code == 2
    assert "TEXTCLUST_DATA" in answer.err


def test_a_corpus_is_fetched_from_a_file(textclust, tiny, cache, tmp_path):
    source = tmp_path / "download"
    source.write_bytes(archive(TEXTS))
    answer = textclust("corpora", "fetch", "tiny", "--from", source)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == f"{cache / 'tiny.tar.gz'}\n"
    assert snapshot(cache) == {"tiny.tar.gz": source.read_bytes()}
    assert textclust("corpora", "path", "tiny").out == answer.out
    clusters = textclust("cluster", answer.out.strip(), "--k", 3)
    assert "NMI 1.000" in clusters.out


def test_a_corpus_is_fetched_from_the_web_once(textclust, tiny, cache, served, monkeypatch):
    served["body"] = archive(TEXTS)
    registered = Corpus("tiny", "tiny.tar.gz", "twelve short texts", 12, 3, served["address"])
    monkeypatch.setitem(REGISTRY, "tiny", registered)
    assert textclust("corpora", "fetch", "tiny").code == 0
    assert snapshot(cache) == {"tiny.tar.gz": served["body"]}
    served["status"] = 500
    assert textclust("corpora", "fetch", "tiny").code == 0  # it is here: nobody is asked


def test_another_address_can_be_given(textclust, tiny, cache, served):
    served["body"] = archive(TEXTS)
    assert textclust("corpora", "fetch", "tiny", "--from", served["address"]).code == 0
    assert set(snapshot(cache)) == {"tiny.tar.gz"}


def wrong(name):
    whole = archive(TEXTS)
    return {
        "too few documents": archive(dict(list(TEXTS.items())[:-1])),
        "too few classes": archive({f"all/{i}": text for i, text in enumerate(TEXTS.values())}),
        "truncated": whole[: len(whole) // 2],
        "an error page": b"<html><body>Not here</body></html>",
        "nothing": b"",
    }[name]


@pytest.mark.parametrize(
    "kind", ["too few documents", "too few classes", "truncated", "an error page", "nothing"]
)
def test_the_wrong_archive_is_refused_and_leaves_nothing(textclust, tiny, cache, served, kind):
    served["body"] = wrong(kind)
    answer = textclust("corpora", "fetch", "tiny", "--from", served["address"])
    assert (answer.code, answer.out) == (2, "")
    assert len(answer.err.splitlines()) == 1
    assert snapshot(cache) == {}


def test_a_wrong_archive_does_not_replace_the_right_one(textclust, tiny, cache, tmp_path):
    cache.mkdir(parents=True)
    right = archive(TEXTS)
    (cache / "tiny.tar.gz").write_bytes(right)
    (tmp_path / "wrong").write_bytes(wrong("truncated"))
    assert textclust("corpora", "fetch", "tiny", "--from", tmp_path / "wrong").code == 2
    assert snapshot(cache) == {"tiny.tar.gz": right}


def test_a_corpus_that_is_there_is_never_replaced(textclust, tiny, cache, tmp_path):
    cache.mkdir(parents=True)
    (cache / "tiny.tar.gz").write_bytes(b"put there by hand")
    (tmp_path / "right").write_bytes(archive(TEXTS))
    for source in (tmp_path / "right", cache / "tiny.tar.gz"):
        answer = textclust("corpora", "fetch", "tiny", "--from", source)
        assert (answer.code, answer.out) == (2, "")
        assert "tiny.tar.gz: there already; remove it to fetch tiny once more" in answer.err
    assert snapshot(cache) == {"tiny.tar.gz": b"put there by hand"}


@pytest.mark.parametrize(
    "source",
    [
        "missing.tar.gz",
        ".",
        "http://127.0.0.1:9/refused",
        "http://[nonsense",
        "gopher://example.org/x",
    ],
)
def test_an_address_that_gives_nothing_is_reported(
    textclust, tiny, cache, tmp_path, source, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    answer = textclust("corpora", "fetch", "tiny", "--from", source)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"textclust: {source}: cannot be fetched")
    assert len(answer.err.splitlines()) == 1
    assert snapshot(cache) == {}


def test_a_missing_page_is_reported(textclust, tiny, cache, served):
    served["status"] = 404
    answer = textclust("corpora", "fetch", "tiny", "--from", served["address"])
    assert answer.code == 2
    assert "Not Found" in answer.err
    assert snapshot(cache) == {}


@pytest.mark.parametrize(
    "reply",
    [
        b"\x00no status line\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n",
        None,
    ],
    ids=["no status", "no chunk", "no address"],
)
def test_a_server_that_does_not_speak_http_is_reported(textclust, tiny, cache, reply, monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            connection, _ = server.accept()
            with connection:
                connection.recv(9999)
                connection.sendall(reply)

        address = f"http://127.0.0.1:{server.getsockname()[1]}/"
        if reply is not None:
            threading.Thread(target=serve, daemon=True).start()
        answer = textclust("corpora", "fetch", "tiny", "--from", address if reply else "http://a b")
    assert answer.code == 2, answer.err
    assert "cannot be fetched" in answer.err
    assert snapshot(cache) == {}


def test_a_cache_that_cannot_be_written_is_reported(textclust, tiny, tmp_path, monkeypatch):
    (tmp_path / "source").write_bytes(archive(TEXTS))
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    answer = textclust("corpora", "fetch", "tiny", "--from", tmp_path / "source")
    assert answer.code == 2
    assert "cannot be written" in answer.err


def test_an_unknown_name_lists_those_there_are(textclust):
    for command in ("path", "fetch"):
        answer = textclust("corpora", command, "21newsgroups")
        assert answer.code == 2
        assert "newsgroups, 20newsgroups, classic4" in answer.err


def test_the_same_documents_in_another_archive_are_the_same_corpus(
    tiny, cache, tmp_path, monkeypatch
):
    source = tmp_path / "download.tar.gz"
    source.write_bytes(archive(TEXTS))
    known = replace(tiny, digest=digest_of(source))
    monkeypatch.setitem(REGISTRY, "tiny", known)
    turned = archive(dict(reversed(TEXTS.items())))
    assert turned != source.read_bytes()
    assert fetch("tiny", download=lambda _, place, __: place.write_bytes(turned)).exists()


def test_other_documents_of_the_same_number_are_refused(
    textclust, tiny, cache, tmp_path, monkeypatch
):
    (tmp_path / "right.tar.gz").write_bytes(archive(TEXTS))
    known = replace(tiny, digest=digest_of(tmp_path / "right.tar.gz"))
    monkeypatch.setitem(REGISTRY, "tiny", known)
    forged = {**TEXTS, "moon/4": "A crater on the moon at noon, the sky clear.\n"}
    (tmp_path / "wrong.tar.gz").write_bytes(archive(forged))
    answer = textclust("corpora", "fetch", "tiny", "--from", tmp_path / "wrong.tar.gz")
    assert (answer.code, answer.out) == (2, "")
    assert "not the same (by SHA-256)" in answer.err
    assert snapshot(cache) == {}


def test_a_single_file_is_known_by_its_sum(textclust, cache, tmp_path, monkeypatch):
    content = b"1 1 1\n1 1\n"
    sums = hashlib.sha256(content).hexdigest()
    table = Corpus("table", "deep/table.mat", "counts", 1, 1, "http://none", sha256=sums)
    monkeypatch.setitem(REGISTRY, "table", table)
    (tmp_path / "file").write_bytes(content + b" ")
    assert "not the file" in textclust("corpora", "fetch", "table", "--from", tmp_path / "file").err
    (tmp_path / "file").write_bytes(content)
    answer = textclust("corpora", "fetch", "table", "--from", tmp_path / "file")
    assert answer.out == f"{cache / 'deep' / 'table.mat'}\n"


def test_scikit_learns_fetcher_fills_an_archive(textclust, cache, monkeypatch):
    groups = sorted({name.partition("/")[0] for name in TEXTS})
    posts = Bunch(
        data=list(TEXTS.values()),
        filenames=[f"/home/20news-bydate/{name}" for name in TEXTS],
        target=[groups.index(name.partition("/")[0]) for name in TEXTS],
        target_names=groups,
    )
    monkeypatch.setattr("sklearn.datasets.fetch_20newsgroups", lambda **_: posts)
    corpus = replace(REGISTRY["20newsgroups-bydate"], documents=12, classes=3)
    monkeypatch.setitem(REGISTRY, corpus.name, corpus)
    answer = textclust("corpora", "fetch", corpus.name)
    assert (answer.code, answer.err) == (0, "")
    documents = read_documents(answer.out.strip())
    assert dict(zip(documents.ids, documents.texts, strict=True)) == TEXTS
    assert documents.labels == [name.partition("/")[0] for name in documents.ids]


def test_the_network_that_scikit_learn_misses_is_reported(textclust, cache, monkeypatch):
    def none(**_):
        raise OSError("no network")

    monkeypatch.setattr("sklearn.datasets.fetch_20newsgroups", none)
    answer = textclust("corpora", "fetch", "20newsgroups-bydate")
    assert (answer.code, answer.out) == (2, "")
    assert "no network" in answer.err
    assert snapshot(cache) == {}


@pytest.mark.parametrize("name", ["20newsgroups", "classic4"])
def test_the_corpora_beside_the_project_are_those_on_record(data, name):
    file = data / REGISTRY[name].file
    if not file.is_file():
        pytest.skip(f"{name} is not on this machine")
    assert digest_of(file) == REGISTRY[name].digest
