"""The workbench in a real browser, as a person uses it; `make test-browser` runs these."""
