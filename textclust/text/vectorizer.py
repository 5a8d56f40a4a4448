"""From texts to a weighted CSR matrix (Basu 2005, section 2.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from textclust.errors import InputError
from textclust.geometry.cosine import Cosine
from textclust.parameters import Anything, Flag, FloatType, Number, Range, Rule, Whole, check
from textclust.text.analysis import Analyser, Stems, load_stemmer
from textclust.text.counting import Counts, count_terms
from textclust.text.stopwords import language_name, stop_word_set

__all__ = ["TextVectorizer"]


@dataclass(repr=False, eq=False, kw_only=True)
class TextVectorizer(TransformerMixin, BaseEstimator):
    """Texts to unit rows of tf * log2(N / df), pruned, as CSR.

    Parameters
    ----------
    stop_words : language name or code, iterable of words, or None, default="english"
        Words that are left out before counting.
    min_df : int or "auto", default="auto"
        Terms in fewer documents than this are pruned. "auto" is 5, as in the thesis, for 500
        documents and more, and one in a hundred for fewer, but at least 2 (1 below ten).
    max_df : float or int, default=0.95
        Terms in more than this share (float), or number (int), of the documents are pruned.
    ngram_range : (int, int), default=(1, 1)
        The shortest and the longest run of words that makes a term.
    stem : language name, True or None, default=None
        Stem with nltk's Snowball stemmer; True takes the language of `stop_words`.
    tokenizer : callable or None, default=None
        From a text to its tokens; None finds words of two or more letters, digits or
        underscores.
    lowercase : bool, default=True
    sublinear_tf : bool, default=False
        Weigh a term that occurs f times by 1 + log2(f) instead of f.
    dtype : float32 or float64, default=float64
    n_jobs : int or None, default=None
        Processes to share the counting among; the result does not depend on it.

    Attributes
    ----------
    vocabulary_ : dict of term to column
    idf_ : array of d
        log2(N / df): a term in every document weighs nothing.
    min_df_ : int
        The floor that was used.
    n_pruned_ : dict
        How many terms were "rare" and "frequent".

    Notes
    -----
    One pass over the texts; memory for the counts and the vocabulary. Terms outside the
    vocabulary are ignored in `transform`; a text without any known term is a row of zeros.

    Examples
    --------
    >>> from textclust import TextVectorizer
    >>> vectorizer = TextVectorizer(min_df=1)
    >>> X = vectorizer.fit_transform(["red bicycle", "red lens", "dark sky"])
    >>> X.shape
    (3, 5)
    >>> vectorizer.get_feature_names_out().tolist()
    ['bicycle', 'dark', 'lens', 'red', 'sky']
    """

    _parameters: ClassVar[dict[str, Rule]] = {
        "min_df": Whole(1, ("auto",)),
        "max_df": Number(0.0),
        "lowercase": Flag(),
        "sublinear_tf": Flag(),
        "stem": Anything(),
        "dtype": FloatType(),
        "ngram_range": Range(1),
    }

    stop_words: str | Iterable[str] | None = "english"
    min_df: int | str = "auto"
    max_df: float | int = 0.95
    ngram_range: tuple[int, int] = (1, 1)
    stem: str | bool | None = None
    tokenizer: Callable[[str], Iterable[str]] | None = None
    lowercase: bool = True
    sublinear_tf: bool = False
    dtype: Any = np.float64
    n_jobs: int | None = None

    def fit(self, texts: Iterable[str], y: Any = None) -> Self:
        """Learn the vocabulary and the weights of its terms."""
        self.fit_transform(texts)
        return self

    def fit_transform(self, texts: Iterable[str], y: Any = None, **_: Any) -> Any:
        """Learn the vocabulary and return the weighted matrix of the same texts."""
        check(self, self._parameters)
        counts = count_terms(_checked(texts), self._analyser(), n_jobs=self.n_jobs)
        stems = self._stems()
        if stems is not None:
            counts = counts.renamed(stems.of_term)
        kept = self._prune(counts)
        terms = [counts.terms[column] for column in kept]
        self.vocabulary_ = {term: column for column, term in enumerate(terms)}
        self._surface_forms = {} if stems is None else stems.surface_forms()
        counted = counts.matrix[:, kept]
        frequencies = np.bincount(counted.indices, minlength=len(kept))
        self.idf_ = np.log2(counted.shape[0] / frequencies)
        return self._weighted(counted)

    def transform(self, texts: Iterable[str]) -> Any:
        """The weighted matrix of texts in the learned vocabulary."""
        check_is_fitted(self, "vocabulary_")
        stems = self._stems()
        wanted = self.vocabulary_ if stems is None else None
        counts = count_terms(_checked(texts), self._analyser(), wanted, self.n_jobs)
        if stems is not None:
            counts = counts.renamed(stems.of_term).aligned(self.vocabulary_)
        return self._weighted(counts.matrix)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The terms, in the order of the columns."""
        check_is_fitted(self, "vocabulary_")
        return np.array(list(self.vocabulary_), dtype=object)

    def readable_terms(self) -> list[str]:
        """The terms as a person would write them: a word in the place of each stem."""
        check_is_fitted(self, "vocabulary_")
        forms = self._surface_forms
        return [" ".join(forms.get(word, word) for word in t.split(" ")) for t in self.vocabulary_]

    def fitted_state(self) -> dict[str, Any]:
        """What was learned beside the weights, as plain data; see `restore`."""
        check_is_fitted(self, "vocabulary_")
        return {
            "terms": list(self.vocabulary_),
            "surface_forms": self._surface_forms,
            "min_df": self.min_df_,
            "n_pruned": self.n_pruned_,
        }

    def restore(self, state: dict[str, Any], idf: Any) -> Self:
        """Become the vectorizer that gave this state and these weights."""
        self.vocabulary_ = {term: column for column, term in enumerate(state["terms"])}
        self._surface_forms = dict(state["surface_forms"])
        self.min_df_, self.n_pruned_ = state["min_df"], dict(state["n_pruned"])
        self.idf_ = np.asarray(idf, dtype=np.float64)
        if self.idf_.shape != (len(self.vocabulary_),):
            raise InputError(f"{len(self.idf_)} weights for {len(self.vocabulary_)} terms")
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags

    def _stems(self) -> Stems | None:
        if self.stem is None or self.stem is False:
            return None
        language = self.stop_words if self.stem is True else self.stem
        if not isinstance(language, str):
            raise InputError("stem=True needs a language: give its name, such as stem='english'")
        return Stems(load_stemmer(language_name(language)))

    def _analyser(self) -> Analyser:
        return Analyser(
            tokenize=self.tokenizer,
            lowercase=self.lowercase,
            stop_words=stop_word_set(self.stop_words),
            ngram_range=self.ngram_range,
        )

    def _prune(self, counts: Counts) -> Any:
        """The columns of the terms that are neither too rare nor too frequent."""
        n = counts.matrix.shape[0]
        if n == 0:
            raise InputError("there are no texts to learn a vocabulary from")
        frequencies = np.bincount(counts.matrix.indices, minlength=len(counts.terms))
        self.min_df_ = _gentle_floor(n) if self.min_df == "auto" else int(self.min_df)
        most = self.max_df if isinstance(self.max_df, Integral) else self.max_df * n
        rare, frequent = frequencies < self.min_df_, frequencies > most
        self.n_pruned_ = {"rare": int(rare.sum()), "frequent": int(frequent.sum())}
        kept = np.flatnonzero(~rare & ~frequent)
        telling = bool((frequencies[kept] < n).any())
        if telling:
            return kept
        raise InputError(
            f"no term that tells the {n} texts apart is left: {len(counts.terms)} terms found, "
            f"{rare.sum()} in fewer than {self.min_df_} texts, {frequent.sum()} in more than "
            f"{most:g}; lower min_df, raise max_df, or give fewer stop words"
        )

    def _weighted(self, counts: Any) -> Any:
        dtype = np.dtype(self.dtype)
        data = counts.data.astype(dtype)
        if self.sublinear_tf:
            data = 1 + np.log2(data)
        data *= self.idf_.astype(dtype)[counts.indices]
        X = sp.csr_array((data, counts.indices, counts.indptr), shape=counts.shape)
        X.eliminate_zeros()
        return Cosine().prepare(X)


def _checked(texts: Iterable[str]) -> Iterable[str]:
    if isinstance(texts, str | bytes):
        raise InputError("a list of texts is needed, not a single string; put it in a list")
    return texts


def _gentle_floor(n: int) -> int:
    """Five documents, as in the thesis; one in a hundred where there are fewer than 500."""
    return 1 if n < 10 else min(5, max(2, n // 100))
