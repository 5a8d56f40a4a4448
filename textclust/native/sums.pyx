# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sums of clusters in double precision: products with them, and rows that move between them.

Every function lets go of the interpreter. Rows are CSR: int64 row ends, int32 columns, float32 or
float64 values. Sums are a float64 table, d x k, or the parts of a CSR matrix, k x d.
"""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memchr

cdef extern from "sums.h" nogil:
    ctypedef struct rows_t:
        const int64_t *indptr
        const int32_t *indices
        const void *data
    ctypedef struct sums_t:
        double *values
        int64_t k
        const int64_t *ends
        const int32_t *terms
    double dot_float(rows_t, int64_t, sums_t, int32_t)
    double dot_double(rows_t, int64_t, sums_t, int32_t)
    void shift_float(rows_t, int64_t, double, int32_t, int32_t, int32_t, int32_t, double, sums_t)
    void shift_double(rows_t, int64_t, double, int32_t, int32_t, int32_t, int32_t, double, sums_t)
    void spread_float(rows_t, int64_t, const int64_t *, const int32_t *, const double *, int64_t,
                      double *)
    void spread_double(rows_t, int64_t, const int64_t *, const int32_t *, const double *, int64_t,
                       double *)
    double joined_energy(int, double, double, double, double, double)
    double square_growth(double, double, double)

ctypedef fused real:
    float
    double


cdef class Sums:
    """Sums of clusters as the functions below read and change them.

    Changes of a CSR matrix are for terms that it has an entry for.
    """

    cdef const double[:, ::1] table
    cdef const double[::1] values
    cdef const int64_t[::1] ends
    cdef const int32_t[::1] terms
    cdef sums_t view

    def __init__(self, table=None, csr=None):
        if csr is None:
            self.table = table
            self.view = sums_t(<double *>&self.table[0, 0], self.table.shape[1], NULL, NULL)
        else:
            self.ends, self.terms, self.values = csr
            self.view = sums_t(<double *>&self.values[0], self.ends.shape[0] - 1,
                               &self.ends[0], &self.terms[0])


def costs_at(const int64_t[::1] indptr, const int32_t[::1] indices, const real[::1] data,
             const int64_t[::1] wanted, const int32_t[::1] clusters, int64_t begin, int64_t end,
             Sums slopes, const double[::1] scales, const double[::1] offsets, double[::1] costs):
    """What some of the wanted rows cost in the cluster named for each, in float64."""
    cdef rows_t rows = rows_t(&indptr[0], &indices[0], &data[0])
    cdef sums_t view = slopes.view
    cdef int64_t m
    cdef int32_t h
    with nogil:
        for m in range(begin, end):
            h = clusters[m]
            if real is float:
                costs[m] = dot_float(rows, wanted[m], view, h)
            else:
                costs[m] = dot_double(rows, wanted[m], view, h)
            costs[m] = scales[h] * costs[m]
            costs[m] = offsets[h] - costs[m]


def table(const int64_t[::1] indptr, const int32_t[::1] indices, const real[::1] data,
          const int64_t[::1] wanted, int64_t begin, int64_t end, const int64_t[::1] ends,
          const int32_t[::1] clusters, const double[::1] values, const double[::1] scales,
          const double[::1] offsets, double[:, ::1] costs):
    """What some of the wanted rows cost in every cluster, from sparse slopes by term."""
    cdef rows_t rows = rows_t(&indptr[0], &indices[0], &data[0])
    cdef int64_t m, h, k = costs.shape[1]
    with nogil:
        for m in range(begin, end):
            if real is float:
                spread_float(rows, wanted[m], &ends[0], &clusters[0], &values[0], k, &costs[m, 0])
            else:
                spread_double(rows, wanted[m], &ends[0], &clusters[0], &values[0], k, &costs[m, 0])
            for h in range(k):
                costs[m, h] = scales[h] * costs[m, h]
                costs[m, h] = offsets[h] - costs[m, h]


def shift(const int64_t[::1] indptr, const int32_t[::1] indices, const real[::1] data,
          const int64_t[::1] moved, const int32_t[::1] sources, const int32_t[::1] targets,
          const double[::1] weights, int32_t begin, int32_t end, double grid, Sums sums):
    """Take each moved row out of the sum of its source, if there are any, into its target's.

    Only in the terms from begin to end: threads share the terms, not the rows, so that
    each sum is added up in the order of the rows whatever their number. What is added is
    rounded to a multiple of `grid`, where that is not 0.
    """
    cdef rows_t rows = rows_t(&indptr[0], &indices[0], &data[0])
    cdef sums_t view = sums.view
    cdef int64_t m, i
    cdef bint every = moved is None, anew = sources is None
    cdef int32_t source
    cdef double anchor = grid * 6755399441055744.0
    with nogil:
        for m in range(targets.shape[0]):
            i = m if every else moved[m]
            source = -1 if anew else sources[m]
            if real is float:
                shift_float(rows, i, weights[m], source, targets[m], begin, end, anchor, view)
            else:
                shift_double(rows, i, weights[m], source, targets[m], begin, end, anchor, view)


def move_in_turn(const int64_t[::1] indptr, const int32_t[::1] indices, const real[::1] data,
                 const int64_t[::1] moved, const int32_t[::1] targets, int64_t[::1] labels,
                 const double[::1] weights, const double[::1] own, int32_t d, double grid,
                 double noise, bint by_length, Sums sums, double[::1] squares,
                 double[::1] masses, int64_t[::1] sizes, double floor):
    """Move rows one after the other, unless that has come to bring no more than noise.

    No move takes the mass of a cluster below `floor`, or its last row.

    Labels, sums, squared lengths, masses and sizes of clusters change; what all moves take off
    the energy is returned.
    """
    cdef rows_t rows = rows_t(&indptr[0], &indices[0], &data[0])
    cdef sums_t view = sums.view
    cdef int64_t m, i
    cdef int32_t s, t
    cdef double anchor = grid * 6755399441055744.0, total = 0.0, gain, here, there, w
    with nogil:
        for m in range(moved.shape[0]):
            i = moved[m]
            s, t, w = <int32_t>labels[i], targets[m], weights[i]
            if sizes[s] == 1 or masses[s] - w < floor:
                continue
            if real is float:
                here, there = dot_float(rows, i, view, s), dot_float(rows, i, view, t)
            else:
                here, there = dot_double(rows, i, view, s), dot_double(rows, i, view, t)
            gain = (joined_energy(by_length, squares[s], masses[s], 0.0, 0.0, 0.0)
                    - joined_energy(by_length, squares[s], masses[s], here, -w, own[i]))
            gain -= (joined_energy(by_length, squares[t], masses[t], there, w, own[i])
                     - joined_energy(by_length, squares[t], masses[t], 0.0, 0.0, 0.0))
            if not gain > noise:
                continue
            if real is float:
                shift_float(rows, i, w, s, t, 0, d, anchor, view)
            else:
                shift_double(rows, i, w, s, t, 0, d, anchor, view)
            squares[s] += square_growth(here, -w, own[i])
            squares[t] += square_growth(there, w, own[i])
            masses[s] -= w
            masses[t] += w
            sizes[s] -= 1
            sizes[t] += 1
            labels[i] = t
            total += gain
    return total


def by_group(const int64_t[::1] indptr, const int32_t[::1] indices, const real[::1] data,
             const int64_t[::1] order, const int64_t[::1] ends, double grid,
             double[::1] values, double[::1] counts, unsigned char[::1] touched,
             int64_t[::1] to_ends, int32_t[::1] to_terms, double[::1] to_sums,
             double[::1] to_counts):
    """Sums of rows, and how many have each term: the rows of a group end at `ends` in the order.

    Terms ascend in each group. What is added is rounded to a multiple of `grid`, where that is not
    0. `values` and `counts`, of all terms, and `touched`, of each eight of them, are zeros before
    and after.
    """
    cdef int64_t g, i, p, begin = 0, filled = 0, d = values.shape[0], blocks = touched.shape[0]
    cdef int32_t term, first
    cdef unsigned char *block
    cdef double anchor = grid * 6755399441055744.0
    with nogil:
        for g in range(ends.shape[0]):
            for i in range(begin, ends[g]):
                for p in range(indptr[order[i]], indptr[order[i] + 1]):
                    term = indices[p]
                    values[term] += (<double>data[p] + anchor) - anchor
                    counts[term] += 1.0
                    touched[term >> 3] = 1
            begin = ends[g]
            block = <unsigned char *>memchr(&touched[0], 1, blocks)
            while block != NULL:
                block[0] = 0
                first = <int32_t>(8 * (block - &touched[0]))
                for term in range(first, <int32_t>min(first + 8, d)):
                    if counts[term] == 0.0:
                        continue
                    to_terms[filled] = term
                    to_sums[filled], to_counts[filled] = values[term], counts[term]
                    values[term] = counts[term] = 0.0
                    filled += 1
                block = <unsigned char *>memchr(block, 1, &touched[0] + blocks - block)
            to_ends[g] = filled
