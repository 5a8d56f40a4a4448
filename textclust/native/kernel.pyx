# cython: boundscheck=False, wraparound=False, cdivision=True
"""The assign-and-update kernel."""


def instruction_set():
    """The instructions this processor was found to have."""
    return "generic"
