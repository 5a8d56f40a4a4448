# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Scores of rows in clusters; the native backend in `textclust.geometry` calls it.

Every function works on a part of the rows or terms and lets go of the interpreter, so
that threads can share the parts. Rows are CSR: int64 row ends, int32 columns, float32
or float64 values. Slopes are float64, d x k, or CSR where they are mostly zeros.
"""

from libc.math cimport INFINITY, fabs
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

cdef extern from "assignment.h" nogil:
    enum: LANES, WIDEST, VECTORS
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
        int64_t size
        const float *sums
        int64_t stride
    ctypedef struct posting_t:
        int32_t cluster
        float slope
    ctypedef struct postings_t:
        const int64_t *starts
        const int32_t *counts
        const posting_t *list
    ctypedef struct packed_t:
        float *tiles
        int64_t stride
        int64_t width
        const int32_t *place
        const int64_t *starts
        int32_t *counts
        posting_t *list
    ctypedef struct sparse_t:
        const int64_t *ends
        const int32_t *terms
        const double *values
        int64_t k
    ctypedef struct joining_t:
        const float *weights
        const float *squares
        const int32_t *home
    ctypedef struct found_t:
        float *best
        float *second
        int32_t *label
        float *scores
        int64_t stride
    ctypedef void (*screen_t)(rows_t, const int64_t *, int64_t, int64_t, const tile_t *,
                              found_t, joining_t) noexcept
    ctypedef void (*exact_t)(rows_t, int64_t, const double *, int64_t, double *) noexcept
    ctypedef void (*pack_t)(const double *, int64_t, int64_t, int64_t, int64_t, float *,
                            int64_t, double *) noexcept
    ctypedef void (*squares_t)(const double *, int64_t, int64_t, int64_t, double *) noexcept
    int has_avx2()
    screen_t screening()
    screen_t joining_lengths()
    screen_t joining_means()
    exact_t exact_float()
    exact_t exact_double()
    ctypedef int (*pack_split_t)(const double *, int64_t, int64_t, int64_t, packed_t,
                                 double *) noexcept
    pack_t packing()
    pack_split_t packing_split()
    int pack_sparse(sparse_t, int64_t, int64_t, packed_t, double *)
    void scatter(rows_t, const int64_t *, int64_t, int64_t, postings_t, float *, int64_t)
    squares_t squaring()

cdef int64_t TOGETHER = 1 << 18  # sums of rows and clusters held at a time

ctypedef fused real:
    float
    double


def instruction_set():
    """The instructions the kernel was found to be able to use."""
    return "avx2" if has_avx2() else "generic" if VECTORS else "plain C"


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


cdef class Slopes:
    """Slopes of clusters in float32, packed for the rows of a matrix.

    Every term has a row in each tile; where `rest` is given, only those do that many clusters
    have, and `rest` are the entries of the rows in the other terms, each with its postings.
    """

    cdef const float[:, :, ::1] tiles
    cdef const int64_t[::1] indptr, rest_indptr, starts
    cdef const int32_t[::1] indices, rest_indices, counts
    cdef const float[::1] data, rest_data
    cdef const posting_t[::1] list
    cdef int64_t k
    cdef bint split

    def __init__(self, rows, tiles, int64_t k, rest=None, postings=None):
        self.indptr, self.indices, self.data = rows
        self.tiles, self.k, self.split = tiles, k, rest is not None
        if self.split:
            self.rest_indptr, self.rest_indices, self.rest_data = rest
            self.starts, self.counts, self.list = postings

    cdef int look(self, const int64_t *wanted, int64_t begin, int64_t end,
                  const float[::1] scales, const float[::1] offsets, found_t found,
                  joining_t joining, screen_t run) except -1:
        """Look at some of the wanted rows tile by tile; with postings, some rows at a time."""
        cdef int64_t width = self.tiles.shape[2], stride = width * self.tiles.shape[0]
        cdef int64_t step = max(64, TOGETHER // stride), m, next
        cdef rows_t rows = rows_t(&self.indptr[0], &self.indices[0], &self.data[0]), rest
        cdef postings_t postings
        cdef float *sums = NULL
        if not self.split:
            with nogil:
                self.over_tiles(rows, wanted, begin, end, scales, offsets, found, joining, run,
                                NULL)
            return 0
        rest = rows_t(&self.rest_indptr[0], &self.rest_indices[0], &self.rest_data[0])
        postings = postings_t(&self.starts[0], &self.counts[0], &self.list[0])
        sums = <float *>malloc(step * stride * sizeof(float))
        if sums == NULL:
            raise MemoryError
        with nogil:
            m = begin
            while m < end:
                next = min(m + step, end)
                scatter(rest, wanted, m, next, postings, sums, stride)
                self.over_tiles(rows, wanted, m, next, scales, offsets, found, joining, run, sums)
                m = next
        free(sums)
        return 0

    cdef void over_tiles(self, rows_t rows, const int64_t *wanted, int64_t begin, int64_t end,
                         const float[::1] scales, const float[::1] offsets, found_t found,
                         joining_t joining, screen_t run, const float *sums) noexcept nogil:
        cdef int64_t t, width = self.tiles.shape[2]
        cdef tile_t tile
        for t in range(self.tiles.shape[0]):
            tile = tile_t(&self.tiles[t, 0, 0], &scales[t * width], &offsets[t * width],
                          width // LANES, <int32_t>(t * width),
                          min(width, max(self.k - t * width, 0)), sums,
                          width * self.tiles.shape[0])
            run(rows, wanted, begin, end, &tile, found, joining)


def screen(Slopes slopes, const int64_t[::1] wanted, int64_t begin, int64_t end,
           const float[::1] scales, const float[::1] offsets,
           float[::1] best, float[::1] second, int32_t[::1] labels):
    """The best score of some of the wanted rows, whose it is, and the next best, in float32.

    Wanted rows ascend. Results lie where the rows lie.
    """
    cdef found_t found = found_t(&best[0], &second[0], &labels[0], NULL, 0)
    cdef int64_t m
    for m in range(begin, end):
        best[wanted[m]] = second[wanted[m]] = -INFINITY
    slopes.look(&wanted[0], begin, end, scales, offsets, found, joining_t(NULL, NULL, NULL),
                screening())


def join(Slopes slopes, const int64_t[::1] wanted, int64_t begin, int64_t end,
         const float[::1] scales, const float[::1] offsets, bint by_length,
         const float[::1] weights, const float[::1] squares, const int32_t[::1] home,
         float[::1] best, float[::1] second, int32_t[::1] labels):
    """The most that joining another cluster takes off its energy, for some wanted rows.

    The next best and whose the best is beside it, in float32; results lie where the rows lie.
    """
    cdef found_t found = found_t(&best[0], &second[0], &labels[0], NULL, 0)
    cdef joining_t joining = joining_t(&weights[0], &squares[0], &home[0])
    cdef int64_t m
    for m in range(begin, end):
        best[wanted[m]] = second[wanted[m]] = -INFINITY
    slopes.look(&wanted[0], begin, end, scales, offsets, found, joining,
                joining_lengths() if by_length else joining_means())


def score(Slopes slopes, const int64_t[::1] wanted, int64_t begin, int64_t end,
          const float[::1] scales, const float[::1] offsets, float[:, ::1] scores):
    """The scores of some of the wanted rows in all clusters, padding included, in float32."""
    cdef found_t found = found_t(NULL, NULL, NULL, &scores[0, 0], scores.shape[1])
    slopes.look(&wanted[0], begin, end, scales, offsets, found, joining_t(NULL, NULL, NULL),
                screening())


def pack_split(const double[:, ::1] slopes, int64_t begin, int64_t end, float[:, :, ::1] tiles,
               const int32_t[::1] place, const int64_t[::1] starts, int32_t[::1] counts,
               posting_t[::1] list, double[::1] squares):
    """The slopes of some terms into tiles and postings; False where these have too little room."""
    cdef packed_t packed = packed_t(&tiles[0, 0, 0], tiles.shape[1] * tiles.shape[2],
                                    tiles.shape[2], &place[0], &starts[0], &counts[0], &list[0])
    cdef pack_split_t run = packing_split()
    cdef int fits
    with nogil:
        fits = run(&slopes[0, 0], slopes.shape[1], begin, end, packed, &squares[0])
    return bool(fits)


def pack_csr(csr, int64_t begin, int64_t end, float[:, :, ::1] tiles, double[::1] squares,
             split=None):
    """The same of the parts of CSR slopes, into tiles that hold zeros, and postings if any.

    `split` are the places of the terms, and the starts, counts and lists of postings.
    """
    cdef const int64_t[::1] ends
    cdef const int32_t[::1] terms, place
    cdef const double[::1] values
    cdef const int64_t[::1] starts
    cdef int32_t[::1] counts
    cdef posting_t[::1] list
    ends, terms, values = csr
    cdef sparse_t slopes = sparse_t(&ends[0], &terms[0], &values[0], ends.shape[0] - 1)
    cdef packed_t packed = packed_t(&tiles[0, 0, 0], tiles.shape[1] * tiles.shape[2],
                                    tiles.shape[2], NULL, NULL, NULL, NULL)
    cdef int fits
    if split is not None:
        place, starts, counts, list = split
        packed.place, packed.starts = &place[0], &starts[0]
        packed.counts, packed.list = &counts[0], &list[0]
    with nogil:
        fits = pack_sparse(slopes, begin, end, packed, &squares[0])
    return bool(fits)


def take(const float[:, :, ::1] tiles, const int32_t[::1] chosen, int64_t begin, int64_t end,
         float[:, :, ::1] taken):
    """Some of the clusters, in tiles of their own; for the terms from begin to end."""
    cdef int64_t j, h, width = tiles.shape[2], other = taken.shape[2]
    with nogil:
        for j in range(begin, end):
            for h in range(chosen.shape[0]):
                taken[h // other, j, h % other] = tiles[chosen[h] // width, j, chosen[h] % width]


def take_postings(const int64_t[::1] starts, const int32_t[::1] counts, const posting_t[::1] list,
                  const int32_t[::1] places, int32_t[::1] taken_counts, posting_t[::1] taken):
    """The postings of the clusters that have a place, at the same starts."""
    cdef int64_t term, p, next
    with nogil:
        for term in range(counts.shape[0]):
            next = starts[term]
            for p in range(starts[term], starts[term] + counts[term]):
                if places[list[p].cluster] >= 0:
                    taken[next] = posting_t(places[list[p].cluster], list[p].slope)
                    next += 1
            taken_counts[term] = <int32_t>(next - starts[term])


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


def scale(const int64_t[::1] indptr, const real[::1] data, const double[::1] factors,
          int64_t begin, int64_t end, real[::1] scaled):
    """The entries of some rows, each times the factor of its row."""
    cdef int64_t i, p
    with nogil:
        for i in range(begin, end):
            for p in range(indptr[i], indptr[i + 1]):
                scaled[p] = data[p] * <real>factors[i]
