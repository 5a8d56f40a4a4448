"""How many clusters there are: criteria, the evidence for each number, a recommendation."""
