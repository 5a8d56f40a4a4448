"""`textclust cluster ARCHIVE --k 20 --out LABELS.csv`, as one writes it with scikit-learn.

python with_scikit_learn.py ARCHIVE LABELS.csv [N_INIT]
"""

import csv
import sys
import tarfile

from sklearn.cluster import KMeans
from sklearn.feature_extraction.text import TfidfVectorizer

archive, target = sys.argv[1:3]
n_init = int(sys.argv[3]) if len(sys.argv) > 3 else "auto"

names, texts = [], []
with tarfile.open(archive) as posts:
    for post in posts:
        if post.isfile():
            names.append(post.name)
            text = posts.extractfile(post).read().decode("latin-1")
            texts.append(text.partition("\n\n")[2])  # the header block names the group

X = TfidfVectorizer(stop_words="english", min_df=5, max_df=0.95).fit_transform(texts)
labels = KMeans(n_clusters=20, n_init=n_init, random_state=0).fit_predict(X)

with open(target, "w", newline="", encoding="utf-8") as file:
    csv.writer(file).writerows([("id", "cluster"), *zip(names, labels, strict=True)])
