"""Answers of the server: JSON, and an error as one line of it."""

from __future__ import annotations

import json

from starlette.responses import Response

__all__ = ["as_json", "error", "json_answer"]


def as_json(content: object) -> bytes:
    """The content in UTF-8; letters that this lacks are escaped."""
    try:
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def json_answer(content: object, status: int = 200) -> Response:
    """An answer with this content."""
    return Response(as_json(content), status, media_type="application/json")


def error(status: int, message: str) -> Response:
    """An answer that says in one line what is wrong."""
    return json_answer({"error": " ".join(message.split())}, status)
