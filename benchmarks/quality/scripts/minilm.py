"""Vectors of all-MiniLM-L6-v2 and KMeans with ten starts."""

from embedding import model
from protocol import given, leave
from sklearn.cluster import KMeans

ids, texts, k, seed = given()
vectors = model().encode(texts, normalize_embeddings=True)
leave(ids, KMeans(k, n_init=10, random_state=seed).fit_predict(vectors))
