"""From texts to dense vectors, by a model that lies on this machine; nothing is ever downloaded.

models      which model a name stands for, and what every model can do
static      a table with a vector for each token: wordllama, and folders of model2vec
sentence    a model of sentence-transformers
cache       vectors that were computed before, by the hash of the text
"""
