"""From a path, a table or texts to a stream of documents, then a CSR matrix and its vocabulary."""
