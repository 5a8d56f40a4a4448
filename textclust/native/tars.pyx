# cython: boundscheck=False, wraparound=False
"""Finds the ordinary files in a piece of a .tar archive, as `textclust.text.tars` does.

Headers are judged field by field; whatever is not as nearly all of them are ends the search, and
is left to the readable way. A header or content that goes on after the piece is not touched.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.string cimport memchr, memcmp

cdef enum:
    BLOCK = 512
    NAME = 100  # its longest; the fields of a header follow each other
    SIZE = 124
    SUM = 148
    KIND = 156
    DEVICE = 329  # where its numbers are; a prefix to the name follows, and nothing

cdef bytes ZEROS = bytes(BLOCK - DEVICE)
cdef bytes NO_DEVICE = b"0000000\0" * 2 + bytes(BLOCK - DEVICE - 16)


def ordinary_files(bytes piece, Py_ssize_t place, largest):
    """The ordinary files that come first, if whole and not too large, and where they end."""
    cdef const unsigned char* units = piece
    cdef Py_ssize_t length = len(piece), begin = place + BLOCK, named
    cdef long long size, padded
    cdef list files = []
    while begin <= length and is_ordinary(units + begin - BLOCK):
        size = octal(units + begin - BLOCK + SIZE, 11)
        padded = (size + BLOCK - 1) // BLOCK * BLOCK
        if size > largest or padded > length - begin:
            break
        named = name_length(units + begin - BLOCK)
        files.append((
            PyBytes_FromStringAndSize(<const char*>units + begin - BLOCK, named),
            PyBytes_FromStringAndSize(<const char*>units + begin, <Py_ssize_t>size),
        ))
        begin += <Py_ssize_t>padded + BLOCK
    return files, begin - BLOCK


cdef bint is_ordinary(const unsigned char* header) noexcept:
    """Whether a header is that of a regular file, in plain ASCII and with all in its place."""
    cdef int i, named = name_length(header)
    cdef long long total = 7 * c" "  # the sum's own digits count as blanks
    cdef unsigned char high = 0
    if header[KIND] != c"0" and header[KIND] != 0:
        return False
    if named and header[named - 1] == c"/":
        return False
    for i in range(NAME, SIZE, 8):  # mode, owner, group
        if not is_number(header + i, 7) and not (
            is_number(header + i, 6) and header[i + 6] == c" " and header[i + 7] == 0
        ):
            return False
    if not is_number(header + SIZE, 11) or not is_number(header + SIZE + 12, 11):
        return False
    if not is_number(header + SUM, 6) or header[SUM + 6] != 0 or header[SUM + 7] != c" ":
        return False
    if memcmp(header + DEVICE, <const char*>NO_DEVICE, BLOCK - DEVICE) == 0:
        total += 14 * c"0"
    elif memcmp(header + DEVICE, <const char*>ZEROS, BLOCK - DEVICE) != 0:
        return False
    for i in range(DEVICE):
        high |= header[i]
        total += header[i]
    for i in range(SUM, SUM + 6):
        total -= header[i]
    return high < 128 and total == octal(header + SUM, 6)


cdef int name_length(const unsigned char* header) noexcept:
    cdef const unsigned char* end = <const unsigned char*>memchr(header, 0, NAME)
    return <int>(end - header) if end else NAME


cdef bint is_number(const unsigned char* field, int digits) noexcept:
    """Whether so many octal digits are there, and a zero or blank ends them."""
    cdef int i
    for i in range(digits):
        if not c"0" <= field[i] <= c"7":
            return False
    return field[digits] == 0 or field[digits] == c" "


cdef long long octal(const unsigned char* field, int digits) noexcept:
    cdef long long number = 0
    cdef int i
    for i in range(digits):
        number = 8 * number + field[i] - c"0"
    return number
