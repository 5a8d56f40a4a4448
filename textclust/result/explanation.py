"""Why a document is where it is: the affine form, read term by term.

    cost(runner-up) - cost(own) = (c_r - c_o) + sum_t x_t (B_ot - B_rt)

Each summand is one term's pull; they add up to the margin exactly, for every distortion.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from textclust.display import Displayed, Sheet
from textclust.geometry.affine import AffineForm, Array, Matrix
from textclust.geometry.affine import costs as cost_table
from textclust.geometry.assignment import nearest
from textclust.result.terms import Term

__all__ = ["Explanation", "Push", "explain_row"]

_PULLS = 5  # terms on either side that are shown


@dataclass(frozen=True)
class Push:
    """What a link says about one of its documents: to the cluster of the other, or away."""

    other: str
    kind: str
    cluster: int  # of the other
    price: float | None
    kept: bool


@dataclass(frozen=True, repr=False)
class Explanation(Displayed):
    """Which terms pull a document to its cluster, which to its second choice, and by how much.

    `margin` is how much further away the second choice is; `here` and `there` list the pulls,
    the strongest first; `rest` is what does not depend on the document's terms, and `vectors`
    what its dense vector says, as one figure. Links have no part in the margin: it is negative
    where they or its class hold a document elsewhere.
    """

    document: str
    cluster: int
    name: str
    runner_up: int
    runner_up_name: str
    margin: float
    here: list[Term]
    there: list[Term]
    rest: float
    pushes: list[Push] = field(default_factory=list)  # of the links it is in
    seed: str | None = None  # its class, where it is a seed
    label_model: float | None = None  # what of the margin it adds, where there is one
    vectors: float | None = None  # what of it the vectors beside the terms add, where there are any
    fits: bool = True  # False where outliers were set apart, and it is one: the cluster is nearest
    row: int | None = None  # its row number; None for a text that is new

    def to_dict(self) -> dict[str, object]:
        """Plain data, ready for JSON."""
        from dataclasses import asdict

        return asdict(self)

    def __str__(self) -> str:
        if self.cluster == self.runner_up:
            return f"{self._which} is in {self.name!r}, the only cluster"
        where = "is in" if self.fits else "fits nowhere; nearest is"
        here = ", ".join(f"{pull.term} {pull.weight:+.3f}" for pull in self.here[:8]) or "nothing"
        there = ", ".join(f"{pull.term} {pull.weight:+.3f}" for pull in self.there[:8]) or "nothing"
        return (
            f"{self._which} {where} {self.name!r} by a margin of {self.margin:.3f} over "
            f"{self.runner_up_name!r}; pulled here by {here}; pulled there by {there}"
            + ("" if self.vectors is None else f"; its vector says {self.vectors:+.3f}")
        )

    @property
    def _which(self) -> str:
        """The id, and the row number beside one that could be taken for it."""
        is_alike = self.row is not None and self.document.isdigit()
        return f"{self.document} (row {self.row})" if is_alike else self.document

    def _sheet(self) -> Sheet:
        title = f"{self._which} is in cluster {self.cluster}, {self.name}"
        if self.cluster == self.runner_up:
            return Sheet(f"{title}: the only one")
        pulls = [(pull.term, self.name, pull.weight) for pull in self.here[:_PULLS]]
        pulls += [(pull.term, self.runner_up_name, -pull.weight) for pull in self.there[:_PULLS]]
        return Sheet(
            f"{title}: {self.margin:.3f} nearer than to {self.runner_up}, {self.runner_up_name}",
            ("term", "pulls towards", "by"),
            pulls,
        )


def explain_row(
    row: Matrix,
    form: AffineForm,
    vocabulary: list[str],
    names: list[str],
    document: str,
    cluster: int | None = None,
    rival: int | None = None,
    said: Array | None = None,
) -> Explanation:
    """Explain one prepared CSR row: why it is in a cluster, by default the nearest, and not in
    another, by default the next.

    `said` is what else is nearer in each cluster, by the vector beside its terms.
    """
    table = cost_table(row, form)[0]
    if said is not None:
        table = table - said
    if cluster is None:
        own = int(nearest(row, form).labels[0]) if said is None else int(table.argmin())
    else:
        own = cluster
    others = np.where(np.arange(len(table)) == own, np.inf, table)
    if rival is None:
        rival = int(others.argmin()) if len(table) > 1 else own
    pulls = row.data * (form.slope(own, row.indices) - form.slope(rival, row.indices))
    each, whose = np.unique(row.indices % len(vocabulary), return_inverse=True)  # x, perhaps x^2
    whole = np.bincount(whose, pulls, len(each))
    columns = zip(each.tolist(), whole.tolist(), strict=True)
    terms = [Term(vocabulary[t], pull) for t, pull in columns]
    return Explanation(
        document=document,
        cluster=own,
        name=names[own],
        runner_up=rival,
        runner_up_name=names[rival],
        margin=float(table[rival] - table[own]),
        here=sorted((t for t in terms if t.weight > 0), key=lambda t: (-t.weight, t.term)),
        there=sorted((t for t in terms if t.weight < 0), key=lambda t: (t.weight, t.term)),
        rest=float(form.offsets[rival] - form.offsets[own]),
        vectors=None if said is None else float(said[own] - said[rival]),
    )
