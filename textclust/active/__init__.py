"""Which pairs of documents to ask about next, and what the answers add up to."""
