# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The assign-and-update kernel; the native backend in `textclust.geometry` calls it.

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
    double joined_energy(int, double, double, double, double, double)
    double square_growth(double, double, double)
    void scatter(rows_t, const int64_t *, int64_t, int64_t, postings_t, float *, int64_t)
    squares_t squaring()
    double dot_float(rows_t, int64_t, const double *, int64_t)
    double dot_double(rows_t, int64_t, const double *, int64_t)
    void shift_float(rows_t, int64_t, double, int32_t, int32_t, int32_t, int32_t, double,
                     double *, int64_t)
    void shift_double(rows_t, int64_t, double, int32_t, int32_t, int32_t, int32_t, double,
                     double *, int64_t)

cdef int64_t TOGETHER = 1 << 18  # sums of rows and clusters held at a time

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
          const double[::1] weights, int32_t begin, int32_t end, double grid,
          double[:, ::1] sums):
    """Take each moved row out of the sum of its source, if there are any, into its target's.

    Only in the terms from begin to end: threads share the terms, not the rows, so that
    each sum is added up in the order of the rows whatever their number. What is added is
    rounded to a multiple of `grid`, where that is not 0.
    """
    cdef rows_t rows = rows_t(&indptr[0], &indices[0], &data[0])
    cdef int64_t m, i, k = sums.shape[1]
    cdef bint every = moved is None, anew = sources is None
    cdef int32_t source
    cdef double anchor = grid * 6755399441055744.0
    with nogil:
        for m in range(targets.shape[0]):
            i = m if every else moved[m]
            source = -1 if anew else sources[m]
            if real is float:
                shift_float(rows, i, weights[m], source, targets[m], begin, end, anchor,
                            &sums[0, 0], k)
            else:
                shift_double(rows, i, weights[m], source, targets[m], begin, end, anchor,
                            &sums[0, 0], k)


def move_in_turn(const int64_t[::1] indptr, const int32_t[::1] indices, const real[::1] data,
                 const int64_t[::1] moved, const int32_t[::1] targets, int64_t[::1] labels,
                 const double[::1] weights, const double[::1] own, double grid, double noise,
                 bint by_length, double[:, ::1] sums, double[::1] squares, double[::1] masses,
                 int64_t[::1] sizes, double floor):
    """Move rows one after the other, unless that has come to bring no more than noise.

    No move takes the mass of a cluster below `floor`, or its last row.

    Labels, sums, squared lengths, masses and sizes of clusters change; what all moves take off
    the energy is returned.
    """
    cdef rows_t rows = rows_t(&indptr[0], &indices[0], &data[0])
    cdef int64_t m, i, k = sums.shape[1]
    cdef int32_t s, t, d = <int32_t>sums.shape[0]
    cdef double anchor = grid * 6755399441055744.0, total = 0.0, gain, here, there, w
    with nogil:
        for m in range(moved.shape[0]):
            i = moved[m]
            s, t, w = <int32_t>labels[i], targets[m], weights[i]
            if sizes[s] == 1 or masses[s] - w < floor:
                continue
            if real is float:
                here = dot_float(rows, i, &sums[0, s], k)
                there = dot_float(rows, i, &sums[0, t], k)
            else:
                here = dot_double(rows, i, &sums[0, s], k)
                there = dot_double(rows, i, &sums[0, t], k)
            gain = (joined_energy(by_length, squares[s], masses[s], 0.0, 0.0, 0.0)
                    - joined_energy(by_length, squares[s], masses[s], here, -w, own[i]))
            gain -= (joined_energy(by_length, squares[t], masses[t], there, w, own[i])
                     - joined_energy(by_length, squares[t], masses[t], 0.0, 0.0, 0.0))
            if not gain > noise:
                continue
            if real is float:
                shift_float(rows, i, w, s, t, 0, d, anchor, &sums[0, 0], k)
            else:
                shift_double(rows, i, w, s, t, 0, d, anchor, &sums[0, 0], k)
            squares[s] += square_growth(here, -w, own[i])
            squares[t] += square_growth(there, w, own[i])
            masses[s] -= w
            masses[t] += w
            sizes[s] -= 1
            sizes[t] += 1
            labels[i] = t
            total += gain
    return total


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
