"""The parts that `textclust.metrics` is made of."""
