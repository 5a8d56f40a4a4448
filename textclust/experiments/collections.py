"""The collections of the papers, cut from the corpora they were cut from."""

from __future__ import annotations

from functools import lru_cache

from textclust.corpora import path
from textclust.errors import InputError
from textclust.text.cleaning import AUTO, Cleaning
from textclust.text.documents import Documents, read_documents

__all__ = ["NEWS", "NEWS_COLLECTIONS", "classes", "collection"]

NEWS = {
    "different": ("alt.atheism", "rec.sport.baseball", "sci.space"),
    "related": ("talk.politics.misc", "talk.politics.guns", "talk.politics.mideast"),
    "similar": ("comp.graphics", "comp.os.ms-windows.misc", "comp.windows.x"),
}
NEWS_COLLECTIONS = tuple(f"3-news-{family}-{size}" for size in (100, 1000) for family in NEWS)


def collection(name: str, cleaning: Cleaning = AUTO) -> Documents:
    """A corpus, one of 3-news-{different,related,similar}-{100,1000}, or 20-newsgroups-100."""
    if name == "20-newsgroups-100":
        posts, sample = _read("20newsgroups", cleaning), _mini_newsgroups()
        return posts.select(i for i, post in enumerate(posts.ids) if post in sample)
    family, _, size = name.removeprefix("3-news-").rpartition("-")
    if not name.startswith("3-news-"):
        return _read(name, cleaning)
    if family not in NEWS or size not in ("100", "1000"):
        raise InputError(f"no collection {name!r}; 3-news-different-100 would be one")
    posts = _read("20newsgroups", cleaning)
    listed = _mini_newsgroups() if size == "100" else None
    assert posts.labels is not None
    rows = zip(posts.ids, posts.labels, strict=True)
    return posts.select(
        i
        for i, (post, group) in enumerate(rows)
        if group in NEWS[family] and (listed is None or post in listed)
    )


def classes(documents: Documents) -> list[str]:
    """The class each document came with."""
    return [str(label) for label in documents.labels or []]


@lru_cache(maxsize=2)
def _read(name: str, cleaning: Cleaning) -> Documents:
    return read_documents(path(name), cleaning=cleaning)


def _mini_newsgroups() -> frozenset[str]:
    """The ids of the well-known sample of 100 posts from each group."""
    file = path("20newsgroups").parent / "subsets" / "20-newsgroups-100.txt"
    if not file.is_file():
        raise InputError(f"{file}: the list of the 100 posts of each group is not there")
    return frozenset(file.read_text(encoding="utf-8").split())
