"""TfidfVectorizer, TruncatedSVD to 100 dimensions, Normalizer, KMeans with ten starts."""

from protocol import given, leave
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from tfidf import terms

ids, texts, k, seed = given()
latent = make_pipeline(TruncatedSVD(100, random_state=seed), Normalizer(copy=False))
vectors = latent.fit_transform(terms(texts))
leave(ids, KMeans(k, n_init=10, random_state=seed).fit_predict(vectors))
