/* Sums of clusters in double precision, as numpy and scipy would compute with them, to the last
   bit: in the order of a row's entries, nothing fused.

   They are a table, term by term, or CSR: the entries of one cluster after the other, by terms
   that ascend. What is not stored is zero. */

#include <math.h>
#include <stdint.h>

#include "compiler.h"

UNFUSED_FROM_HERE

typedef struct {
    const int64_t *indptr;
    const int32_t *indices;
    const void *data; /* float or double */
} rows_t;

typedef struct {
    double *values;
    int64_t k;            /* clusters of a table, d x k */
    const int64_t *ends;  /* of CSR: where clusters begin and end, NULL for a table, */
    const int32_t *terms; /* and the term of each entry */
} sums_t;

/* The first place from `begin` on, before `end`, of a term that is not smaller. */
static int64_t place_of(const int32_t *terms, int64_t begin, int64_t end, int32_t term) {
    while (begin < end) {
        const int64_t middle = begin + (end - begin) / 2;
        if (terms[middle] < term) begin = middle + 1;
        else end = middle;
    }
    return begin;
}

/* <x_i, S_h>. */
#define DOT(REAL)                                                                             \
    UNFUSED static double dot_##REAL(rows_t rows, int64_t i, sums_t sums, int32_t h) {        \
        const REAL *data = (const REAL *)rows.data;                                           \
        double sum = 0.0;                                                                     \
        if (!sums.ends) {                                                                     \
            for (int64_t p = rows.indptr[i]; p < rows.indptr[i + 1]; p++)                     \
                sum += (double)data[p] * sums.values[rows.indices[p] * sums.k + h];           \
            return sum;                                                                       \
        }                                                                                     \
        const int64_t end = sums.ends[h + 1];                                                 \
        int64_t place = sums.ends[h];                                                         \
        int32_t last = -1;                                                                    \
        for (int64_t p = rows.indptr[i]; p < rows.indptr[i + 1]; p++) {                       \
            const int32_t term = rows.indices[p];                                             \
            place = place_of(sums.terms, term < last ? sums.ends[h] : place, end, term);      \
            if (place < end && sums.terms[place] == term)                                     \
                sum += (double)data[p] * sums.values[place];                                  \
            last = term;                                                                      \
        }                                                                                     \
        return sum;                                                                           \
    }

DOT(float)
DOT(double)

/* Where the sum of a cluster has a term; CSR has an entry for it. */
static inline int64_t entry_of(sums_t sums, int32_t h, int32_t term) {
    return sums.ends ? place_of(sums.terms, sums.ends[h], sums.ends[h + 1], term)
                     : term * sums.k + h;
}

/* Move w x_i from the sum of one cluster, if there is one, to that of another, in some of the terms.

   Values are rounded to a grid by adding and taking away 1.5 x 2^52 of its steps; 0 leaves them. */
#define SHIFT(REAL)                                                                           \
    UNFUSED static void shift_##REAL(rows_t rows, int64_t i, double weight, int32_t source,   \
                                     int32_t target, int32_t from, int32_t to, double anchor, \
                                     sums_t sums) {                                           \
        const REAL *data = (const REAL *)rows.data;                                           \
        for (int64_t p = rows.indptr[i]; p < rows.indptr[i + 1]; p++) {                       \
            const int32_t term = rows.indices[p];                                             \
            if (term < from || term >= to) continue;                                          \
            const double value = (weight * (double)data[p] + anchor) - anchor;                \
            if (source >= 0) sums.values[entry_of(sums, source, term)] -= value;              \
            sums.values[entry_of(sums, target, term)] += value;                               \
        }                                                                                     \
    }

SHIFT(float)
SHIFT(double)

/* <x_i, S_h> for all k clusters, from the entries of one term after the other, by cluster. */
#define SPREAD(REAL)                                                                          \
    UNFUSED static void spread_##REAL(rows_t rows, int64_t i, const int64_t *ends,            \
                                      const int32_t *clusters, const double *values,          \
                                      int64_t k, double *found) {                             \
        const REAL *data = (const REAL *)rows.data;                                           \
        for (int64_t h = 0; h < k; h++) found[h] = 0.0;                                       \
        for (int64_t p = rows.indptr[i]; p < rows.indptr[i + 1]; p++) {                       \
            const int32_t term = rows.indices[p];                                             \
            const double x = (double)data[p];                                                 \
            for (int64_t q = ends[term]; q < ends[term + 1]; q++)                             \
                found[clusters[q]] += x * values[q];                                          \
        }                                                                                     \
    }

SPREAD(float)
SPREAD(double)

/* The energy of a cluster with a row, or without it where its weight is below zero. */
UNFUSED static double joined_energy(int by_length, double square, double mass, double product,
                                    double weight, double own) {
    const double length = square + 2.0 * weight * product + weight * weight * own;
    if (by_length) return -sqrt(length > 0.0 ? length : 0.0);
    return mass + weight > 0.0 ? -length / (mass + weight) : 0.0;
}

/* What the square of the length of a sum grows by with a row. */
UNFUSED static double square_growth(double product, double weight, double own) {
    return 2.0 * weight * product + weight * weight * own;
}
