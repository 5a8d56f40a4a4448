"""textclust corpora: collections by name, fetched once and only if they are the right ones."""

from __future__ import annotations

import io
import socket
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from textclust.corpora import REGISTRY, Corpus

from tests.cli.conftest import TEXTS
from tests.cli.running import snapshot


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


def test_a_corpus_that_is_not_here_is_told_with_the_way_to_get_it(textclust):
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
def test_an_address_that_gives_nothing_is_told(
    textclust, tiny, cache, tmp_path, source, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    answer = textclust("corpora", "fetch", "tiny", "--from", source)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"textclust: {source}: cannot be fetched")
    assert len(answer.err.splitlines()) == 1
    assert snapshot(cache) == {}


def test_a_missing_page_is_told(textclust, tiny, cache, served):
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
def test_a_server_that_does_not_speak_http_is_told(textclust, tiny, cache, reply, monkeypatch):
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


def test_a_cache_that_cannot_be_written_is_told(textclust, tiny, tmp_path, monkeypatch):
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
