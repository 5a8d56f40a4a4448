"""Tables of evidence: by hand, and at random."""

from __future__ import annotations

from hypothesis import strategies as st

from textclust.model_selection.row import EvidenceRow


def evidence(stability, kept=None, error=0.03, bic=None, first=2):
    """A row for each number from the first on; BIC rises unless it is given."""
    kept = kept or [None] * len(stability)
    return [
        EvidenceRow(
            k=first + i,
            bic=float(i) if bic is None else bic[i],
            mdl=0.0,
            mml=0.0,
            gap=0.0,
            gap_error=0.0,
            stability=s,
            links_kept=share,
            links_error=None if share is None else error,
            smallest=5,
        )
        for i, (s, share) in enumerate(zip(stability, kept, strict=True))
    ]


@st.composite
def tables(draw):
    """Rows as `select_k` makes them: from 1 or more on, with links or without."""
    first, length = draw(st.integers(1, 6)), draw(st.integers(1, 12))

    def column(values):
        return draw(st.lists(values, min_size=length, max_size=length))

    highest = draw(st.sampled_from([45, 60, 100]))  # in hundredths; nothing stable below 50
    stability = [value / 100 for value in column(st.integers(-5, highest))]
    if first == 1:
        stability[0] = None
    kept = [v / 100 for v in column(st.integers(0, 100))] if draw(st.booleans()) else None
    error = draw(st.sampled_from([0.01, 0.05, 0.2]))
    bic = [float(value) for value in column(st.integers(-5, 5))]
    return evidence(stability, kept, error, bic, first)
