"""Every rule of who may talk to the workbench, from the side of those who may not."""

from __future__ import annotations

import logging
import secrets

import pytest

from tests.workbench.fake import HOME, PORT, TOKEN, FakeBench, client
from textclust.errors import InputError
from textclust.workbench.security import COOKIE, MAX_BODY, Security

MOVE = {"action": "move", "documents": ["a"], "cluster": 1}
GETS = ["/", "/static/app.js", "/api/collection", "/api/state", "/api/documents", "/api/preview"]
PAGES = [*GETS, "/nothing", "/api/nothing", "/static/nothing.js", "/api/documents?limit=x"]
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def assert_guarded(answer):
    for name, value in HEADERS.items():
        assert answer.headers.get_list(name) == [value]
    assert answer.headers["cache-control"] in ("no-store", "no-cache")
    assert not [name for name in answer.headers if name.startswith("access-control-")]
    assert TOKEN not in answer.text
    assert TOKEN not in str(answer.headers)
    if answer.status_code >= 400:
        assert list(answer.json()) == ["error"]
        assert "\n" not in answer.json()["error"]


@pytest.fixture
def browser(tmp_path):
    return client(tmp_path)


@pytest.fixture
def stranger(tmp_path):
    return client(tmp_path, let_in=False)


def test_the_token_gives_a_cookie_and_leads_to_the_page(stranger):
    answer = stranger.get(f"/?token={TOKEN}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookies = answer.headers.get_list("set-cookie")
    assert [cookie.partition("=")[0] for cookie in cookies] == [COOKIE, f"{COOKIE}-{PORT}"]
    for cookie in cookies:
        first, *others = cookie.split("; ")
        assert len(first) > 40
        assert sorted(others) == ["HttpOnly", "Path=/", "SameSite=Strict"]
    assert_guarded(answer)
    page = stranger.get("/")
    assert (page.status_code, page.text[:15]) == (200, "<!DOCTYPE html>")


@pytest.mark.parametrize("path", PAGES)
def test_nobody_is_let_in_without_a_cookie(stranger, path):
    answer = stranger.get(path)
    assert answer.status_code == 401
    assert_guarded(answer)


@pytest.mark.parametrize("query", ["", "x", TOKEN[:-1], TOKEN + "x", "%00", "%ff", TOKEN.lower()])
def test_a_wrong_token_is_refused(stranger, query):
    answer = stranger.get(f"/?token={query}")
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
    assert_guarded(answer)


def test_the_token_is_taken_at_one_place_alone(stranger):
    for path in ("/api/state", "/static/app.js", "/index.html"):
        assert stranger.get(f"{path}?token={TOKEN}").status_code == 401
    assert stranger.get(f"/?token={TOKEN}&token={TOKEN}").status_code == 401
    headers = {"Content-Type": "application/json"}
    assert stranger.post(f"/?token={TOKEN}", headers=headers).status_code == 401


def test_a_token_is_compared_in_constant_time(stranger, monkeypatch):
    compared = []
    real = secrets.compare_digest
    monkeypatch.setattr(
        secrets, "compare_digest", lambda one, other: compared.append(one) or real(one, other)
    )
    stranger.get("/?token=guess")
    stranger.get("/", headers={"Cookie": f"{COOKIE}=crumb", "Authorization": "Bearer guess2"})
    assert compared == [b"guess", b"crumb", b"guess2"]


def test_a_short_token_is_refused():
    with pytest.raises(InputError, match="at least 16"):
        Security(None, PORT, "")


@pytest.mark.parametrize(
    "value", ["", "x", TOKEN, '""', "x" * 43, "\u00e9".encode().decode("latin-1")]
)
def test_a_false_cookie_is_refused(stranger, value):
    answer = stranger.get("/api/state", headers={"Cookie": f"{COOKIE}={value}".encode("latin-1")})
    assert answer.status_code == 401


def test_the_cookie_of_another_workbench_is_refused(tmp_path, browser):
    """Browsers send the cookies of a host to all of its ports."""
    other = client(tmp_path / "other")
    theirs = other.cookies[COOKIE]
    browser.cookies.clear()
    assert browser.get("/api/state", headers={"Cookie": f"{COOKIE}={theirs}"}).status_code == 401


def test_two_workbenches_can_be_open_in_one_browser(tmp_path, browser):
    """The second one replaces the cookie of the first, as far as they have the same name."""
    theirs = f"{COOKIE}={client(tmp_path / 'other').cookies[COOKIE]}"
    own = f"{COOKIE}-{PORT}={browser.cookies[COOKIE]}"
    browser.cookies.clear()
    assert browser.get("/api/state", headers={"Cookie": f"{theirs}; {own}"}).status_code == 200
    assert browser.get("/api/state", headers={"Cookie": theirs}).status_code == 401


def test_a_cookie_that_another_port_has_planted_does_not_lock_us_out(browser):
    own = browser.cookies[COOKIE]
    browser.cookies.clear()
    lines = f"{COOKIE}=planted; other=1; {COOKIE}={own}; x"
    assert browser.get("/api/state", headers={"Cookie": lines}).status_code == 200


def test_a_program_may_send_the_token(stranger):
    for scheme in ("Bearer", "bearer"):
        headers = {"Authorization": f"{scheme} {TOKEN}"}
        assert stranger.get("/api/state", headers=headers).status_code == 200
    for wrong in (f"Basic {TOKEN}", TOKEN, "Bearer", f"Bearer {TOKEN}x", "Bearer "):
        assert stranger.get("/api/state", headers={"Authorization": wrong}).status_code == 401


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{PORT}",
        f"127.0.0.1.evil.example:{PORT}",
        f"evil.example#127.0.0.1:{PORT}",
        f"user@127.0.0.1:{PORT}",
        "127.0.0.1",
        "127.0.0.1:80",
        f"127.0.0.1:{PORT}0",
        f"127.0.0.1:0{PORT}",
        f"127.1:{PORT}",
        f"0.0.0.0:{PORT}",
        f"[::1]:{PORT}",
        f"localhost.:{PORT}",
        f"LOCALHOST.evil:{PORT}",
        f" 127.0.0.1:{PORT} x",
        "",
    ],
)
def test_a_name_rebound_to_this_machine_gets_nothing(browser, host):
    for path in ("/", "/api/state", f"/?token={TOKEN}", "/static/app.js"):
        answer = browser.get(path, headers={"Host": host})
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers
        assert_guarded(answer)


@pytest.mark.parametrize(
    ("hosts", "status"),
    [
        ([], 403),
        ([f"127.0.0.1:{PORT}"] * 2, 403),
        ([f"127.0.0.1:{PORT}", "evil.example"], 403),
        (["evil.example", f"127.0.0.1:{PORT}"], 403),
        ([f"127.0.0.1:{PORT}"], 200),
        ([f"localhost:{PORT}"], 200),
    ],
)
def test_there_must_be_one_host(tmp_path, hosts, status):
    headers = [(b"host", host.encode()) for host in hosts]
    assert asked(tmp_path, headers)["status"] == status


def asked(tmp_path, headers, path="/api/state", method="GET"):
    """The answer of the application to a request that no client would make."""
    import asyncio

    app, sent = client(tmp_path).app, []
    own = [*headers, (b"authorization", f"Bearer {TOKEN}".encode())]
    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": own}

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    return sent[0]


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "",
        "application/jsonx",
        "text/plain; application/json",
        "application/json, text/plain",
    ],
)
def test_a_form_of_another_page_changes_nothing(tmp_path, kind):
    """Forms can send these types without asking first, and `text/plain` can look like JSON."""
    bench = FakeBench()
    browser = client(tmp_path, bench=bench)
    body = b'{"action": "discard", "documents": ["a"], "x": "="}'
    answer = browser.post("/api/actions", content=body, headers={"Content-Type": kind})
    assert answer.status_code == 400
    assert_guarded(answer)
    assert bench.actions == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},  # another port of this machine
        {"Sec-Fetch-Site": ""},
        {"Sec-Fetch-Site": "same-origin, cross-site"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"https://127.0.0.1:{PORT}"},
        {"Origin": "http://127.0.0.1:3000"},
        {"Origin": f"http://localhost:{PORT}"},  # not the host of this request
        {"Origin": f"{HOME}.evil.example"},
        {"Origin": f"{HOME}/"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://evil.example"},
    ],
)
def test_other_pages_can_neither_change_nor_read(tmp_path, headers):
    bench = FakeBench()
    browser = client(tmp_path, bench=bench)
    for path in ("/api/actions", "/api/cancel", "/api/export", "/"):
        answer = browser.post(path, json=MOVE, headers=headers)
        assert answer.status_code == 403
        assert_guarded(answer)
    assert bench.actions == []
    for path in ("/api/state", "/api/documents/1", "/api/events", "/static/app.js"):
        assert browser.get(path, headers=headers).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "same-origin", "Origin": HOME},
        {"Sec-Fetch-Site": "none"},
        {"Host": f"localhost:{PORT}", "Origin": f"http://localhost:{PORT}"},
        {"Content-Type": "application/json; charset=utf-8"},
        {"Content-Type": "Application/JSON"},
    ],
)
def test_the_page_itself_and_programs_can(browser, headers):
    own = {"Cookie": f"{COOKIE}={browser.cookies[COOKIE]}", **headers}
    assert browser.post("/api/actions", json=MOVE, headers=own).status_code == 200
    assert browser.get("/api/state", headers=own).status_code == 200


def test_a_link_on_another_page_may_lead_here(browser):
    assert browser.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "X"])
def test_no_other_method_and_no_preflight(browser, method):
    headers = {
        "Origin": "http://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
        "Access-Control-Request-Private-Network": "true",
    }
    for path in ("/api/actions", "/"):
        answer = browser.request(method, path, headers=headers)
        assert answer.status_code == 405
        assert_guarded(answer)


def test_reading_and_changing_keep_to_their_methods(browser):
    assert browser.get("/api/actions").status_code == 405
    answer = browser.post("/api/state", json={})
    assert answer.status_code == 405
    assert_guarded(answer)


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_is_kept_from_other_pages(browser, path):
    for answer in (browser.get(path), browser.get(path, headers={"Origin": "http://evil.example"})):
        assert_guarded(answer)
        static = path.startswith("/static/")
        assert answer.headers["cache-control"] == ("no-cache" if static else "no-store")


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"action": "fail"}', b'{"action": "break"}', b'{"action": "nan"}']
)
def test_errors_too(browser, body, caplog):
    headers = {"Content-Type": "application/json"}
    answer = browser.post("/api/actions", content=body, headers=headers)
    assert answer.status_code in (400, 422, 500)
    assert_guarded(answer)


def test_a_body_may_have_8_mebibytes_and_no_more(browser):
    headers = {"Content-Type": "application/json"}
    start, end = b'{"action": "rename", "name": "', b'"}'
    fits = start + b"x" * (MAX_BODY - len(start + end)) + end
    assert browser.post("/api/actions", content=fits, headers=headers).status_code == 200
    answer = browser.post("/api/actions", content=fits + b" ", headers=headers)
    assert answer.status_code == 413
    assert_guarded(answer)
    lying = {**headers, "Content-Length": "10"}
    assert browser.post("/api/actions", content=fits + b" ", headers=lying).status_code == 413


def test_a_larger_body_can_be_allowed(tmp_path):
    headers = {"Content-Type": "application/json"}
    body = b'{"action": "rename", "name": "' + b"x" * 100 + b'"}'
    for most, status in ((len(body), 200), (len(body) - 1, 413)):
        answer = client(tmp_path, max_body=most).post("/api/actions", content=body, headers=headers)
        assert answer.status_code == status


def test_addresses_and_headers_are_bounded(browser):
    for headers in ({"X-Long": "x" * 40_000}, {f"X-{n}": "" for n in range(120)}):
        answer = browser.get("/api/state", headers=headers)
        assert answer.status_code == 400
        assert_guarded(answer)
    assert browser.get("/api/documents?search=" + "x" * 40_000).status_code == 400


def test_websockets_are_refused(browser):
    from starlette.websockets import WebSocketDisconnect

    with pytest.raises(WebSocketDisconnect), browser.websocket_connect("/api/events"):
        pass


def test_the_token_is_nowhere(browser, stranger, caplog):
    caplog.set_level(logging.DEBUG)
    seen = [browser.get(path) for path in PAGES]
    seen += [browser.get(f"/?token={TOKEN}"), stranger.get(f"/nothing?token={TOKEN}")]
    broken = {"action": "break"}
    seen.append(browser.post("/api/actions", json=broken, headers={"X": f"Bearer {TOKEN}"}))
    for answer in seen:
        assert_guarded(answer)
    ours = [each for each in caplog.records if not each.name.startswith("httpx")]
    assert ours
    assert all(TOKEN not in each.getMessage() for each in ours)
