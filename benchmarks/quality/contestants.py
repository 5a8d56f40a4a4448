"""The tools that are compared: a script or a command each, and the environment it runs in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.quality.environments import OURS, Environment

__all__ = ["CONTESTANTS", "Contestant"]

_SCRIPTS = Path(__file__).with_name("scripts")


@dataclass(frozen=True)
class Contestant:
    """A way to cluster a table of texts."""

    name: str
    environment: Environment
    words: Sequence[str]  # the script, or what follows `textclust cluster`
    seeds: int = 3  # how many random states, at most
    own_number: bool = False  # it finds a number of clusters of its own

    def command(self, texts: Path, k: int, seed: int, labels: Path) -> list[str]:
        """What to run, which leaves a table `id,cluster`."""
        if self.environment is OURS:
            given = ["-k", str(k), "--random-state", str(seed), "--out", str(labels)]
            program = str(self.environment.program("textclust"))
            return [program, "cluster", str(texts), *given, *self.words]
        script, *more = self.words
        python = str(self.environment.program("python"))
        return [python, str(_SCRIPTS / script), str(texts), str(k), str(seed), str(labels), *more]


_SKLEARN, _MINILM, _BERTOPIC = (
    Environment(name) for name in ("scikit-learn", "minilm", "bertopic")
)

CONTESTANTS = (
    Contestant("textclust", OURS, ()),
    Contestant("TF-IDF, KMeans", _SKLEARN, ("kmeans.py",)),
    Contestant("TF-IDF, LSA, KMeans", _SKLEARN, ("lsa.py",)),
    Contestant("TF-IDF, NMF", _SKLEARN, ("nmf.py",)),
    Contestant("LDA", _SKLEARN, ("lda.py",)),
    Contestant("MiniLM, KMeans", _MINILM, ("minilm.py",), seeds=1),
    Contestant("BERTopic, with KMeans", _BERTOPIC, ("topics.py", "kmeans"), seeds=1),
    Contestant("BERTopic", _BERTOPIC, ("topics.py", "own"), seeds=1, own_number=True),
)
