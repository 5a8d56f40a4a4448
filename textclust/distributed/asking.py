"""Questions to the workers that hold the parts; asked again where a worker was lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from functools import reduce
from operator import add
from typing import Any, Protocol, TypeVar

from distributed import Client, Future, KilledWorker

from textclust.errors import TextclustError

__all__ = ["LostPartError", "Shared", "ask"]

T = TypeVar("T")

_TRIES = 4


class LostPartError(TextclustError):
    """Rows went with their worker, and could not be made again."""


class Shared(Protocol):
    """What every worker needs to answer; it lies with them until it is no longer needed."""

    def there(self, client: Client) -> Future[Any]:
        """It, on the workers."""

    def renew(self) -> None:
        """It may be lost: send it again."""


def ask(
    client: Client,
    of_part: Callable[..., T],
    parts: Sequence[Future[Any]],
    given: Sequence[tuple[object, ...]] | None = None,
    shared: Shared | None = None,
    together: int = 0,
) -> list[T]:
    """What a function makes of each part, of what all share, and of what it is given for each.

    Dask makes a part again whose worker was lost; what was sent there is sent again. So functions
    have to give the same answer when they are asked a second time. Answers that are added up can be
    so on the workers, so many `together`, again and again.
    """
    for last in (*[False] * (_TRIES - 1), True):
        try:
            common = () if shared is None else (shared.there(client),)
            futures = [
                client.submit(of_part, part, *common, *more, pure=False)
                for part, more in zip(parts, given or [()] * len(parts), strict=True)
            ]
            while together and len(futures) > together:
                groups = range(0, len(futures), together)
                futures = [
                    client.submit(sum_of, futures[g : g + together], pure=False) for g in groups
                ]
            found: list[T] = _gathered(client, futures)
            return found
        except (CancelledError, KilledWorker) as error:
            if last:
                raise LostPartError(
                    f"a part of the matrix was lost with its worker ({error}); make parts with "
                    "client.submit, not client.scatter, so that they can be made again"
                ) from error
            if shared is not None:
                shared.renew()
    raise AssertionError("the last try has an answer or an error")


def _gathered(client: Any, futures: Sequence[Future[Any]]) -> Any:
    return client.gather(list(futures))


def sum_of(answers: Sequence[Any]) -> Any:
    """Answers added up, one after the other."""
    return reduce(add, answers)
