"""Pictures of a clustering, by matplotlib."""
