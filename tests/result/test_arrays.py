"""Arrays in a file: what is read is what was written, and the checksum is that of the file."""

from __future__ import annotations

import hashlib
import io

import numpy as np

from textclust.result.arrays import write_arrays

ARRAYS = {
    "table": np.arange(12.0).reshape(3, 4),
    "turned": np.arange(12.0, dtype=np.float32).reshape(3, 4).T,
    "strided": np.arange(24).reshape(4, 6)[::2, ::3],
    "letters": np.frombuffer(b"letters", dtype=np.uint8),
    "none": np.empty((0, 5)),
    "number": np.float64(7.5),
    "many": np.arange(300_000),
}


def written():
    file = io.BytesIO()
    return write_arrays(file, ARRAYS), file


def test_arrays_come_back_as_they_were():
    _, file = written()
    file.seek(0)
    with np.load(file, allow_pickle=False) as found:
        assert found.files == list(ARRAYS)
        for name, expected in ARRAYS.items():
            np.testing.assert_array_equal(found[name], expected)
            assert found[name].dtype == expected.dtype
        assert found["turned"].flags.f_contiguous  # sums over it are taken in the same order


def test_the_checksum_is_that_of_the_file():
    checksum, file = written()
    assert checksum == hashlib.sha256(file.getvalue()).hexdigest()
    assert written()[1].getvalue() == file.getvalue()
