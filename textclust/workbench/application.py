"""The requests that the workbench answers: its page, and the JSON interface below it."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from textclust.errors import TextclustError
from textclust.workbench.answers import error, json_answer
from textclust.workbench.bench import Bench, Busy, Content
from textclust.workbench.events import Feed
from textclust.workbench.requests import Malformed, Parameters, body_of, flag_in, refuse_others
from textclust.workbench.static_files import PAGE, StaticFiles

__all__ = ["MAX_LIST", "application"]

_ORDERS = ("collection", "typical", "borderline", "novel", "duplicates")
_QUESTIONS = ("pair", "set", "cluster")
_MAX_SEARCH = 1000  # characters
MAX_LIST = 1000
_logger = logging.getLogger("textclust.workbench")

Work = Callable[[], Response]
Endpoint = Callable[[Request], Awaitable[Response]]


def application(bench: Bench, feed: Feed, threads: Executor, static: StaticFiles) -> Starlette:
    """The application over a workbench, without the checks of who asks."""

    def get(path: str, asked: Callable[[Request], Callable[[], Content]]) -> Route:
        async def endpoint(request: Request) -> Response:
            return await _answer(request, threads, lambda: asked(request))

        return Route(path, endpoint, methods=["GET"])

    def post(path: str, asked: Callable[[Content], Callable[[], Content]]) -> Route:
        async def endpoint(request: Request) -> Response:
            body = await request.body()
            return await _answer(request, threads, lambda: asked(body_of(body)))

        return Route(path, endpoint, methods=["POST"])

    async def file(request: Request) -> Response:
        name = request.path_params.get("name", PAGE)
        return await _in_thread(threads, partial(_file, static, name))

    async def events(_: Request) -> Response:
        return StreamingResponse(feed.stream(), media_type="text/event-stream")

    routes = [
        Route("/", file, methods=["GET"]),
        Route("/static/{name}", file, methods=["GET"]),
        get("/api/collection", _without_parameters(bench.collection)),
        get("/api/state", _without_parameters(bench.state)),
        get("/api/documents", partial(_documents, bench)),
        get("/api/documents/{row}", partial(_document, bench)),
        get("/api/preview", _without_parameters(bench.preview)),
        get("/api/wizard", partial(_wizard, bench)),
        get("/api/questions", partial(_questions, bench)),
        get("/api/split", partial(_split, bench)),
        Route("/api/events", events, methods=["GET"]),
        post("/api/actions", partial(_action, bench)),
        post("/api/cancel", partial(_cancel, bench)),
        post("/api/export", partial(_export, bench)),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: _http_error})
    app.router.redirect_slashes = False
    return app


def _without_parameters(work: Callable[[], Content]) -> Callable[[Request], Callable[[], Content]]:
    def asked(request: Request) -> Callable[[], Content]:
        _parameters(request)
        return work

    return asked


def _documents(bench: Bench, request: Request) -> Callable[[], Content]:
    known = ("cluster", "order", "search", "regex", "rows", "offset", "limit")
    given = _parameters(request, *known)
    return partial(
        bench.documents,
        given.optional_number("cluster"),
        given.choice("order", _ORDERS),
        given.text("search", _MAX_SEARCH),
        given.flag("regex"),
        given.numbers("rows"),
        given.number("offset", 0),
        given.number("limit", 100, most=MAX_LIST),
    )


def _document(bench: Bench, request: Request) -> Callable[[], Content]:
    _parameters(request)
    row = request.path_params["row"]
    if not (row.isascii() and row.isdecimal() and len(row) < 10):
        raise HTTPException(404)
    return partial(bench.document, int(row))


def _wizard(bench: Bench, request: Request) -> Callable[[], Content]:
    return partial(bench.wizard, _parameters(request, "n").number("n", 10, most=MAX_LIST))


def _questions(bench: Bench, request: Request) -> Callable[[], Content]:
    given = _parameters(request, "kind", "n")
    kind, n = given.choice("kind", _QUESTIONS), given.number("n", 3, most=MAX_LIST)
    return partial(bench.questions, kind, n)


def _split(bench: Bench, request: Request) -> Callable[[], Content]:
    return partial(bench.split, _parameters(request, "cluster").required_number("cluster"))


def _action(bench: Bench, body: Content) -> Callable[[], Content]:
    if not isinstance(body.get("action"), str):
        raise Malformed("no action; name one in the field 'action'")
    return partial(bench.act, body)


def _cancel(bench: Bench, body: Content) -> Callable[[], Content]:
    refuse_others(body, ())
    return bench.cancel


def _export(bench: Bench, body: Content) -> Callable[[], Content]:
    refuse_others(body, ("report", "model"))
    return partial(bench.export, flag_in(body, "report"), flag_in(body, "model"))


def _parameters(request: Request, *known: str) -> Parameters:
    return Parameters(request.scope["query_string"], known)


async def _answer(
    request: Request, threads: Executor, asked: Callable[[], Callable[[], Content]]
) -> Response:
    """Do what is asked in a thread, and say what came of it."""
    return await _in_thread(threads, partial(_done, request.url.path, asked))


def _done(path: str, asked: Callable[[], Callable[[], Content]]) -> Response:
    try:
        return json_answer(asked()())
    except Malformed as wrong:
        return error(400, str(wrong))
    except Busy as busy:
        return error(409, str(busy))
    except TextclustError as wrong:
        return error(422, str(wrong))
    except HTTPException:
        raise
    except MemoryError:
        return error(500, "not enough memory for this; close other programs or ask for less")
    except Exception as fault:
        what = " ".join(f"a fault in textclust itself ({type(fault).__name__}: {fault})".split())
        in_full = bool(os.environ.get("TEXTCLUST_DEBUG"))
        _logger.error("%s: %s; TEXTCLUST_DEBUG=1 shows where", path, what, exc_info=in_full)
        return error(500, f"{what}; the terminal of the workbench says more")


async def _in_thread(threads: Executor, work: Work) -> Response:
    """Let the loop go on meanwhile; when the server ends it does not wait for the thread."""
    return await asyncio.get_running_loop().run_in_executor(threads, work)


def _file(static: StaticFiles, name: str) -> Response:
    found = static.read(name)
    if found is None:
        return error(404, "there is no such page")
    content, kind = found
    return Response(content, media_type=None, headers={"Content-Type": kind})


async def _http_error(_: Request, wrong: Exception) -> Response:
    """What the router refuses, in our form."""
    status = wrong.status_code if isinstance(wrong, HTTPException) else 500
    return error(status, _REASONS.get(status, "this cannot be done"))


_REASONS = {404: "there is no such address", 405: "not by this method; GET reads and POST changes"}
