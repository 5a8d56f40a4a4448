"""BERTopic with vectors of all-MiniLM-L6-v2.

"kmeans" has KMeans in the place of HDBSCAN, so that there are k topics and all documents have one;
"own" leaves everything as it is, but for the random state of UMAP.
"""

import sys

from bertopic import BERTopic
from embedding import model
from protocol import given, leave
from sklearn.cluster import KMeans
from sklearn.feature_extraction.text import CountVectorizer
from umap import UMAP

ids, texts, k, seed = given()
clusters = {"hdbscan_model": KMeans(k, n_init=10, random_state=seed)}
topics, _ = BERTopic(
    embedding_model=model(),
    umap_model=UMAP(
        n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=seed
    ),
    vectorizer_model=CountVectorizer(stop_words="english"),
    **(clusters if sys.argv[5] == "kmeans" else {}),
).fit_transform(texts)
leave(ids, topics)
