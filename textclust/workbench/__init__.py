"""The workbench: a page on which a person sorts documents, and the requests below it."""
