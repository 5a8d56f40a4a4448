"""Questions to the workers that hold the parts; asked again where a worker was lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from functools import reduce
from operator import add
from time import sleep
from typing import Any, TypeVar

from distributed import Client, Future, KilledWorker
from distributed.comm.core import CommClosedError

from textclust.distributed.sent import OnWorkers
from textclust.errors import TextclustError

__all__ = ["LostPartError", "added_up", "ask"]

T = TypeVar("T")

_TRIES = 4
_PAUSE = 0.2  # seconds for the scheduler to notice who is gone
_TOGETHER = 8  # answers that one worker adds up


class LostPartError(TextclustError):
    """Rows went with their worker, and could not be made again."""


def ask(
    client: Client,
    of_part: Callable[..., T],
    parts: Sequence[Future[Any]],
    given: Sequence[tuple[object, ...]] | None = None,
    shared: OnWorkers | None = None,
    most: int | None = None,
) -> list[T]:
    """What a function makes of each part, of what all share, and of what it is given for each.

    Dask makes a part again whose worker was lost; what was sent there is sent again. So functions
    have to give the same answer when they are asked a second time. Answers that are to be added up,
    in any order, come as no more than `most`: each worker begins with its own.
    """
    each = given or [()] * len(parts)
    for last in (*[False] * (_TRIES - 1), True):
        try:
            common = () if shared is None else (shared.there(client),)
            places = _places(client, parts)
            futures = [
                client.submit(of_part, part, *common, *more, pure=False, **place)
                for part, more, place in zip(parts, each, places, strict=True)
            ]
            if most is not None:
                futures = added_up(client, _added_in_place(client, futures, places), most)
            found: list[T] = _gathered(client, futures)
            return found
        except (CancelledError, CommClosedError, KilledWorker) as error:
            if last:
                raise LostPartError(
                    "a part of the matrix was lost with its worker and could not be made again "
                    f"({type(error).__name__}); give workers more memory, and make parts with "
                    "client.submit, not client.scatter"
                ) from error
            if shared is not None:
                shared.renew()
            sleep(_PAUSE)
    raise AssertionError("the last try has an answer or an error")


def added_up(client: Client, answers: Sequence[Future[Any]], most: int = 1) -> list[Future[Any]]:
    """No more than so many answers: those that follow each other are added up on the workers."""
    left = list(answers)
    while len(left) > most:
        groups = range(0, len(left), _TOGETHER)
        left = [client.submit(_sum, left[g : g + _TOGETHER], pure=False) for g in groups]
    return left


def _added_in_place(
    client: Client, answers: Sequence[Future[Any]], places: Sequence[dict[str, Any]]
) -> list[Future[Any]]:
    """The sum of the answers that lie at each place."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for number, place in enumerate(places):
        groups.setdefault(tuple(place.get("workers", ())), []).append(number)
    return [
        answers[group[0]]
        if len(group) == 1
        else client.submit(_sum, [answers[g] for g in group], pure=False, **places[group[0]])
        for group in groups.values()
    ]


def _places(client: Any, parts: Sequence[Future[Any]]) -> list[dict[str, Any]]:
    """Where to ask about each part: where it lies, however much larger what it is asked with is."""
    there = client.who_has(list(parts))
    found = [list(there.get(part.key, ())) for part in parts]
    return [{"workers": on, "allow_other_workers": True} if on else {} for on in found]


def _sum(answers: Sequence[Any]) -> Any:
    return reduce(add, answers)


def _gathered(client: Any, futures: Sequence[Future[Any]]) -> Any:
    return client.gather(list(futures))
