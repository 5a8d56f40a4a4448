"""How much does supervision bring on my own documents? `tc.learning_curve` says."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator

from textclust.display import Displayed, Sheet
from textclust.errors import InputError
from textclust.experiments.declared import Experiment, Row, grid
from textclust.experiments.picture import picture
from textclust.experiments.runner import Reproduction, perform
from textclust.experiments.supervisions import SUPERVISIONS
from textclust.experiments.table import Table
from textclust.experiments.trial import Trial
from textclust.geometry.affine import Array, Matrix
from textclust.measures.codes import Labels
from textclust.measures.names import Measure
from textclust.methods import METHODS
from textclust.text.documents import Documents, read_documents
from textclust.text.termspace import TermSpace
from textclust.writing import write_whole

__all__ = ["LearningCurve", "learning_curve"]

_CHOICES = ("chosen", "random")  # of the pairs that are asked about


@dataclass(frozen=True, repr=False)
class LearningCurve(Displayed):
    """Scores by the amount of supervision.

    Attributes
    ----------
    rows : list of dict
        Every score: method, amount, run and fold (for questions also how they were chosen).
    summary : list of dict
        Mean, standard deviation and standard error of every point of the curves; `line` is the
        method, and for questions how they were chosen. `difference` is that from the first
        method in the same runs and folds, for questions from its random pairs, with the t and the
        two-tailed p of a paired t-test.
    """

    rows: list[Row]
    summary: list[Row]
    _made: Reproduction

    def _sheet(self) -> Sheet:
        found = self.table()
        return Sheet(f"LearningCurve: {found.title}", found.header, found.rows)

    def table(self) -> Table:
        """The means, a line of the table for each line of the picture."""
        return self._made.table()

    def plot(self, path: str | os.PathLike[str]) -> Path:
        """Draw the curves to a .png, .svg or .pdf file."""
        kind = Path(path).suffix.removeprefix(".").lower()
        if kind not in ("png", "svg", "pdf"):
            raise InputError(f"{path}: name a .png, .svg or .pdf file to draw to")
        return write_whole(path, picture(self._made.experiment, self._made.cells, kind))


def learning_curve(
    source: str | os.PathLike[str] | Documents | Matrix,
    y: Labels | None = None,
    *,
    supervision: str = "links",
    amounts: Sequence[float] | None = None,
    methods: Mapping[str, BaseEstimator] | Sequence[str] | None = None,
    measure: str = "nmi",
    folds: int = 2,
    runs: int = 5,
    wrong: float = 0.0,
    random_state: int = 0,
    jobs: int = 1,
) -> LearningCurve:
    """Score clusterings of labelled documents by the amount of supervision they had.

    In each fold some documents are held out. Supervision is drawn from the others, all are
    clustered together, and the score is computed on those held out, which no supervision mentions.

    Parameters
    ----------
    source : path, Documents, or matrix of n rows
        Documents with known classes, such as a folder with a sub-folder for each; or points, with
        their classes in `y`.
    supervision : {"links", "seeds", "questions"}, default="links"
        Random pairs that are linked as their classes say, labelled documents, or answers to
        questions: those that `ExploreConsolidate` asks, beside as many about random pairs.
    amounts : sequence of numbers
        How many links or questions, or which share of the other documents is labelled.
    methods : names, or mapping from names to estimators
        What is tried out. Names are those of `textclust cluster --method`, such as ("hmrf",
        "kmeans"), by default "hmrf", for seeds "seeded" and "constrained"; rows that are not
        sparse are compared by the Euclidean distance. Of an estimator a clone is fitted, with
        `random_state` of the run. A method that takes no seeds or constraints is given none: a
        line to compare with.
    measure : str, default="nmi"
        A function of `textclust.metrics` that compares labels with classes.
    folds, runs : int
        In so many folds every document is held out once; each run makes new ones.
    wrong : float, default=0
        The share of links, answers or labels that are turned into wrong ones.
    jobs : int, default=1
        Processes to work in; the figures are the same. A script that asks for more than one has
        to keep what it does under ``if __name__ == "__main__":``.

    Examples
    --------
    >>> import numpy as np, textclust as tc
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 20)
    >>> X = rng.normal(size=(40, 2)) + 3 * y[:, None]
    >>> curve = tc.learning_curve(X, y, amounts=(0, 20), runs=1)
    >>> [(point["amount"], point["n"]) for point in curve.summary]
    [(0, 2), (20, 2)]
    """
    _check(supervision, measure, folds, runs, wrong, amounts)
    X, truth = _points_and_classes(source, y)
    if folds > len(truth):
        raise InputError(f"{folds} folds cannot be made of {len(truth)} documents; use fewer")
    k = int(truth.max()) + 1
    if methods is None:
        methods = SUPERVISIONS[supervision].methods
    if isinstance(methods, str):
        methods = (methods,)
    if not isinstance(methods, Mapping):
        methods = _estimators(methods, supervision, k, None if issparse(X) else "euclidean")
    chosen = tuple(SUPERVISIONS[supervision].amounts if amounts is None else amounts)
    trial = Trial(X, truth, supervision, chosen, dict(methods), measure, folds, wrong, random_state)
    pairs = _CHOICES if supervision == "questions" else ("",)
    experiment = Experiment(
        name="learning curve",
        title=f"{measure} on held-out documents, by the amount of {supervision}",
        source="",
        unit=trial,
        cases=grid(method=methods, pairs=pairs),
        runs=runs,
        axes=("line", "amount"),
        x="amount",
        lines="line",
        measures=(measure,),
        notes=(f"scored on the held-out documents, {len(truth) // folds} of {len(truth)} a fold",),
        baseline=f"{next(iter(methods))}, random" if supervision == "questions" else None,
    )
    made = perform(experiment, runs, jobs)
    return LearningCurve(_every_row(made), _summary_rows(made), made)


def _estimators(
    names: Sequence[str], supervision: str, k: int, distortion: str | None
) -> dict[str, BaseEstimator]:
    suits = SUPERVISIONS[supervision].suits
    fitting = [name for name in METHODS if METHODS[name].supervision <= suits]
    for name in names:
        if name not in fitting:
            raise InputError(
                f"{name!r} is not a method that takes {supervision}; "
                f"take one of {', '.join(fitting)}"
            )
    return {name: _estimator(name, k, distortion) for name in names}


def _points_and_classes(source: Matrix, y: Labels | None) -> tuple[Matrix, Array]:
    if y is None:
        documents = source if isinstance(source, Documents) else read_documents(source)
        y = documents.labels
        if y is None or None in y:
            raise InputError("the class of every document must be known; put them in sub-folders")
        source = TermSpace(sublinear_tf=True).fit_transform(documents.texts)
    X = source if hasattr(source, "shape") else np.asarray(source, dtype=float)
    if any(each is None or each != each for each in y):  # NaN is not itself
        raise InputError("the class of every row must be known; leave the others out")
    truth = np.unique(np.asarray(y), return_inverse=True)[1]
    if len(truth) != X.shape[0]:
        raise InputError(f"{len(truth)} classes for {X.shape[0]} rows; give one for each")
    if truth.max(initial=0) < 1:
        raise InputError("there is one class only; a learning curve needs two at least")
    return X, truth


def _check(
    supervision: str,
    measure: str,
    folds: int,
    runs: int,
    wrong: float,
    amounts: Sequence[float] | None,
) -> None:
    for given, known in ((supervision, SUPERVISIONS), (measure, [*Measure])):
        if given not in known:
            raise InputError(f"{given!r} is not known; there are {', '.join(known)}")
    if folds < 2 or runs < 1 or not 0 <= wrong <= 1:
        raise InputError("folds must be 2 at least, runs 1, and wrong a share from 0 to 1")
    most = 1 if supervision == "seeds" else np.inf
    if amounts is not None and not (len(amounts) and all(0 <= each <= most for each in amounts)):
        kind = "shares from 0 to 1" if supervision == "seeds" else "numbers from 0 on"
        raise InputError(f"amounts of {supervision} are {kind}; give one at least")


def _every_row(made: Reproduction) -> list[Row]:
    return [
        {name: row[name] for name in row if name != "line"} | {"run": run}
        for (_, run), rows in made.done.items()
        for row in rows
    ]


def _summary_rows(made: Reproduction) -> list[Row]:
    kept = ("line", "amount", "mean", "sd", "se", "n", "difference", "t", "p")
    return [{name: row[name] for name in kept} for row in made.rows()]


def _estimator(method: str, k: int, distortion: str | None) -> BaseEstimator:
    """The estimator of a method, as `textclust cluster` would set it for texts.

    Without a distortion, or with one that it cannot take, it has its usual one.
    """
    import textclust

    found = METHODS[method]
    rule = found.solver_class().rules["distortion"]
    chosen = distortion if distortion is not None and rule.allows(distortion) else found.distortion
    kind = getattr(textclust, found.estimator)
    return kind(n_clusters=k, distortion=chosen, **found.for_texts)
