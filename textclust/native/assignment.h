/* The inner loops of the kernel, written once and compiled for each instruction set.

   A document is a sparse row x; the clusters are slopes S (term-major, d x k), scales s
   and offsets c. Its score in cluster h is s_h <x, S_h> - c_h, its cost c_h - s_h <x, S_h>.

   `screen` works in float32 on slopes packed into tiles of whole vectors. It finds the
   best score, its cluster and the runner-up's score; the caller knows how far float32
   can be off and settles the doubtful rows by `exact`, which computes in float64 what
   scipy and numpy would, to the last bit: in their order, nothing fused. Both are in
   screening_vectors.h, and in screening_plain.h for compilers without vector types. */

#include <math.h>
#include <stdint.h>

#include "compiler.h"

#define LANES 8
#define WIDEST 13 /* vectors of a tile that fit the registers beside one broadcast */

typedef struct {
    const int64_t *indptr;
    const int32_t *indices;
    const void *data; /* float or double, for `screen` float */
} rows_t;

typedef struct {
    const float *slopes; /* for each term, `width` vectors */
    const float *scales, *offsets;
    int64_t width;
    int32_t first; /* the number of the tile's first cluster */
    int64_t size;  /* its clusters without padding */
    const float *sums; /* what is added up of each row before, if anything is; for all clusters */
    int64_t stride;
} tile_t;

typedef struct {
    float *best, *second;
    int32_t *label;
    float *scores; /* for all clusters of each wanted row, where that is asked for */
    int64_t stride;
} found_t;

/* What a score is: s <x, S> - c, or what a cluster's energy falls by when the row joins it. */
enum { AFFINE, LENGTH, MEAN };
typedef struct {
    const float *weights, *squares; /* of each row: w and <x, x> */
    const int32_t *home;            /* the cluster it is in, which it cannot join */
} joining_t;

/* Slopes of terms that few clusters have: for each term, the clusters that do. */
typedef struct {
    int32_t cluster;
    float slope;
} posting_t;
typedef struct {
    const int64_t *starts;
    const int32_t *counts;
    const posting_t *list;
} postings_t;

/* Add up what the postings of some rows say, for all clusters of each. */
static void scatter(rows_t rows, const int64_t *wanted, int64_t begin, int64_t end,
                    postings_t postings, float *sums, int64_t stride) {
    const float *data = (const float *)rows.data;
    for (int64_t m = begin; m < end; m++) {
        float *sum = sums + (m - begin) * stride;
        for (int64_t h = 0; h < stride; h++) sum[h] = 0.0f;
        const int64_t last = rows.indptr[wanted[m] + 1];
        for (int64_t p = rows.indptr[wanted[m]]; p < last; p++) {
            const int32_t term = rows.indices[p], soon = rows.indices[p + 8 < last ? p + 8 : p];
            const posting_t *list = postings.list + postings.starts[term];
            const char *ahead = (const char *)(postings.list + postings.starts[soon]);
            for (int line = 0; line < 4; line++) PREFETCH(ahead + 64 * line);
            const int32_t count = postings.counts[term];
            const float value = data[p];
            for (int32_t q = 0; q < count; q++) sum[list[q].cluster] += value * list[q].slope;
        }
    }
}

#if VECTORS
#include "screening_vectors.h"
#else
#include "screening_plain.h"
#endif


/* The slopes of one tile's clusters, `size` of them from `slopes` on, for some terms: as
   float32 into the tile; their squares, added up. */
#define PACK_FOR(TARGET, ISA)                                                                 \
    TARGET UNFUSED static void pack_##ISA(const double *RESTRICT slopes, int64_t k,           \
                                  int64_t begin, int64_t end, int64_t size,                   \
                                  float *RESTRICT tile,                                       \
                                  int64_t width, double *RESTRICT squares) {                  \
        for (int64_t j = begin; j < end; j++) {                                               \
            const double *slope = slopes + j * k;                                             \
            float *place = tile + j * width;                                                  \
            for (int64_t h = 0; h < size; h++) {                                              \
                place[h] = (float)slope[h];                                                   \
                squares[h] += slope[h] * slope[h];                                            \
            }                                                                                 \
        }                                                                                     \
    }
/* The same where terms that few clusters have go to postings, as many as there is room for; whether
   there was. Tiles hold the other terms; `place` is a term's place among its kind, and that of a term
   with postings is -1 less it. */
typedef struct {
    float *tiles;
    int64_t stride, width; /* of a tile, and of a term in it */
    const int32_t *place;
    const int64_t *starts;
    int32_t *counts;
    posting_t *list;
} packed_t;

#define PACK_SPLIT_FOR(TARGET, ISA)                                                           \
    TARGET UNFUSED static int pack_split_##ISA(const double *RESTRICT slopes, int64_t k,      \
                                               int64_t begin, int64_t end, packed_t packed,   \
                                               double *RESTRICT squares) {                    \
        for (int64_t j = begin; j < end; j++) {                                               \
            const double *RESTRICT slope = slopes + j * k;                                    \
            if (packed.place[j] >= 0) {                                                       \
                float *tile = packed.tiles + packed.place[j] * packed.width;                  \
                for (int64_t t = 0; t < k; t += packed.width, tile += packed.stride) {        \
                    const int64_t size = k - t < packed.width ? k - t : packed.width;         \
                    for (int64_t h = 0; h < size; h++) {                                      \
                        tile[h] = (float)slope[t + h];                                        \
                        squares[t + h] += slope[t + h] * slope[t + h];                        \
                    }                                                                         \
                }                                                                             \
                continue;                                                                     \
            }                                                                                 \
            const int64_t term = -1 - packed.place[j];                                        \
            int64_t next = packed.starts[term];                                               \
            for (int64_t t = 0; t < k; t += 8) {                                              \
                const int64_t size = k - t < 8 ? k - t : 8;                                   \
                int any = 0;                                                                  \
                for (int64_t h = 0; h < size; h++) any |= slope[t + h] != 0.0;                \
                if (!any) continue;                                                           \
                for (int64_t h = t; h < t + size; h++) {                                      \
                    if (slope[h] == 0.0) continue;                                            \
                    if (next == packed.starts[term + 1]) return 0;                            \
                    packed.list[next++] = (posting_t){(int32_t)h, (float)slope[h]};           \
                    squares[h] += slope[h] * slope[h];                                        \
                }                                                                             \
            }                                                                                 \
            packed.counts[term] = (int32_t)(next - packed.starts[term]);                      \
        }                                                                                     \
        return 1;                                                                             \
    }
/* The same of slopes that are CSR, by cluster and ascending terms; tiles hold zeros before. */
typedef struct {
    const int64_t *ends;
    const int32_t *terms;
    const double *values;
    int64_t k;
} sparse_t;

UNFUSED static int pack_sparse(sparse_t slopes, int64_t begin, int64_t end, packed_t packed,
                               double *squares) {
    for (int64_t h = 0; h < slopes.k; h++) {
        int64_t p = slopes.ends[h], high = slopes.ends[h + 1];
        const int64_t last = high;
        while (p < high) {
            const int64_t middle = p + (high - p) / 2;
            if (slopes.terms[middle] < begin) p = middle + 1;
            else high = middle;
        }
        float *tile = packed.tiles + h / packed.width * packed.stride + h % packed.width;
        double square = 0.0;
        for (; p < last && slopes.terms[p] < end; p++) {
            const double slope = slopes.values[p];
            const int64_t place = packed.place ? packed.place[slopes.terms[p]] : slopes.terms[p];
            square += slope * slope;
            if (place >= 0) {
                tile[place * packed.width] = (float)slope;
                continue;
            }
            const int64_t term = -1 - place, next = packed.starts[term] + packed.counts[term];
            if (next == packed.starts[term + 1]) return 0;
            packed.list[next] = (posting_t){(int32_t)h, (float)slope};
            packed.counts[term]++;
        }
        squares[h] += square;
    }
    return 1;
}

/* The squares of each cluster's slopes, added up over some terms. */
#define SQUARES_FOR(TARGET, ISA)                                                              \
    TARGET UNFUSED static void squares_##ISA(const double *RESTRICT slopes, int64_t k,        \
                                             int64_t begin, int64_t end,                      \
                                             double *RESTRICT sums) {                         \
        for (int64_t j = begin; j < end; j++)                                                 \
            for (int64_t h = 0; h < k; h++) sums[h] += slopes[j * k + h] * slopes[j * k + h]; \
    }

#define BUILD(TARGET, ISA)                                                                    \
    SCREEN_FOR(TARGET, ISA)                                                                   \
    EXACT_FOR(TARGET, float, ISA)                                                             \
    EXACT_FOR(TARGET, double, ISA)                                                            \
    PACK_FOR(TARGET, ISA)                                                                     \
    PACK_SPLIT_FOR(TARGET, ISA)                                                               \
    SQUARES_FOR(TARGET, ISA)
BUILD(ANYWHERE, generic)
#if X86_VECTORS
BUILD(__attribute__((target("avx2,fma"))), avx2)
static int has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#define BEST_OF(NAME) return has_avx2() ? NAME##_avx2 : NAME##_generic
#else
static int has_avx2(void) { return 0; }
#define BEST_OF(NAME) return NAME##_generic
#endif

/* The build of each that suits the processor this runs on. */
typedef void (*screen_t)(rows_t, const int64_t *, int64_t, int64_t, const tile_t *, found_t,
                         joining_t);
typedef void (*exact_t)(rows_t, int64_t, const double *, int64_t, double *);
typedef void (*pack_t)(const double *, int64_t, int64_t, int64_t, int64_t, float *, int64_t,
                       double *);
typedef void (*squares_t)(const double *, int64_t, int64_t, int64_t, double *);
static screen_t screening(void) { BEST_OF(screen); }
static screen_t joining_lengths(void) { BEST_OF(join_length); }
static screen_t joining_means(void) { BEST_OF(join_mean); }
static exact_t exact_float(void) { BEST_OF(exact_float); }
static exact_t exact_double(void) { BEST_OF(exact_double); }
static pack_t packing(void) { BEST_OF(pack); }
typedef int (*pack_split_t)(const double *, int64_t, int64_t, int64_t, packed_t, double *);
static pack_split_t packing_split(void) { BEST_OF(pack_split); }
static squares_t squaring(void) { BEST_OF(squares); }
