"""How many clusters there are: criteria, evidence for each number, and a recommendation."""
