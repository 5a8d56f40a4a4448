"""`TermSpace` as scikit-learn knows its transformers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from textclust.geometry.affine import Matrix
from textclust.text.termspace import TermSpace

__all__ = ["TextVectorizer"]


@dataclass(repr=False, eq=False, kw_only=True)
class TextVectorizer(TermSpace, TransformerMixin, BaseEstimator):
    """Texts to unit rows of tf * log2(N / df), pruned, as CSR.

    Parameters
    ----------
    stop_words : language name or code, path, iterable of words, or None, default="english"
        Words that are left out before counting. A file has one in a line, and comments after #.
    min_df : int or "auto", default="auto"
        Terms in fewer documents than this are pruned. "auto" is 5, as in the thesis, for 500
        documents and more, and one in a hundred for fewer, but at least 2 (1 below ten).
    max_df : float or int, default=0.95
        Terms in more than this share (float), or number (int), of the documents are pruned.
    max_features : int or None, default=None
        Keep so many terms at most, those in most documents; of equals the first by the alphabet.
    numbers : bool, default=True
        False leaves out terms of digits alone.
    token_pattern : str, default=r"(?u)\\b\\w\\w+\\b"
        A regular expression that finds the tokens; with a group, that is the token. For the
        default, and single words, the native core does the counting.
    ngram_range : (int, int), default=(1, 1)
        The shortest and the longest run of words that makes a term.
    stem : language name, True or None, default=None
        Stem with nltk's Snowball stemmer; True takes the language of `stop_words`.
    tokenizer : callable or None, default=None
        From a text to its tokens, in place of `token_pattern`, which by default finds words of
        two or more letters, digits or underscores.
    lowercase : bool, default=True
    sublinear_tf : bool, default=False
        Weigh a term that occurs f times by 1 + log2(f) instead of f.
    binary : bool, default=False
        A term counts once in a document, however often it occurs there.
    use_idf : bool, default=True
        Multiply by log2(N / df). False leaves the counts, at unit length.
    vocabulary : list of terms, dict of columns by term, or None, default=None
        These terms and no others, which are then not pruned; they are lower case and stems where
        texts are made so. None learns them.
    dtype : float32 or float64, default=float64
    n_jobs : int or None, default=None
        Threads to share the counting among; None is one for each core, up to eight. Without
        the native core, for n-grams and with tokens of your own they are processes, and None is
        one. The result does not depend on it.

    Attributes
    ----------
    vocabulary_ : dict of term to column
    idf_ : array of d
        log2(N / df): a term in every document weighs nothing. Ones without `use_idf`.
    min_df_ : int
        The floor that was used.
    n_pruned_ : dict
        How many terms were "rare" and "frequent", and by what is asked for "numbers" and
        "surplus".

    Notes
    -----
    - Formula: ``tf * log2(N / df)``, each row then divided by its length.
    - Complexity: O(letters) time in one pass over the texts, and memory for the counts and the
      vocabulary.
    - Paper: Basu 2005, 2.5.

    Terms outside the vocabulary are ignored in `transform`; a text without any known term is a row
    of zeros.

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

    # scikit-learn's set_output sees only what a class defines itself
    def fit_transform(self, texts: Iterable[str], y: object = None, **_: object) -> Matrix:
        """Learn the vocabulary and return the weighted matrix of the same texts."""
        return TermSpace.fit_transform(self, texts)

    def transform(self, texts: Iterable[str]) -> Matrix:
        """The weighted matrix of texts in the learned vocabulary."""
        return TermSpace.transform(self, texts)

    def inverse_transform(self, X: ArrayLike) -> list[NDArray[np.object_]]:
        """The terms of each row that weigh anything, in the order of the columns."""
        return TermSpace.inverse_transform(self, X)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags

    def _require_vocabulary(self) -> None:
        check_is_fitted(self, "vocabulary_")
