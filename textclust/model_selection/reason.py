"""Why a number of clusters was chosen, in a sentence that the table supports.

Every figure in it stands in the table, or follows from it by the rule that is stated beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from textclust.model_selection.row import EvidenceRow

__all__ = ["Basis", "reason"]

_SIMILAR = 0.02  # a difference of stability that says nothing
_LISTED = 3  # numbers named in a list


@dataclass(frozen=True)
class Basis:
    """The table, what was chosen of it and by what rule."""

    rows: Sequence[EvidenceRow]
    chosen: int  # its place among the rows
    by: str  # "stability", "links", "bic", or "only" where there is one row
    without_links: int  # the number that would be chosen without the links
    fineness: float  # the loss of stability accepted for e times as many clusters
    stable: float  # the least stability of a number that is called stable
    default: range | None  # the numbers looked at unless others are asked for

    @property
    def row(self) -> EvidenceRow:
        """The row chosen."""
        return self.rows[self.chosen]

    @property
    def most_stable(self) -> EvidenceRow:
        """The first of the rows with the greatest stability."""
        measured = [row for row in self.rows if row.stability is not None]
        return max(measured, key=_stability)


def reason(basis: Basis) -> str:
    """The number, its evidence, what was close, and what the range leaves open."""
    row = basis.row
    words = [f"{row.k} cluster{'' if row.k == 1 else 's'}" + _evidence(row)]
    if basis.by == "only":
        words += ["no other number was looked at"]
    elif basis.by == "stability":
        words += [*_compared(basis), *_similar(basis)]
    else:
        words += _unstable(basis)
    return "; ".join([*words, *_largest(basis), *_cut(basis)])


def _evidence(row: EvidenceRow) -> str:
    words = []
    if row.stability is not None:
        words.append(f"stability {row.stability:.2f} (1 = perfect, 0 = chance)")
    if row.links_kept is not None:
        words.append(f"{row.links_kept:.0%} of the links kept (each kind weighted alike)")
    return f": {', '.join(words)}" if words else ""


def _compared(basis: Basis) -> list[str]:
    """Why it is not the number that stability alone would choose."""
    row, best = basis.row, basis.most_stable
    if row.k != basis.without_links:
        return [f"without the links it would be {basis.without_links}"]
    loss = _stability(best) - _stability(row)
    if loss <= 0:
        return []
    accepted = basis.fineness * log(row.k / best.k)
    return [
        f"{best.k} is more stable ({best.stability:.2f}), but {row.k} clusters are finer: "
        f"a loss of {loss:.2f} is within the {accepted:.2f} accepted for that"
    ]


def _similar(basis: Basis) -> list[str]:
    """The other numbers that stability does not tell from the one chosen."""
    own = _stability(basis.row)
    near = [
        str(row.k)
        for row in basis.rows
        if row is not basis.row and round(abs(_stability(row) - own), 2) <= _SIMILAR
    ]
    if not near:
        return []
    more = f" and {len(near) - _LISTED} more" if len(near) > _LISTED else ""
    return [f"about as stable (within {_SIMILAR}): {', '.join(near[:_LISTED])}{more}"]


def _unstable(basis: Basis) -> list[str]:
    best = basis.most_stable
    rule = {"links": "the share of links kept", "bic": "BIC"}[basis.by]
    words = [
        f"chosen by {rule} alone, because no number has a stability of {basis.stable} or more "
        f"(the best is {best.k} with {best.stability:.2f})"
    ]
    return words if basis.by == "links" else [*words, "a few links would help"]


def _largest(basis: Basis) -> list[str]:
    if len(basis.rows) == 1 or basis.chosen < len(basis.rows) - 1:
        return []
    return ["it is the largest number looked at, a larger one may be better"]


def _cut(basis: Basis) -> list[str]:
    looked_at = [row.k for row in basis.rows]
    if basis.default is None or not set(basis.default) - set(looked_at):
        return []
    return [f"only {_numbers(looked_at)} looked at, the default is {_numbers(basis.default)}"]


def _numbers(numbers: Sequence[int]) -> str:
    """2 to 20; or one by one, where some between are missing."""
    if len(numbers) > 1 and len(numbers) == numbers[-1] - numbers[0] + 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(map(str, numbers))


def _stability(row: EvidenceRow) -> float:
    return float("-inf") if row.stability is None else row.stability
