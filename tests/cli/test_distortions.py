"""textclust cluster --distortion and --smoothing."""

from __future__ import annotations

import pytest

import textclust as tc
from textclust.geometry import DISTORTIONS


@pytest.mark.parametrize("name", list(DISTORTIONS))
def test_every_distortion_can_be_asked_for_and_is_in_the_report(textclust, corpus, tmp_path, name):
    out = tmp_path / "out"
    answer = textclust("cluster", corpus, "--k", 3, "--distortion", name, "--out", out)
    assert answer.code == 0, answer.err
    assert f"with {name} distortion" in (out / "report.html").read_text(encoding="utf-8")
    model = tc.load(out)
    assert model.space.distortion.name == name
    again = model.predict(["The bike has a new chain, and the wheel is true again."])
    assert again.labels.tolist() == [int(model.labels[model.ids.index("bicycles/1")])]


@pytest.mark.parametrize("name", ["kl", "i-divergence", "itakura-saito"])
def test_smoothing_is_where_the_distortion_ends(textclust, corpus, tmp_path, name):
    out = tmp_path / "out"
    more = ("--distortion", name, "--smoothing", 0.25, "--out", out)
    answer = textclust("cluster", corpus, "--k", 3, *more)
    assert answer.code == 0, answer.err
    model = tc.load(out)
    assert model.space.distortion.smoothing == 0.25
    assert model.settings["parameters"]["distortion"]["floor"] == 0.25


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--smoothing", 0.1), "--smoothing needs --distortion kl"),
        (("--smoothing", 0.1, "--distortion", "cosine"), "smoothing is for the distortions kl"),
        (("--smoothing", -1, "--distortion", "kl"), "smoothing"),
        (("--smoothing", 0, "--distortion", "itakura-saito"), "Zeros in data"),
        (("--distortion", "hamming"), "itakura-saito"),
    ],
)
def test_what_does_not_go_together_is_an_error(textclust, corpus, arguments, message):
    answer = textclust("cluster", corpus, "--k", 3, *arguments)
    assert answer.code == 2
    assert message in answer.err
    assert "Traceback" not in answer.err
