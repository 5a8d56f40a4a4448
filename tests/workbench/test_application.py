"""The interface: what is asked reaches the workbench, and what is malformed does not."""

from __future__ import annotations

import pytest

from tests.workbench.fake import FILES, FakeBench, client
from textclust.workbench.static_files import StaticFiles

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def browser(tmp_path):
    return client(tmp_path)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/api/collection", {"source": "a\u2028b \ud800 <script>", "documents": 2}),
        ("/api/state", {"version": 0, "listeners": 0}),
        ("/api/documents", {"asked": [None, "collection", None, False, None, 0, 100]}),
        (
            "/api/documents?cluster=0&order=typical&search=%C3%A4+b&regex=1&offset=20&limit=1000",
            {"asked": [0, "typical", "ä b", True, None, 20, 1000]},
        ),
        (
            "/api/documents?rows=3,5,8&search=&limit=0",
            {"asked": [None, "collection", None, False, [3, 5, 8], 0, 0]},
        ),
        ("/api/documents?rows=", {"asked": [None, "collection", None, False, [], 0, 100]}),
        ("/api/documents/2", {"row": 2}),
        ("/api/wizard", {"proposals": [], "n": 10}),
        ("/api/wizard?n=3", {"proposals": [], "n": 3}),
        ("/api/questions", {"questions": [], "kind": "pair", "n": 3}),
        ("/api/questions?kind=set&n=2", {"questions": [], "kind": "set", "n": 2}),
    ],
)
def test_what_is_asked_is_answered(browser, path, expected):
    answer = browser.get(path)
    assert (answer.status_code, answer.json()) == (200, expected)
    assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    "path",
    [
        "/api/documents?limit=1001",
        "/api/documents?limit=-1",
        "/api/documents?limit=",
        "/api/documents?limit=%D9%A3",  # a digit, but not of ours
        "/api/documents?offset=1e3",
        "/api/documents?offset=" + "9" * 5000,
        "/api/documents?cluster=one",
        "/api/documents?order=random",
        "/api/documents?regex=yes",
        "/api/documents?rows=1,,2",
        "/api/documents?rows=" + ",".join(["1"] * 1001),
        "/api/documents?search=" + "x" * 1001,
        "/api/documents?search=%ff",
        "/api/documents?limit=1&limit=2",
        "/api/documents?serach=x",
        "/api/documents?" + "&".join(f"a{n}=1" for n in range(30)),
        "/api/state?x=1",
        "/api/wizard?n=1001",
        "/api/questions?kind=triple",
        "/api/split",
        "/api/split?cluster=x",
    ],
)
def test_malformed_parameters_are_refused(browser, path):
    answer = browser.get(path)
    assert answer.status_code == 400
    assert list(answer.json()) == ["error"]
    assert len(answer.json()["error"]) < 200


def test_actions_reach_the_workbench(tmp_path):
    bench = FakeBench()
    move = {"action": "move", "documents": ["ä", "b"], "cluster": 1, "deep": {"x": [1.5, None]}}
    answer = client(tmp_path, bench=bench).post("/api/actions", json=move)
    assert answer.json() == {"line": 1, "state": {"version": 1, "listeners": 0}}
    assert bench.actions == [move]


def test_the_other_requests_that_change_something(browser):
    assert browser.post("/api/cancel", headers=JSON).json() == {"cancelled": False}
    assert browser.post("/api/cancel", json={}).json() == {"cancelled": False}
    assert browser.post("/api/export", json={"report": True}).json() == {"written": [True, False]}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("actions", b""),
        ("actions", b"{}"),
        ("actions", b"[]"),
        ("actions", b"null"),
        ("actions", b'{"action": 1}'),
        ("actions", b'{"action": "move", "x": NaN}'),
        ("actions", b'{"action": "move", "x": -Infinity}'),
        ("actions", b'{"action": "move"'),
        ("actions", b'{"action": "move"} {}'),
        ("actions", b'{"action": "\xff"}'),
        ("actions", '{"action": "move"}'.encode("utf-16")),
        ("actions", b'{"action": "move", "x": ' + b"9" * 10_000 + b"}"),
        ("actions", b'{"action": "move", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
        ("cancel", b'{"now": true}'),
        ("export", b'{"report": 1}'),
        ("export", b'{"repotr": true}'),
    ],
)
def test_malformed_bodies_are_refused(tmp_path, path, body):
    bench = FakeBench()
    answer = client(tmp_path, bench=bench).post(f"/api/{path}", content=body, headers=JSON)
    assert answer.status_code == 400
    assert bench.actions == []


def test_what_cannot_be_and_what_cannot_be_now(browser, caplog):
    answer = browser.get("/api/documents/3")
    assert answer.status_code == 422
    assert answer.json() == {"error": "no document has this row; take another"}
    assert browser.post("/api/actions", json={"action": "fail"}).status_code == 422
    answer = browser.get("/api/preview")
    assert answer.status_code == 409
    assert answer.json() == {"error": "a refit is under way; wait for it"}


def test_a_fault_of_ours_is_one_line_here_and_there(browser, caplog, monkeypatch):
    monkeypatch.delenv("TEXTCLUST_DEBUG", raising=False)
    answer = browser.post("/api/actions", json={"action": "break"})
    assert answer.status_code == 500
    assert "KeyError" in answer.json()["error"]
    assert [each.exc_info for each in caplog.records] == [False]
    assert browser.get("/api/state").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/api",
        "/api/",
        "/api/state/",
        "/api/documents/",
        "/api/documents/-1",
        "/api/documents/1.5",
        "/api/documents/%D9%A3",
        "/api/documents/9999999999",
        "/static",
    ],
)
def test_other_addresses_are_not_there(browser, path):
    answer = browser.get(path)
    assert answer.status_code == 404
    assert list(answer.json()) == ["error"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("index.html", "text/html; charset=utf-8"),
        ("app.js", "text/javascript; charset=utf-8"),
        ("style.css", "text/css; charset=utf-8"),
    ],
)
def test_the_files_of_the_page_have_their_types(browser, name, kind):
    answer = browser.get(f"/static/{name}")
    assert (answer.status_code, answer.text) == (200, FILES[name])
    assert answer.headers.get_list("content-type") == [kind]


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "%2e%2e/secret.js",
        "..%2fsecret.js",
        "..%5csecret.js",
        "%2e%2e%2fsecret.js",
        "..%252fsecret.js",
        "....//secret.js",
        "folder.js",
        "folder.js/",
        "app.js%00",
        "app.js%00.css",
        "APP.JS",
        "app.js/",
        "%2fetc%2fpasswd",
        "/etc/passwd",
        "C:%5cWindows%5cwin.ini",
        "notes.py",
        ".hidden.css",
        "app.js%0d%0aSet-Cookie:%20a=b",
        "%0d%0aX-Injected:%20yes",
        "x" * 5000 + ".js",
    ],
)
def test_nothing_else_is_served(browser, name):
    answer = browser.get(f"/static/{name}")
    assert answer.status_code == 404
    assert "secret" not in answer.text
    assert not {"set-cookie", "x-injected"} & {*answer.headers}


def test_a_page_that_is_not_there_is_said_to_be_so(tmp_path):
    assert StaticFiles(tmp_path / "nowhere").read("index.html") is None
    browser = client(tmp_path)
    (tmp_path / "static" / "index.html").unlink()
    assert browser.get("/").status_code == 404
