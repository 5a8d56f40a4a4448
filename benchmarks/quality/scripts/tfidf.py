"""The usual terms of scikit-learn."""

from sklearn.feature_extraction.text import TfidfVectorizer


def terms(texts):
    return TfidfVectorizer(stop_words="english", min_df=5, max_df=0.95).fit_transform(texts)
