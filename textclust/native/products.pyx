# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sparse rows times a dense table; `textclust.geometry.products` is its only caller."""

from libc.stdint cimport int32_t, int64_t

cdef extern from "products.h" nogil:
    ctypedef struct rows_t:
        const int64_t *indptr
        const int32_t *indices
        const float *data
    ctypedef void (*product_t)(rows_t, int64_t, const float *, int64_t, float *) noexcept
    product_t multiplying(int64_t)


def multiply(
    const int64_t[::1] indptr,
    const int32_t[::1] indices,
    const float[::1] data,
    const float[:, ::1] table,
    float[:, ::1] found,
    int64_t begin,
    int64_t end,
):
    """Write the products of the rows from `begin` to `end` with the table."""
    if begin >= end or table.shape[0] == 0 or table.shape[1] == 0:
        found[begin:end] = 0.0
        return
    cdef rows_t rows
    rows.indptr = &indptr[0]
    rows.indices = &indices[0] if indices.shape[0] else NULL
    rows.data = &data[0] if data.shape[0] else NULL
    cdef int64_t i, columns = table.shape[1]
    cdef product_t product = multiplying(columns)
    with nogil:
        for i in range(begin, end):
            product(rows, i, &table[0, 0], columns, &found[i, 0])
