"""The workbench: a project on disk, and the local server of a page on which a person sorts it."""
