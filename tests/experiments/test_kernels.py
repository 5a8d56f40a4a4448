"""The experiment on kernels, on the circles alone."""

from __future__ import annotations

from textclust.experiments import kernels


def test_a_learned_width_separates_the_circles_and_beats_the_mean_of_fixed_ones(monkeypatch):
    monkeypatch.setattr(kernels, "LINKS", (50,))
    rows = {row["method"]: row["Rand index"] for row in kernels.unit({"points": "concentric"}, 0)}
    assert rows["Adaptive"] == 1.0
    assert rows["fixed, mean"] < rows["fixed, best three"] <= 1.0
    assert rows["fixed, mean"] < 0.9
