"""Every clause of the reason, read back and held against its table."""

from __future__ import annotations

import math
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model_selection.tables import tables
from textclust.model_selection.recommendation import recommend


class Reader:
    """The table again, as plain numbers, with what it says of each clause."""

    def __init__(self, rows, default, k):
        self.by_k = {row.k: row for row in rows}
        self.row, self.default = self.by_k[k], default
        self.stability = {n: r.stability for n, r in self.by_k.items() if r.stability is not None}

    def _stability(self, value):
        assert f"{self.row.stability:.2f}" == value

    def _links(self, value):
        assert f"{self.row.links_kept:.0%}" == value

    def _without_links(self, other):
        scores = {n: s + 0.07 * math.log(n) for n, s in self.stability.items() if s >= 0.5}
        assert scores[int(other)] == max(scores.values())
        assert int(other) != self.row.k

    def _more_stable(self, best, value, k, loss, accepted):
        best, k = int(best), int(k)
        assert k == self.row.k > best
        assert self.stability[best] == max(self.stability.values()) > self.row.stability
        assert f"{self.stability[best]:.2f}" == value
        assert f"{self.stability[best] - self.row.stability:.2f}" == loss
        assert f"{0.07 * math.log(k / best):.2f}" == accepted
        assert float(loss) <= float(accepted)

    def _similar(self, listed, more):
        near = [
            n
            for n, s in self.stability.items()
            if n != self.row.k and abs(round(100 * s) - round(100 * self.row.stability)) <= 2
        ]
        assert [int(n) for n in listed.split(", ")] == near[:3]
        assert int(more or 0) == max(0, len(near) - 3)

    def _unstable(self, rule, best, value):
        assert max(self.stability.values()) < 0.5
        assert self.stability[int(best)] == max(self.stability.values())
        assert f"{self.stability[int(best)]:.2f}" == value
        rows = self.by_k.values()
        if rule == "BIC":
            assert self.row.links_kept is None
            assert self.row.bic == min(row.bic for row in rows)
        else:
            assert self.row.links_kept == max(row.links_kept for row in rows)

    def _only(self):
        assert len(self.by_k) == 1

    def _largest(self):
        assert self.row.k == max(self.by_k) > min(self.by_k)

    def _cut(self, looked_at, usual):
        def numbers(words):
            first, last = (*words.split(" to "), *words.split(" to "))[:2]
            return set(range(int(first), int(last) + 1))

        assert numbers(looked_at) == set(self.by_k)
        assert numbers(usual) == set(self.default)
        assert numbers(usual) - numbers(looked_at)

    CLAUSES = (
        (r"\d+ clusters?", None),
        (r"stability (-?[\d.]+) \(1 = perfect, 0 = chance\)", _stability),
        (r"(\d+%) of the links kept \(each kind weighted alike\)", _links),
        (r"without the links it would be (\d+)", _without_links),
        (
            r"(\d+) is more stable \(([\d.]+)\), but (\d+) clusters are finer: "
            r"a loss of ([\d.]+) is within the ([\d.]+) accepted for that",
            _more_stable,
        ),
        (r"about as stable \(within 0\.02\): ([\d, ]+?)(?: and (\d+) more)?", _similar),
        (
            r"chosen by (BIC|the share of links kept) alone, because no number has a stability of "
            r"0\.5 or more \(the best is (\d+) with (-?[\d.]+)\)",
            _unstable,
        ),
        (r"a few links would help", None),
        (r"no other number was looked at", _only),
        (r"it is the largest number looked at, a larger one may be better", _largest),
        (r"only (\d+(?: to \d+)?) looked at, the default is (\d+(?: to \d+)?)", _cut),
    )

    def check(self, reason):
        """Take the clauses off one by one; each must be known, and true."""
        rest, seen = reason, set()
        while rest:
            found = [
                (pattern, claim, match)
                for pattern, claim in self.CLAUSES
                if (match := re.match(rf"{pattern}(?:: (?=stab|\d+%)|, (?=\d+% of)|; |$)", rest))
            ]
            assert len(found) == 1, rest
            ((pattern, claim, match),) = found
            if claim is not None:
                claim(self, *match.groups())
            seen.add(pattern)
            rest = rest[match.end() :]
        return seen


@settings(max_examples=400)
@given(tables(), st.integers(1, 4), st.integers(1, 15))
def test_every_clause_is_true_of_the_table(rows, first, length):
    default = range(first, first + length)
    found = recommend(rows, default)
    reader = Reader(rows, default, found.k)
    seen = reader.check(found.reason)
    assert found.reason.startswith(f"{found.k} cluster")
    cut = set(default) - {row.k for row in rows}
    assert any("the default is" in clause for clause in seen) == bool(cut)
    if found.k != 1:
        assert any(clause.startswith("stability") for clause in seen)


@settings(max_examples=200)
@given(tables())
def test_all_that_is_about_as_stable_is_named(rows):
    found = recommend(rows)
    chosen = next(row for row in rows if row.k == found.k)
    near = [
        row.k
        for row in rows
        if row is not chosen
        and None not in (row.stability, chosen.stability)
        and abs(round(100 * row.stability) - round(100 * chosen.stability)) <= 2
    ]
    decided = "alone" not in found.reason and len(rows) > 1
    assert ("about as stable" in found.reason) == bool(near and decided)


@given(tables())
def test_a_number_called_stable_is_stable(rows):
    found = recommend(rows)
    best = max((row.stability for row in rows if row.stability is not None), default=0.0)
    chosen = next(row for row in rows if row.k == found.k)
    if best >= 0.5 and len(rows) > 1:
        assert chosen.stability >= 0.5
