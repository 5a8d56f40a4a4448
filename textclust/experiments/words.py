"""What cleaning and the choice of words bring: numbers as terms, and characters that are escaped.

There is no collection of news among the corpora, so real texts are spoilt as feeds spoil them.
"""

from __future__ import annotations

import html
import random
import re
from collections.abc import Iterator
from functools import lru_cache

from textclust import metrics
from textclust.experiments.collections import NEWS_COLLECTIONS, classes, collection
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.parameters import Settings
from textclust.pipeline import cluster
from textclust.text.cleaning import NOTHING, Cleaning, clean
from textclust.text.documents import Documents
from textclust.text.stopwords import stop_word_set
from textclust.text.termspace import TermSpace

__all__ = ["EXPERIMENTS", "spoilt"]

_COLLECTIONS = (*NEWS_COLLECTIONS, "20-newsgroups-100", "classic4")
_TERMS: dict[str, Settings] = {
    "the default": {},
    "without mr and mrs": {"stop_words": ("mr", "mrs")},
    "without 00 and 000": {"stop_words": ("00", "000")},  # of numbers that are cut at the comma
    "without numbers": {"numbers": False},
}
_KEPT = Cleaning(False, False, False, "auto", False, False)
_DECODED = Cleaning(False, False, False, "auto", "auto", False)
_TEXTS: dict[str, tuple[bool, Cleaning]] = {  # whether they are spoilt, and how they are cleaned
    "as they are": (False, NOTHING),
    "escaped, entities kept": (True, _KEPT),
    "escaped, entities decoded": (True, _DECODED),
}
_PARAGRAPH = re.compile(r"\n\s*\n")


def with_and_without_numbers(case: Case, run: int) -> Iterator[Row]:
    """NMI of the default method after one choice of terms."""
    choice = _TERMS[case["terms"]]
    space = TermSpace(
        sublinear_tf=True,
        stop_words=stop_word_set("english").union(choice.get("stop_words", ())),
        numbers=choice.get("numbers", True),
    )
    yield {"NMI": _nmi(collection(case["collection"]), space, run)}


def spoilt_and_decoded(case: Case, run: int) -> Iterator[Row]:
    """NMI of the default method on texts that were escaped, before and after they are decoded."""
    yield {
        "NMI": _nmi(_texts(case["collection"], case["texts"]), TermSpace(sublinear_tf=True), run)
    }


def spoilt(text: str, number: int) -> str:
    """A text as feeds have it: marked up and escaped, half of them twice, half with a source."""
    rng = random.Random(number)  # noqa: S311 - draws, not secrets
    paragraphs = _PARAGRAPH.split(text.strip())
    marked = "".join(f"<p>{html.escape(each)}</p>\n" for each in paragraphs)
    source = f"agency{rng.randrange(3)}"
    link = f'<a href="http://{source}.example.org/{rng.randrange(10**6)}">{source}</a><br/>'
    whole = link + marked if rng.random() < 0.5 else marked
    whole = whole.replace("&#x27;", "&#39;")
    return html.escape(whole) if rng.random() < 0.5 else whole


@lru_cache(maxsize=1)
def _texts(name: str, treatment: str) -> Documents:
    documents = collection(name)
    spoil, cleaning = _TEXTS[treatment]
    texts = [
        clean(spoilt(text, number) if spoil else text, cleaning).text
        for number, text in enumerate(documents.texts)
    ]
    return Documents(documents.ids, texts, documents.labels)


def _nmi(documents: Documents, space: TermSpace, run: int) -> float:
    truth = classes(documents)
    found = cluster(documents, len(set(truth)), vectorizer=space, random_state=run)
    return metrics.nmi(truth, found.labels)


EXPERIMENTS = (
    Experiment(
        name="numbers",
        title="NMI with numbers and titles of persons as terms, and without",
        source="",
        unit=with_and_without_numbers,
        cases=grid(terms=_TERMS, collection=_COLLECTIONS),
        runs=10,
        axes=("terms", "collection"),
        x="collection",
        lines="terms",
    ),
    Experiment(
        name="entities",
        title="NMI on texts as they are, escaped as news feeds escape them, and decoded again",
        source="",
        unit=spoilt_and_decoded,
        cases=grid(texts=_TEXTS, collection=_COLLECTIONS),
        runs=5,
        axes=("texts", "collection"),
        x="collection",
        lines="texts",
        notes=(
            "escaped: paragraphs and punctuation as HTML, in half of the texts escaped once more; "
            "in half of them a link to a source, which has nothing to do with the class",
        ),
    ),
)
