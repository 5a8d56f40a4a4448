"""A Dask cluster that answers at once, for what has to be asked very often.

It is as much of `distributed.Client` as textclust.distributed uses for a matrix. What would travel
is pickled and unpickled; what lies with a worker stays the object that it is.
"""

from __future__ import annotations

import pickle
from itertools import count

import cloudpickle

__all__ = ["FakeClient"]


class _Future:
    """What a task made, or the error that it ended with."""

    _made = count()

    def __init__(self, make):
        self._value = self._error = None
        self.worker = f"worker {next(self._made) % 2}"
        try:
            self._value = make()
        except Exception as error:
            self._error = error

    @property
    def key(self):
        return str(id(self))

    @property
    def value(self):
        if self._error is not None:
            raise self._error
        return self._value


class FakeClient:
    """Tasks are done when they are submitted; what they make lies with two workers in turns."""

    def submit(self, task, *given, pure, **where):
        assert pure is False, "two tasks with the same name would be one"
        task, *sent = _sent([task, *given])
        return _Future(lambda: task(*map(_there, sent)))

    def gather(self, futures):
        return [_travelled(future.value) for future in futures]

    def who_has(self, futures):
        return {future.key: (future.worker,) for future in futures}

    def scatter(self, value, *, hash):  # noqa: A002
        assert hash is False, "two that are equal may change each for itself"
        there = _travelled(value)
        return _Future(lambda: there)


def _sent(given):
    return [each if _names_futures(each) else _travelled(each) for each in given]


def _names_futures(each):
    return isinstance(each, _Future) or (
        isinstance(each, list) and any(isinstance(part, _Future) for part in each)
    )


def _there(each):
    """What a task is given for a future: what it stands for."""
    if isinstance(each, _Future):
        return each.value
    return [part.value for part in each] if _names_futures(each) else each


def _travelled(value):
    try:
        return pickle.loads(pickle.dumps(value))
    except (AttributeError, pickle.PicklingError):  # a function without a name
        return cloudpickle.loads(cloudpickle.dumps(value))
