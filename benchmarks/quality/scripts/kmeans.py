"""TfidfVectorizer and KMeans with ten starts."""

from protocol import given, leave
from sklearn.cluster import KMeans
from tfidf import terms

ids, texts, k, seed = given()
leave(ids, KMeans(k, n_init=10, random_state=seed).fit_predict(terms(texts)))
