"""texts=False: no word of any document, only ids, clusters, scores and cluster terms."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import textclust as tc
from tests.report.pages import dressed, page_of, small
from textclust.result.clustering import Card


@pytest.fixture(scope="module")
def clustering(sample):
    return tc.cluster(sample, 3)


def test_no_word_of_a_document_is_left(clustering, tmp_path):
    page = page_of(clustering, tmp_path, texts=False)
    allowed = page_of(
        replace(clustering, cards=[c._replace(title="", excerpt="") for c in clustering.cards]),
        tmp_path,
        texts=False,
    )
    assert page.source == allowed.source
    assert "Pulled" not in page.source
    assert set(page.data) == {"names", "ids", "clusters", "scores"}


def test_single_documents_leave_no_trace(tmp_path):
    clustering = small(3)
    secret = Card("1", "Zanzibarsecret", "Quagmiresecret", "Hushsecret")
    page = page_of(dressed(clustering, [secret]), tmp_path, texts=False)
    assert "Zanzibar" not in page.source
    assert "Quagmire" not in page.source
    assert "Zanzibar" in page_of(dressed(clustering, [secret]), tmp_path).source


def test_ids_scores_and_cluster_terms_remain(clustering, tmp_path):
    page = page_of(clustering, tmp_path, texts=False)
    assert page.data["ids"] == clustering.ids
    assert all(term in page.source for h in range(3) for term in clustering.terms(h))
    assert "left out of this report" in page.source
    heads = [e.text for e in page.all("th", scope="col") if not e.text.count(".")]
    assert heads == ["Id", "Cluster", "Score"]
    assert not re.search(r'class="excerpt"', page.source)
