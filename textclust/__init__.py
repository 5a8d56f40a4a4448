"""Text-document clustering that listens: sparse, seeded, constrained, explained.

Names are imported when first used, so that ``import textclust`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textclust.active.explore_consolidate import ExploreConsolidate as ExploreConsolidate
    from textclust.comparison.difference import Difference as Difference
    from textclust.comparison.difference import diff as diff
    from textclust.errors import InputError as InputError
    from textclust.errors import ModelError as ModelError
    from textclust.errors import OutputError as OutputError
    from textclust.errors import TextclustError as TextclustError
    from textclust.estimators.background import SemiFuzzy as SemiFuzzy
    from textclust.estimators.background import SemiHard as SemiHard
    from textclust.estimators.consensus import ConsensusClustering as ConsensusClustering
    from textclust.estimators.constrained import HMRFKMeans as HMRFKMeans
    from textclust.estimators.constrained import PCKMeans as PCKMeans
    from textclust.estimators.examples import CLUE as CLUE
    from textclust.estimators.examples import CLUEDO as CLUEDO
    from textclust.estimators.guided import GuidedClustering as GuidedClustering
    from textclust.estimators.hac import HAC as HAC
    from textclust.estimators.hard import COPKMeans as COPKMeans
    from textclust.estimators.kernel import AdaptiveSSKernelKMeans as AdaptiveSSKernelKMeans
    from textclust.estimators.kernel import SSKernelKMeans as SSKernelKMeans
    from textclust.estimators.kmeans import KMeans as KMeans
    from textclust.estimators.kmeans import SphericalKMeans as SphericalKMeans
    from textclust.estimators.metric import MKMeans as MKMeans
    from textclust.estimators.metric import MPCKMeans as MPCKMeans
    from textclust.estimators.mixtures import HMRFEM as HMRFEM
    from textclust.estimators.mixtures import VonMisesFisherMixture as VonMisesFisherMixture
    from textclust.estimators.overlapping import OverlappingKMeans as OverlappingKMeans
    from textclust.estimators.seeded import ConstrainedKMeans as ConstrainedKMeans
    from textclust.estimators.seeded import SeededKMeans as SeededKMeans
    from textclust.estimators.vectorizer import TextVectorizer as TextVectorizer
    from textclust.experiments.curve import LearningCurve as LearningCurve
    from textclust.experiments.curve import learning_curve as learning_curve
    from textclust.model_selection.choice import select_k as select_k
    from textclust.pipeline import cluster as cluster
    from textclust.refitting import refit as refit
    from textclust.result.clustering import Clustering as Clustering
    from textclust.result.explanation import Explanation as Explanation
    from textclust.result.model import load as load
    from textclust.supervision.background.labelled import Background as Background
    from textclust.supervision.background.naive_bayes import (
        NaiveBayesLabeller as NaiveBayesLabeller,
    )
    from textclust.supervision.background.nearest import (
        NearestNeighbourLabeller as NearestNeighbourLabeller,
    )
    from textclust.supervision.constraints import Constraints as Constraints
    from textclust.text.cleaning import Cleaning as Cleaning
    from textclust.text.documents import Documents as Documents
    from textclust.text.documents import read_documents as read_documents
    from textclust.text.reading import open_documents as open_documents

_DEFINED_IN = {
    "AdaptiveSSKernelKMeans": "estimators.kernel",
    "Background": "supervision.background.labelled",
    "CLUE": "estimators.examples",
    "CLUEDO": "estimators.examples",
    "COPKMeans": "estimators.hard",
    "Cleaning": "text.cleaning",
    "Clustering": "result.clustering",
    "ConsensusClustering": "estimators.consensus",
    "Constraints": "supervision.constraints",
    "ConstrainedKMeans": "estimators.seeded",
    "Difference": "comparison.difference",
    "Documents": "text.documents",
    "Explanation": "result.explanation",
    "ExploreConsolidate": "active.explore_consolidate",
    "GuidedClustering": "estimators.guided",
    "HAC": "estimators.hac",
    "HMRFEM": "estimators.mixtures",
    "HMRFKMeans": "estimators.constrained",
    "InputError": "errors",
    "KMeans": "estimators.kmeans",
    "LearningCurve": "experiments.curve",
    "MKMeans": "estimators.metric",
    "MPCKMeans": "estimators.metric",
    "ModelError": "errors",
    "NaiveBayesLabeller": "supervision.background.naive_bayes",
    "NearestNeighbourLabeller": "supervision.background.nearest",
    "OutputError": "errors",
    "OverlappingKMeans": "estimators.overlapping",
    "PCKMeans": "estimators.constrained",
    "SSKernelKMeans": "estimators.kernel",
    "SeededKMeans": "estimators.seeded",
    "SemiFuzzy": "estimators.background",
    "SemiHard": "estimators.background",
    "SphericalKMeans": "estimators.kmeans",
    "TextVectorizer": "estimators.vectorizer",
    "TextclustError": "errors",
    "VonMisesFisherMixture": "estimators.mixtures",
    "cluster": "pipeline",
    "diff": "comparison.difference",
    "learning_curve": "experiments.curve",
    "load": "result.model",
    "open_documents": "text.reading",
    "read_documents": "text.documents",
    "refit": "refitting",
    "select_k": "model_selection.choice",
}
_MODULES = ("corpora", "learned_metrics", "metrics")
__all__ = sorted([*_DEFINED_IN, *_MODULES])
__version__ = "0.2.0.dev0"


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"textclust.{name}")
    if name not in _DEFINED_IN:
        raise AttributeError(f"module 'textclust' has no attribute {name!r}")
    return getattr(import_module(f"textclust.{_DEFINED_IN[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
