# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The assign-and-update kernel; `textclust.geometry.native_backend` is its only caller.

Every function works on a part of the rows or terms and lets go of the interpreter, so
that threads can share the parts. Rows are CSR: int64 row ends, int32 columns, float32
or float64 values. Slopes and sums are float64, d x k.
"""

from libc.math cimport INFINITY, fabs
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

cdef extern from "assignment.h" nogil:
    enum: LANES, WIDEST
    ctypedef struct rows_t:
        const int64_t *indptr
        const int32_t *indices
        const void *data
    ctypedef struct tile_t:
        const float *slopes
        const float *scales
        const float *offsets
        int64_t width
        int32_t first
    ctypedef struct found_t:
        float *best
        float *second
        int32_t *label
        float *scores
        int64_t stride
    ctypedef void (*screen_t)(rows_t, const int64_t *, int64_t, int64_t, const tile_t *,
                              found_t) noexcept
    ctypedef void (*exact_t)(rows_t, int64_t, const double *, int64_t, double *) noexcept
    ctypedef void (*pack_t)(const double *, int64_t, int64_t, int64_t, int64_t, float *,
                            int64_t, double *) noexcept
    ctypedef void (*squares_t)(const double *, int64_t, int64_t, int64_t, double *) noexcept
    int has_avx2()
    screen_t screening()
    exact_t exact_float()
    exact_t exact_double()
    pack_t packing()
    squares_t squaring()
    double dot_float(rows_t, int64_t, const double *, int64_t)
    double dot_double(rows_t, int64_t, const double *, int64_t)
    void shift_float(rows_t, int64_t, double, int32_t, int32_t, int32_t, int32_t, double *, int64_t)
    void shift_double(rows_t, int64_t, double, int32_t, int32_t, int32_t, int32_t, double *, int64_t)

ctypedef fused real:
    float
    double


def instruction_set():
    """The instructions the kernel was found to be able to use."""
    return "avx2" if has_avx2() else "generic"


def tiling(int64_t k):
    """How many tiles hold k clusters, and how many clusters, padding included, a tile holds."""
    cdef int64_t vectors = (k + LANES - 1) // LANES
    cdef int64_t tiles = (vectors + WIDEST - 1) // WIDEST
    return tiles, (vectors + tiles - 1) // tiles * LANES


def pack(const double[:, ::1] slopes, int64_t begin, int64_t end, float[:, :, ::1] packed,
         double[::1] squares):
    """The slopes of some terms, in float32, into the tiles; their squares, added up."""
    cdef int64_t width = packed.shape[2], t, k = slopes.shape[1]
    cdef pack_t run = packing()
    with nogil:
        for t in range(packed.shape[0]):
            run(&slopes[0, t * width], k, begin, end, min(k - t * width, width),
                &packed[t, 0, 0], width, &squares[t * width])


def squares(const double[:, ::1] slopes, int64_t begin, int64_t end, double[::1] sums):
    """Add up the squares of each cluster's slopes over some terms."""
    cdef squares_t run = squaring()
    with nogil:
        run(&slopes[0, 0], slopes.shape[1], begin, end, &sums[0])


def reorder(double[:, ::1] slopes, const int64_t[::1] order):
    """Put the clusters in this order, term by term."""
    cdef int64_t j, h, k = slopes.shape[1]
    cdef double *row = <double *>malloc(k * sizeof(double))
    if row == NULL:
        raise MemoryError
    with nogil:
        for j in range(slopes.shape[0]):
            for h in range(k):
                row[h] = slopes[j, order[h]]
            for h in range(k):
                slopes[j, h] = row[h]
    free(row)


cdef void over_tiles(rows_t rows, const int64_t *wanted, int64_t begin, int64_t end,
                     const float[:, :, ::1] packed, const float[::1] scales,
                     const float[::1] offsets, found_t found) noexcept nogil:
    """Look at some of the wanted rows tile by tile."""
    cdef int64_t t, width = packed.shape[2]
    cdef screen_t run = screening()
    cdef tile_t tile
    for t in range(packed.shape[0]):
        tile = tile_t(&packed[t, 0, 0], &scales[t * width], &offsets[t * width],
                      width // LANES, <int32_t>(t * width))
        run(rows, wanted, begin, end, &tile, found)


def screen(const int64_t[::1] indptr, const int32_t[::1] indices, const float[::1] data,
           const int64_t[::1] wanted, int64_t begin, int64_t end, const float[:, :, ::1] packed,
           const float[::1] scales, const float[::1] offsets,
           float[::1] best, float[::1] second, int32_t[::1] labels):
    """The best score of some of the wanted rows, whose it is, and the next best, in float32.

    Wanted rows ascend. Results lie where the rows lie.
    """
    cdef rows_t rows = rows_t(&indptr[0], &indices[0], &data[0])
    cdef found_t found = found_t(&best[0], &second[0], &labels[0], NULL, 0)
    cdef int64_t m
    with nogil:
        for m in range(begin, end):
            best[wanted[m]] = second[wanted[m]] = -INFINITY
        over_tiles(rows, &wanted[0], begin, end, packed, scales, offsets, found)


def score(const int64_t[::1] indptr, const int32_t[::1] indices, const float[::1] data,
          const int64_t[::1] wanted, int64_t begin, int64_t end, const float[:, :, ::1] packed,
          const float[::1] scales, const float[::1] offsets, float[:, ::1] scores):
    """The scores of some of the wanted rows in all clusters, padding included, in float32."""
    cdef rows_t rows = rows_t(&indptr[0], &indices[0], &data[0])
    cdef found_t found = found_t(NULL, NULL, NULL, &scores[0, 0], scores.shape[1])
    with nogil:
        over_tiles(rows, &wanted[0], begin, end, packed, scales, offsets, found)


def table(const int64_t[::1] indptr, const int32_t[::1] indices, const real[::1] data,
          const int64_t[::1] wanted, int64_t begin, int64_t end, const double[:, ::1] slopes,
          const double[::1] scales, const double[::1] offsets, double[:, ::1] costs):
    """What some of the wanted rows cost in every cluster, in float64."""
    cdef rows_t rows = rows_t(&indptr[0], &indices[0], &data[0])
    cdef int64_t m, h, k = slopes.shape[1]
    cdef exact_t run
    if real is float:
        run = exact_float()
    else:
        run = exact_double()
    with nogil:
        for m in range(begin, end):
            run(rows, wanted[m], &slopes[0, 0], k, &costs[m, 0])
            for h in range(k):
                costs[m, h] = scales[h] * costs[m, h]
                costs[m, h] = offsets[h] - costs[m, h]


def costs_at(const int64_t[::1] indptr, const int32_t[::1] indices, const real[::1] data,
             const int64_t[::1] wanted, const int32_t[::1] clusters, int64_t begin, int64_t end,
             const double[:, ::1] slopes, const double[::1] scales, const double[::1] offsets,
             double[::1] costs):
    """What some of the wanted rows cost in the cluster named for each, in float64."""
    cdef rows_t rows = rows_t(&indptr[0], &indices[0], &data[0])
    cdef int64_t m, k = slopes.shape[1]
    cdef int32_t h
    with nogil:
        for m in range(begin, end):
            h = clusters[m]
            if real is float:
                costs[m] = dot_float(rows, wanted[m], &slopes[0, h], k)
            else:
                costs[m] = dot_double(rows, wanted[m], &slopes[0, h], k)
            costs[m] = scales[h] * costs[m]
            costs[m] = offsets[h] - costs[m]


def shift(const int64_t[::1] indptr, const int32_t[::1] indices, const real[::1] data,
          const int64_t[::1] moved, const int32_t[::1] sources, const int32_t[::1] targets,
          const double[::1] weights, int32_t begin, int32_t end, double[:, ::1] sums):
    """Take each moved row out of the sum of its source, if there are any, into its target's.

    Only in the terms from begin to end: threads share the terms, not the rows, so that
    each sum is added up in the order of the rows whatever their number.
    """
    cdef rows_t rows = rows_t(&indptr[0], &indices[0], &data[0])
    cdef int64_t m, i, k = sums.shape[1]
    cdef bint every = moved is None, anew = sources is None
    cdef int32_t source
    with nogil:
        for m in range(targets.shape[0]):
            i = m if every else moved[m]
            source = -1 if anew else sources[m]
            if real is float:
                shift_float(rows, i, weights[m], source, targets[m], begin, end, &sums[0, 0], k)
            else:
                shift_double(rows, i, weights[m], source, targets[m], begin, end, &sums[0, 0], k)


def measure(const int64_t[::1] indptr, const real[::1] data, int64_t begin, int64_t end,
            double[::1] squares, double[::1] totals):
    """The sum of the squares, and of the sizes, of the entries of some rows."""
    cdef int64_t i, p
    cdef double value, square, total
    with nogil:
        for i in range(begin, end):
            square = total = 0.0
            for p in range(indptr[i], indptr[i + 1]):
                value = fabs(<double>data[p])
                square += value * value
                total += value
            squares[i], totals[i] = square, total
