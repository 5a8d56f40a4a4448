"""Who may talk to the workbench: the page it serves, and programs that know its token.

A page of another site can make a browser send requests here; it can rebind its own name to
127.0.0.1; it can put this page into a frame. So the Host must be ours, the request must come from
our page by what the browser says of it, a cookie must be there that other sites cannot send, and
no answer may be read or framed elsewhere. Other users of the machine lack the token.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from urllib.parse import parse_qsl

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from textclust.errors import InputError
from textclust.workbench.answers import error

__all__ = ["COOKIE", "MAX_BODY", "Security"]

COOKIE = "textclust"
MAX_BODY = 8 << 20
_MAX_QUERY = 32 << 10  # a search of 1,000 letters takes 12,000 bytes, 1,000 rows take 10,000
_MAX_HEADERS = 32 << 10
_MAX_HEADER_COUNT = 100
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_MIN_TOKEN = 16
_METHODS = ("GET", "HEAD", "POST")


class Security:
    """An application that is asked only what its own page, or a program with the token, asks."""

    def __init__(self, app: ASGIApp, port: int, token: str, max_body: int = MAX_BODY) -> None:
        if len(token) < _MIN_TOKEN:
            raise InputError(f"token must have at least {_MIN_TOKEN} characters; make a random one")
        self._app, self._max_body = app, max_body
        self._token = token.encode("utf-8")
        self._cookie = secrets.token_urlsafe(32).encode("ascii")
        # The second name is for one of several workbenches: a browser has one jar for all ports.
        self._names = (COOKIE, f"{COOKIE}-{port}")
        self._hosts = [f"{name}:{port}".encode("ascii") for name in ("127.0.0.1", "localhost")]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or hand it on with its whole body."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return
        send = _with_headers(send, is_static=scope["path"].startswith("/static/"))
        answer = self._refusal(scope) or self._entry(scope) or self._stranger(scope)
        if answer is None and scope["method"] == "POST":
            body = await _read_body(receive, self._max_body)
            if body is None:
                return
            if len(body) > self._max_body:
                answer = self._too_much()
            receive = _again(body, receive)
        if answer is None:
            await self._app(scope, receive, send)
            return
        if scope["method"] not in ("GET", "HEAD"):
            answer.headers["Connection"] = "close"  # nobody has read the body
        await answer(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        """What is wrong with a request, whoever makes it."""
        host = _values(scope, b"host")
        if len(host) != 1 or host[0] not in self._hosts:
            return error(403, "another host; open the address that textclust printed")
        if scope["method"] not in _METHODS:
            return error(405, "only GET and POST are known here")
        if _is_too_long(scope):
            return error(400, "the address or the headers are too long; ask for less at once")
        is_visit = scope["path"] == "/" and scope["method"] != "POST"  # a link may lead to the page
        if not is_visit and not _is_from_here(scope, host[0]):
            return error(403, "asked from another page; use the workbench itself")
        if scope["method"] == "POST" and not _is_json(scope):
            return error(400, "the body must be JSON; send it with Content-Type: application/json")
        if scope["method"] == "POST" and _declared_length(scope) > self._max_body:
            return self._too_much()
        return None

    def _too_much(self) -> Response:
        most = f"more than {self._max_body / (1 << 20):.3g} MiB"
        return error(
            413, f"{most}; send less at once, or open the workbench with a larger max-body"
        )

    def _entry(self, scope: Scope) -> Response | None:
        """The way in: a cookie for the token, and on to the page."""
        if scope["method"] != "GET" or scope["path"] != "/":
            return None
        query = scope["query_string"].decode("latin-1")
        given = [value for name, value in parse_qsl(query, errors="replace") if name == "token"]
        if not given:
            return None
        if len(given) > 1 or not _matches([given[0].encode("utf-8", "replace")], self._token):
            return error(401, "not the token; open the address that textclust printed last")
        answer = Response(status_code=303, headers={"Location": "/"})
        for name in self._names:
            cookie = f"{name}={self._cookie.decode()}; HttpOnly; SameSite=Strict; Path=/"
            answer.headers.append("Set-Cookie", cookie)
        return answer

    def _stranger(self, scope: Scope) -> Response | None:
        """A refusal for those with neither cookie nor token."""
        cookies = _cookies(scope, self._names)
        if _matches(cookies, self._cookie) or _matches(_bearers(scope), self._token):
            return None
        return error(401, "no cookie; open the address with the token that textclust printed")


def _with_headers(send: Send, *, is_static: bool) -> Send:
    """Send every answer with what keeps it from other pages."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(_HEADERS)
            headers["Cache-Control"] = "no-cache" if is_static else "no-store"
        await send(message)

    return sending


async def _read_body(receive: Receive, most: int) -> bytes | None:
    """The body, or a little more than is allowed of a longer one; None if the client has gone."""
    body = bytearray()
    while len(body) <= most:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """Receive a body that was read already, and then what comes after it."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receiving() -> Message:
        return waiting.pop() if waiting else await receive()

    return receiving


def _is_from_here(scope: Scope, host: bytes) -> bool:
    """Whether our page asks, by what a browser says; a program says nothing."""
    sites, origins = _values(scope, b"sec-fetch-site"), _values(scope, b"origin")
    return {*sites} <= {b"same-origin", b"none"} and {*origins} <= {b"http://" + host}


def _is_json(scope: Scope) -> bool:
    """Whether the body is said to be JSON, which no form of another page can say."""
    given = _values(scope, b"content-type")
    return [each.partition(b";")[0].strip().lower() for each in given] == [b"application/json"]


def _is_too_long(scope: Scope) -> bool:
    headers = scope["headers"]
    return (
        len(scope["query_string"]) > _MAX_QUERY
        or len(headers) > _MAX_HEADER_COUNT
        or sum(len(name) + len(value) for name, value in headers) > _MAX_HEADERS
    )


def _declared_length(scope: Scope) -> int:
    """The length that the headers state; what comes is counted all the same."""
    given = [value for value in _values(scope, b"content-length") if value.isdigit()]
    return max((int(value[:20]) for value in given), default=0)


def _cookies(scope: Scope, names: Iterable[str]) -> list[bytes]:
    """Every cookie of these names: a server on another port may have set one too."""
    pairs = [
        pair.strip().partition(b"=")
        for line in _values(scope, b"cookie")
        for pair in line.split(b";")
    ]
    wanted = {name.encode("ascii") for name in names}
    return [value for name, _, value in pairs if name in wanted]


def _bearers(scope: Scope) -> list[bytes]:
    given = [line.partition(b" ") for line in _values(scope, b"authorization")]
    return [value.strip() for scheme, _, value in given if scheme.lower() == b"bearer"]


def _values(scope: Scope, name: bytes) -> list[bytes]:
    return [value for each, value in scope["headers"] if each == name]


def _matches(given: Iterable[bytes], secret: bytes) -> bool:
    """Whether one of them is the secret, in a time that tells nothing of it."""
    return any(secrets.compare_digest(each, secret) for each in given)
