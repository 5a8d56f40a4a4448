"""The space of terms that texts are placed in (Basu 2005, section 2.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from itertools import pairwise
from numbers import Integral
from typing import Any, ClassVar, Self, TypedDict

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from numpy.typing import ArrayLike

from textclust.csr import sound
from textclust.errors import InputError
from textclust.parameters import Anything, Flag, FloatType, Jobs, Number, Range, Rule, Whole, check
from textclust.text.analysis import TOKEN_PATTERN, Analyser, Stems, load_stemmer
from textclust.text.choosing import Chooser, Vocabulary, fixed_vocabulary
from textclust.text.counting import count_terms
from textclust.text.frames import is_table
from textclust.text.stopwords import StopWords, language_name, plain_stop_words, stop_word_set
from textclust.text.term_counts import CountMatrix, Ends, TermCounts
from textclust.text.weighting import weigh

__all__ = ["MOST_WORDS", "CountedTexts", "FittedState", "Shares", "SurfaceForms", "TermSpace"]

MOST_WORDS = 100  # in a term

Shares = npt.NDArray[np.float64]  # from 0 to 1, one for each text
SurfaceForms = dict[str, str]  # for each stem a word that a person would rather read


@dataclass(frozen=True)
class CountedTexts:
    """The counts of all terms of some texts, and the words that stems stand for."""

    counts: CountMatrix
    surface_forms: SurfaceForms


class FittedState(TypedDict):
    """What a term space has learned beside its weights, as plain data."""

    terms: list[str]
    surface_forms: SurfaceForms
    min_df: int
    n_pruned: dict[str, int]


@dataclass(repr=False, eq=False, kw_only=True)
class TermSpace:
    """Texts to unit rows of tf * log2(N / df), pruned, as CSR.

    All that `TextVectorizer` is, but for scikit-learn, which takes longer to import than
    most collections take to count. See there for parameters and attributes.
    """

    rules: ClassVar[dict[str, Rule]] = {
        "min_df": Whole(1, ("auto",)),
        "max_df": Number(0.0),
        "max_features": Whole(1, (None,)),
        "numbers": Flag(),
        "token_pattern": Anything(),
        "vocabulary": Anything(),
        "lowercase": Flag(),
        "sublinear_tf": Flag(),
        "binary": Flag(),
        "use_idf": Flag(),
        "stem": Anything(),
        "dtype": FloatType(),
        "ngram_range": Range(1, MOST_WORDS),
        "n_jobs": Jobs(),
    }

    stop_words: StopWords = "english"
    min_df: int | str = "auto"
    max_df: float | int = 0.95
    max_features: int | None = None
    numbers: bool = True
    token_pattern: str = TOKEN_PATTERN
    ngram_range: tuple[int, int] = (1, 1)
    stem: str | bool | None = None
    tokenizer: Callable[[str], Iterable[str]] | None = None
    lowercase: bool = True
    sublinear_tf: bool = False
    binary: bool = False
    use_idf: bool = True
    vocabulary: Vocabulary | None = None
    dtype: npt.DTypeLike = np.float64
    n_jobs: int | None = None

    def fit(self, texts: Iterable[str], y: object = None) -> Self:
        """Learn the vocabulary and the weights of its terms."""
        self.fit_transform(texts)
        return self

    def fit_transform(self, texts: Iterable[str], y: object = None, **_: object) -> sp.csr_array:
        """Learn the vocabulary and return the weighted matrix of the same texts."""
        self.prepare()
        return self._weighted(self._learn(_checked(texts)))

    def transform(self, texts: Iterable[str]) -> sp.csr_array:
        """The weighted matrix of texts in the learned vocabulary."""
        self._require_vocabulary()
        counts, _ = self._counts(_checked(texts), self.vocabulary_)
        return self._weighted(counts.aligned(self.vocabulary_, self.dtype))

    def transform_with_shares(self, texts: Iterable[str]) -> tuple[sp.csr_array, Shares]:
        """The same, and which share of the different terms of each text is in the vocabulary."""
        self._require_vocabulary()
        counts, _ = self._counts(_checked(texts), self.fixed_vocabulary())
        sizes = counts.sizes
        known = counts.aligned(self.vocabulary_, self.dtype)
        shares = _shares(known, sizes)
        return self._weighted(known), shares

    def inverse_transform(self, X: ArrayLike) -> list[npt.NDArray[np.object_]]:
        """The terms of each row that weigh anything, in the order of the columns."""
        terms = self.get_feature_names_out()
        rows = sp.csr_array(sound(X) if sp.issparse(X) else np.atleast_2d(np.asarray(X)))
        if rows.shape[1] != len(terms):
            raise InputError(f"{rows.shape[1]} columns for {len(terms)} terms")
        rows.sort_indices()
        ends = rows.indptr.tolist()
        found = (
            rows.indices[begin:end][rows.data[begin:end] != 0] for begin, end in pairwise(ends)
        )
        return [terms[columns] for columns in found]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in sorted(field.name for field in fields(self))}

    def get_feature_names_out(self, input_features: object = None) -> npt.NDArray[np.object_]:
        """The terms, in the order of the columns."""
        self._require_vocabulary()
        return np.array(list(self.vocabulary_), dtype=object)

    def readable_terms(self) -> list[str]:
        """The terms as a person would write them: a word in place of each stem."""
        self._require_vocabulary()
        forms = self._surface_forms
        if not forms:
            return list(self.vocabulary_)
        return [" ".join(forms.get(word, word) for word in t.split(" ")) for t in self.vocabulary_]

    def column_of(self, word: str) -> int | None:
        """The column of a word, or of a phrase where terms are n-grams; None where it has none."""
        self._require_vocabulary()
        analyser = self._analyser((1, 1))
        stems = self._stems()
        term = " ".join(analyser(word))
        return self.vocabulary_.get(term if stems is None or not term else stems.of_term(term))

    def fitted_state(self) -> FittedState:
        """What was learned beside the weights; see `restore`."""
        self._require_vocabulary()
        return {
            "terms": list(self.vocabulary_),
            "surface_forms": self._surface_forms,
            "min_df": self.min_df_,
            "n_pruned": self.n_pruned_,
        }

    def restore(self, state: FittedState, idf: npt.ArrayLike) -> Self:
        """Become the space that gave this state and these weights."""
        self.vocabulary_ = {term: column for column, term in enumerate(state["terms"])}
        self._surface_forms = dict(state["surface_forms"])
        self.min_df_, self.n_pruned_ = state["min_df"], dict(state["n_pruned"])
        self.idf_ = np.asarray(idf, dtype=np.float64)
        if self.idf_.shape != (len(self.vocabulary_),):
            raise InputError(f"{len(self.idf_)} weights for {len(self.vocabulary_)} terms")
        return self

    def with_terms(self, texts: int, frequencies: Mapping[str, int], forms: SurfaceForms) -> Self:
        """A space with more terms, in columns after its own, which keep their weights.

        `frequencies` are in how many of all texts so far each is, and `forms` are readable words.
        """
        state, counts = self.fitted_state(), np.fromiter(frequencies.values(), np.float64)
        more = np.log2(texts / counts) if self.use_idf else np.ones(len(counts))
        given = {**self.get_params(), "stop_words": self.plain_stop_words()}
        grown = type(self)(**given).restore(
            {
                **state,
                "terms": [*state["terms"], *frequencies],
                "surface_forms": {**forms, **state["surface_forms"]},
            },
            np.concatenate([self.idf_, more]),
        )
        grown._stop_words = self.plain_stop_words()
        return grown

    def weighted_with_shares(self, counted: CountedTexts) -> tuple[sp.csr_array, Shares]:
        """As `transform_with_shares`, of texts that were counted."""
        sizes = np.diff(counted.counts.matrix.indptr)
        known = counted.counts.aligned(self.vocabulary_, self.dtype)
        if self.vocabulary is not None:
            sizes = np.diff(known.indptr)
        shares = _shares(known, sizes)
        return self._weighted(known), shares

    def prepare(self) -> None:
        """Check the parameters, and read what they name, before any text is read."""
        check(self, self.rules)
        self._stop_words = plain_stop_words(self.stop_words)
        self._analyser()
        self.fixed_vocabulary()

    def count(self, texts: Iterable[str]) -> CountedTexts:
        """How often all terms occur in texts, of which nothing is learned yet."""
        counts, stems = self._counts(_checked(texts))
        every = counts.chosen(np.arange(len(counts.frequencies)))
        return CountedTexts(every, {} if stems is None else stems.surface_forms())

    def plain_stop_words(self) -> str | list[str] | None:
        """The stop words as plain data; those of a file as they were when it was learned from."""
        return getattr(self, "_stop_words", None) or plain_stop_words(self.stop_words)

    def fixed_vocabulary(self) -> dict[str, int] | None:
        """The columns of a vocabulary that was given; None where it is learned."""
        return None if self.vocabulary is None else fixed_vocabulary(self.vocabulary)

    def chooser(self, n: int) -> Chooser:
        """What chooses the terms of n texts."""
        return Chooser(*self.limits(n), self.max_features, self.numbers)

    def limits(self, n: int) -> tuple[int, float]:
        """In how many of n texts a term has to be at least, and may be at most, to be kept."""
        least = _gentle_floor(n) if self.min_df == "auto" else int(self.min_df)
        return least, self.max_df if isinstance(self.max_df, Integral) else self.max_df * n

    def learn(
        self, n: int, frequencies: Mapping[str, int], n_pruned: dict[str, int], forms: SurfaceForms
    ) -> Self:
        """Learn from how many of n texts have each term that is kept, in the order of the columns.

        Of a vocabulary that was given a term that is in no text weighs as one that is in one.
        """
        self.vocabulary_ = {term: column for column, term in enumerate(frequencies)}
        self._surface_forms, self.n_pruned_ = forms, n_pruned
        self.min_df_, most = self.limits(n)
        counts = np.fromiter(frequencies.values(), np.int64, len(frequencies))
        if self.vocabulary is not None:
            self.min_df_ = 0
            if not counts.any():
                raise InputError(f"no term of vocabulary is in any of the {n} texts; give others")
            counts = np.maximum(counts, 1)
        elif not (counts < n).any():
            if n == 1:
                raise InputError(
                    "one document alone cannot be clustered: there is nothing to tell it apart "
                    "from; give more documents"
                )
            found, rare = len(counts) + sum(n_pruned.values()), n_pruned["rare"]
            raise InputError(
                f"no term that tells the {n} texts apart is left: {found} terms found, "
                f"{rare} in fewer than {self.min_df_} texts, {n_pruned['frequent']} in more than "
                f"{most:g}; lower min_df, raise max_df, or give fewer stop words"
            )
        self.idf_ = np.log2(n / counts) if self.use_idf else np.ones(len(counts))
        return self

    def weighted(self, counted: CountedTexts) -> sp.csr_array:
        """The weighted matrix of texts that were counted, in the learned vocabulary."""
        self._require_vocabulary()
        return self._weighted(counted.counts.aligned(self.vocabulary_, self.dtype))

    def _learn(self, texts: Iterable[str]) -> sp.csr_array:
        """Count the texts, choose the terms and weigh them; the counts of the chosen."""
        columns = self.fixed_vocabulary()
        counts, stems = self._counts(texts, columns)
        n, n_pruned = counts.n, dict[str, int]()
        if n == 0:
            raise InputError("there are no texts to learn a vocabulary from")
        sizes = counts.sizes
        if columns is None:
            kept, n_pruned = self.chooser(n)(counts.frequencies, counts.spelled)
            chosen = counts.chosen(kept, self.dtype)
            columns, matrix, found = chosen.vocabulary, chosen.matrix, chosen.frequencies
        else:
            matrix = counts.aligned(columns, self.dtype)
            found = np.bincount(matrix.indices, minlength=len(columns))
        forms = {} if stems is None else stems.surface_forms()
        self.learn(n, dict(zip(columns, found.tolist(), strict=True)), n_pruned, forms)
        self.known_shares_ = _shares(matrix, sizes)
        return matrix

    def _counts(
        self, texts: Iterable[str], vocabulary: Mapping[str, int] | None = None
    ) -> tuple[TermCounts, Stems | None]:
        """The counts of all terms; where nothing is stemmed those of a vocabulary will do."""
        stems = self._stems()
        if stems is None:
            return count_terms(texts, self._analyser(), vocabulary, self.n_jobs), None
        counts = count_terms(texts, self._analyser(), n_jobs=self.n_jobs)
        return counts.renamed(stems.of_term), stems

    def _require_vocabulary(self) -> None:
        if not hasattr(self, "vocabulary_"):
            raise InputError(f"this {type(self).__name__} is not fitted yet; call fit first")

    def _stems(self) -> Stems | None:
        if self.stem is None or self.stem is False:
            return None
        language = self.plain_stop_words() if self.stem is True else self.stem
        if not isinstance(language, str):
            raise InputError("stem=True needs a language: give its name, such as stem='english'")
        return Stems(load_stemmer(language_name(language)))

    def _analyser(self, ngram_range: tuple[int, int] | None = None) -> Analyser:
        stop_words = stop_word_set(self.plain_stop_words())
        if self.lowercase:
            stop_words = frozenset(map(str.lower, stop_words))
        return Analyser(
            tokenize=self.tokenizer,
            lowercase=self.lowercase,
            stop_words=stop_words,
            ngram_range=self.ngram_range if ngram_range is None else ngram_range,
            token_pattern=self.token_pattern,
        )

    def _weighted(self, counts: sp.csr_array) -> sp.csr_array:
        weigh(counts, self.idf_, sublinear_tf=self.sublinear_tf, binary=self.binary)
        return counts


def _checked(texts: Iterable[str]) -> Iterable[str]:
    if isinstance(texts, str | bytes):
        raise InputError("a list of texts is needed, not a single string; put it in a list")
    if is_table(texts):
        raise InputError("texts are needed, not a DataFrame; give the column that has them")
    return texts


def _shares(known: sp.csr_array, sizes: Ends) -> Shares:
    """Of the different terms of each text, the share that is in a matrix."""
    return np.asarray(np.diff(known.indptr) / np.maximum(sizes, 1))


def _gentle_floor(n: int) -> int:
    """Five documents, as in the thesis; one in a hundred where there are fewer than 500."""
    return 1 if n < 10 else min(5, max(2, n // 100))
