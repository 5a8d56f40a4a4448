"""Reading arrays in numpy's format, whose header is Python that anybody may have written."""

from __future__ import annotations

from tokenize import TokenError
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["BROKEN_HEADER", "array_in"]

# What numpy raises for a header that is none, depending on how far it comes.
BROKEN_HEADER = (
    *(ValueError, LookupError, TypeError, SyntaxError, TokenError, EOFError),
    *(OverflowError, MemoryError, RecursionError),
)


def array_in(file: IO[bytes]) -> NDArray[Any]:
    """The array in a file, none of it unpickled; a ValueError where there is none."""
    try:
        with np.errstate(all="ignore"):  # of a shape beyond all numbers
            found: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
    except BROKEN_HEADER as error:
        why = str(error).strip()
        raise ValueError(why.splitlines()[0] if why else "it is too large or damaged") from error
    return found
