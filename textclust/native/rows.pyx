# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Counts by term to counts by column: what is in no column goes, what stays is in order."""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset

ctypedef fused Count:
    int32_t
    float
    double

cdef enum:
    FEW = 48  # entries that are in order sooner by insertion


def arrange(
    const int64_t[::1] ends,
    const int32_t[::1] terms,
    const int32_t[::1] counts,
    const int32_t[::1] column,
    int64_t[::1] to_ends,
    int32_t[::1] to_columns,
    Count[::1] to_counts,
):
    """Write the entries of rows that end at `ends` by column, and where they end then.

    A term in column -1 is left out. The columns of each row ascend.
    """
    cdef int64_t row, i, begin = 0, filled = 0, n, widest = 0
    cdef int32_t last = 0
    for i in range(column.shape[0]):
        last = max(last, column[i])
    for row in range(ends.shape[0]):
        widest = max(widest, ends[row] - (ends[row - 1] if row else 0))
    cdef uint64_t* entries = <uint64_t*>PyMem_RawMalloc(2 * (widest + 1) * sizeof(uint64_t))
    if entries == NULL:
        raise MemoryError
    with nogil:
        for row in range(ends.shape[0]):
            n = 0
            for i in range(begin, ends[row]):
                if column[terms[i]] >= 0:
                    entries[n] = <uint64_t>column[terms[i]] << 32 | <uint32_t>counts[i]
                    n += 1
            begin = ends[row]
            sort(entries, entries + widest, n, last)
            for i in range(n):
                to_columns[filled + i] = <int32_t>(entries[i] >> 32)
                to_counts[filled + i] = <Count><int32_t><uint32_t>entries[i]
            filled += n
            to_ends[row] = filled
    PyMem_RawFree(entries)


cdef void sort(uint64_t* entries, uint64_t* spare, int64_t n, int32_t last) noexcept nogil:
    """By column, up to the last: digit by digit, or by insertion if they are few."""
    cdef int shift = 32
    cdef int64_t i, j
    cdef uint64_t entry
    if n > FEW:
        while last:
            sort_by_digit(entries, spare, n, shift)
            sort_by_digit(spare, entries, n, shift + 8)
            shift += 16
            last >>= 16
        return
    for i in range(1, n):
        entry = entries[i]
        j = i
        while j and entries[j - 1] > entry:
            entries[j] = entries[j - 1]
            j -= 1
        entries[j] = entry


cdef void sort_by_digit(
    const uint64_t* entries, uint64_t* to, int64_t n, int shift
) noexcept nogil:
    cdef int64_t[256] place
    cdef int64_t i, begin = 0, size
    memset(place, 0, sizeof(place))
    for i in range(n):
        place[entries[i] >> shift & 0xFF] += 1
    for i in range(256):
        size = place[i]
        place[i] = begin
        begin += size
    for i in range(n):
        to[place[entries[i] >> shift & 0xFF]] = entries[i]
        place[entries[i] >> shift & 0xFF] += 1
