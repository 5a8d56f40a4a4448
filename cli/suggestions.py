"""What was meant by an option that there is not."""

from __future__ import annotations

from collections.abc import Collection, Sequence

__all__ = ["MEANINGS", "distance", "meant"]

# What is called otherwise by other programs; of several options the first that a command has.
_CALLED = {
    "--k": "n-clusters nclusters num-clusters number-of-clusters nr-clusters clusters n-topics"
    " num-topics nr-topics topics n-components n number",
    "--random-state": "seed random-seed rng-seed rng random",
    "--out": "output output-dir output-folder output-file outdir out-dir outfile save save-to dest"
    " destination o",
    "PATH": "input input-dir file files path data dataset corpus documents docs folder i",
    "--stop-words --language": "stopwords stop-words stoplist stop-list",
    "--language": "lang locale",
    "--method": "algorithm algo clusterer estimator",
    "--distortion --measure": "metric distance similarity affinity measure",
    "--constraints": "must-link must-links cannot-link cannot-links links pairs",
    "--seed-words": "anchor-words anchors keywords seed-topics seed-topic-list words",
    "--seeds": "labels labelled labeled known truth",
    "--background": "previous old history",
    "--text-column": "text text-col text-field column body",
    "--id-column": "id id-col id-field key",
    "--label-column": "label label-col class class-column",
    "--date-column": "date date-col timestamp time-column timestamp-column",
    "--group-column --label-column": "group group-by groupby by",
    "--ngrams": "ngram n-grams ngram-range n-gram",
    "--stem": "stemming stemmer lemmatize lemmatise",
    "--n-init --runs": "restarts n-restarts num-restarts starts tries",
    "--max-iter": "iterations max-iterations n-iter num-iterations",
    "--tol": "tolerance",
    "--jobs": "threads n-jobs n-threads workers cores processes j",
    "--time": "timeout max-time max-seconds time-limit seconds",
    "--terms": "top top-n top-terms n-terms n-words num-words top-words",
    "--embed --vectors": "embeddings embedding",
    "--from": "min-k k-min kmin",
    "--to": "max-k k-max kmax",
    "--min-df": "min-count min-freq",
    "--max-df": "max-freq",
    "--project": "project-dir workspace",
}
MEANINGS = {name: meant.split() for meant, names in _CALLED.items() for name in names.split()}
_FEWEST = 3  # letters of a beginning
_MOST = 3  # suggestions


def meant(given: str, options: Collection[str], takes_path: bool = False) -> list[str]:
    """The options of a command that may be meant by one that it has not, only the most probable.

    By what it means, by how it begins, and by how it is spelt.

    >>> options = ["--k", "--random-state", "--seeds", "--out", "--min-df"]
    >>> meant("--n_clusters", options), meant("--seed", options), meant("--min-fd", options)
    (['--k'], ['--random-state'], ['--min-df'])
    """
    word = given.lstrip("-").lower().replace("_", "-")
    places = [*options, *(["PATH"] if takes_path else [])]
    named = [each for each in MEANINGS.get(word, []) if each in places]
    if named:
        return named[:1]
    spelt = {each: each.lstrip("-").lower() for each in options if each.startswith("--")}
    if word in spelt.values():
        return [each for each, own in spelt.items() if own == word]
    begun = [each for each, own in spelt.items() if own.startswith(word)]
    if len(word) < _FEWEST:
        return []
    if 0 < len(begun) <= _MOST:
        return sorted(begun)
    near = {each: distance(word, own) for each, own in spelt.items()}
    least = min(near.values(), default=0)
    if least > max(1, len(word) // 3):
        return []
    return sorted(each for each, far in near.items() if far == least)[:_MOST]


def distance(one: Sequence[str], other: Sequence[str]) -> int:
    """How many letters to change, leave out, put in or exchange with the next (Damerau).

    >>> distance("methud", "method"), distance("min-fd", "min-df"), distance("", "abc")
    (1, 1, 3)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        before, above, row = row, before, [i]
        for j, b in enumerate(other, start=1):
            least = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and b == one[i - 2]:
                least = min(least, above[j - 2] + 1)
            row.append(least)
    return row[-1]
