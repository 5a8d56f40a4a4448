"""CountVectorizer and LatentDirichletAllocation: each document in its main topic."""

from protocol import given, leave
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.feature_extraction.text import CountVectorizer

ids, texts, k, seed = given()
counts = CountVectorizer(stop_words="english", min_df=5, max_df=0.95).fit_transform(texts)
model = LatentDirichletAllocation(k, learning_method="batch", random_state=seed)
leave(ids, model.fit_transform(counts).argmax(axis=1))
