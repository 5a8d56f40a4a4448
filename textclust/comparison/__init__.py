"""Two clusterings: which cluster of the one is which of the other, and what moved between them."""
