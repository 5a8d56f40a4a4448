"""What workers need beside their rows, slopes of clusters above all, on its way to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from distributed import Client, Future

from textclust.geometry.affine import AffineForm, Array, as_table
from textclust.geometry.optimum import ClusterOptimum

__all__ = ["OnWorkers", "Slopes", "without_slopes"]

_SPARSE = 0.5  # of the values: where fewer are not zero, only those are sent


@dataclass(frozen=True, eq=False)
class Slopes:
    """Slopes as a worker gets them: once, however many parts it has."""

    by_term: Any  # d x k, dense or CSR

    @classmethod
    def of(cls, slopes: Array) -> Self:
        """A copy of slopes that may change afterwards, without the zeros where these are many."""
        by_term = slopes.T
        if np.count_nonzero(by_term) < _SPARSE * by_term.size:
            return cls(sp.csr_array(by_term))
        return cls(np.array(by_term, dtype=np.float64, order="C"))

    def __getstate__(self) -> Any:
        return self.by_term

    def __setstate__(self, by_term: Any) -> None:
        object.__setattr__(self, "by_term", by_term)

    def __sizeof__(self) -> int:
        return int(np.prod(self.by_term.shape)) * 8

    @cached_property
    def dense(self) -> Array:
        """k x d, term by term in memory."""
        return as_table(self.by_term).T

    def form(self, bare: AffineForm) -> AffineForm:
        """A form with these slopes."""
        return replace(bare, slopes=self.dense)

    def optimum(self, bare: ClusterOptimum) -> ClusterOptimum:
        """An optimum whose form has these slopes."""
        return bare._replace(form=self.form(bare.form))


class OnWorkers:
    """Something that every worker needs, sent to one when the first is asked about it.

    The others have it from there. Dask's `broadcast` would wait for a worker that is lost meanwhile
    for ever.
    """

    def __init__(self, made: Callable[[], object]) -> None:
        self._made = made
        self._future: Future[Any] | None = None

    def there(self, client: Client) -> Future[Any]:
        """It, on the workers."""
        if self._future is None:
            sent: Any = client
            self._future = sent.scatter(self._made(), hash=False)
        return self._future

    def renew(self) -> None:
        """It may be lost: send it again."""
        self._future = None


def without_slopes(form: AffineForm) -> AffineForm:
    """The rest of a form, which is small."""
    return replace(form, slopes=np.empty((len(form.offsets), 0)), packed=None)
