"""Twenty questions: which pairs of documents to ask about, and what the answers add up to."""
