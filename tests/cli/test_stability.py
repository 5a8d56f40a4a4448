"""textclust cluster --stability: the figures in every table, file and page."""

from __future__ import annotations

import pytest

from tests.cli.running import read_rows


def test_documents_and_clusters_have_it_everywhere(textclust, corpus, tmp_path):
    out = tmp_path / "out"
    answer = textclust("cluster", corpus, "-k", 3, "--stability", "--out", out)
    assert answer.code == 0, answer.err
    assert "stability" in answer.out
    assert "(1 = perfect, 0 = chance), from 20 resampled runs." in answer.out
    rows = read_rows(out / "labels.csv")
    assert list(rows[0]) == ["id", "cluster", "name", "score", "stability"]
    assert all(0 <= float(row["stability"]) <= 1 for row in rows)
    page = (out / "report.html").read_text()
    assert 'id="by-stability"' in page
    assert 'id="shading"' in page
    again = textclust("cluster", corpus, "-k", 3, "--stability", "--out", out)  # its own files
    assert again.code == 0, again.err
    plain = textclust("cluster", corpus, "-k", 3, "--out", out)
    assert plain.code == 0, plain.err
    assert "stability" not in plain.out
    assert list(read_rows(out / "labels.csv")[0]) == ["id", "cluster", "name", "score"]
    assert 'id="shading"' not in (out / "report.html").read_text()


def test_json_has_it(textclust, corpus):
    content = textclust("cluster", corpus, "-k", 3, "--stability", "--json").json
    assert content["stability"]["runs"] == content["stability"]["asked"] == 20
    assert all(0 <= cluster["stability"] <= 1 for cluster in content["clusters"])
    assert all(0 <= row["stability"] <= 1 for row in content["labels"])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--scheduler", "local"], "--stability does not go with --scheduler"),
        (["--k", "9"], "stability: half of the documents cannot be clustered so"),
    ],
)
def test_what_cannot_be_is_one_line(textclust, corpus, more, said):
    answer = textclust("cluster", corpus, "--stability", *(more or []))
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert answer.err.count("\n") == 1
