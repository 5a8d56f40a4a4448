/* The inner loops of the kernel, written once and compiled for each instruction set.

   A document is a sparse row x; the clusters are slopes S (term-major, d x k), scales s
   and offsets c. Its score in cluster h is s_h <x, S_h> - c_h, its cost c_h - s_h <x, S_h>.

   `screen` works in float32 on slopes packed into tiles of whole vectors, so that every
   stored entry of x adds one contiguous run to accumulators in registers. It finds the
   best score, its cluster and the runner-up's score; the caller knows how far float32
   can be off and settles the doubtful rows by `exact`, which computes in float64 what
   scipy and numpy would, to the last bit: in their order, nothing fused. */

#include <math.h>
#include <stdint.h>

#if !defined(__GNUC__)
#error "the kernel needs the vector types of gcc or clang"
#endif

#define LANES 8
#define WIDEST 13 /* vectors of a tile that fit the registers beside one broadcast */
#define AHEAD 16   /* entries between the one in use and the one being fetched */

typedef float vec __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t ints __attribute__((vector_size(32), aligned(4), may_alias));

typedef double doubles __attribute__((vector_size(32), aligned(8), may_alias));
#define QUAD 4 /* numbers of a vector in double precision */

#define INLINE static inline __attribute__((always_inline))
#define UNROLLED _Pragma("GCC unroll 16")
#define VECTOR(address, v) (*(const vec *)((address) + (v) * LANES))
#define PICK(yes, a, b) ((vec)(((ints)(a) & (yes)) | ((ints)(b) & ~(yes))))

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
} tile_t;

typedef struct {
    float *best, *second;
    int32_t *label;
    float *scores; /* for all clusters of each wanted row, where that is asked for */
    int64_t stride;
} found_t;

/* Fold one tile's scores of row i into the best found in the tiles before. */
INLINE void fold(const vec *score, const int width, int32_t first, found_t found, int64_t i) {
    const ints lane = {0, 1, 2, 3, 4, 5, 6, 7};
    vec high = score[0], low = {0};
    low -= INFINITY;
    ints where = lane;
    UNROLLED for (int v = 1; v < width; v++) {
        ints above = score[v] > high;
        vec less = PICK(above, high, score[v]);
        low = PICK(less > low, less, low);
        high = PICK(above, score[v], high);
        where = (where & ~above) | ((lane + v * LANES) & above);
    }
    float best = found.best[i], second = found.second[i];
    int32_t label = found.label[i];
    for (int l = 0; l < LANES; l++) {
        if (high[l] > best) {
            second = best;
            best = high[l];
            label = first + where[l];
        } else if (high[l] > second) {
            second = high[l];
        }
        if (low[l] > second) second = low[l];
    }
    found.best[i] = best;
    found.second[i] = second;
    found.label[i] = label;
}

INLINE void screen_rows(rows_t rows, const int64_t *wanted, int64_t begin, int64_t end,
                        const tile_t *tile, found_t found, const int width) {
    const float *data = (const float *)rows.data;
    const int64_t last = rows.indptr[wanted[end - 1] + 1] - 1, stride = width * LANES;
    for (int64_t m = begin; m < end; m++) {
        const int64_t i = wanted[m];
        vec sum[WIDEST] = {{0}};
        for (int64_t p = rows.indptr[i]; p < rows.indptr[i + 1]; p++) {
            const int64_t ahead = p + AHEAD < last ? p + AHEAD : last;
            const float *soon = tile->slopes + rows.indices[ahead] * stride;
            const float *slope = tile->slopes + rows.indices[p] * stride;
            UNROLLED for (int v = 0; v < width; v += 2) __builtin_prefetch(soon + v * LANES);
            UNROLLED for (int v = 0; v < width; v++) sum[v] += data[p] * VECTOR(slope, v);
        }
        UNROLLED for (int v = 0; v < width; v++)
            sum[v] = sum[v] * VECTOR(tile->scales, v) - VECTOR(tile->offsets, v);
        if (found.scores) {
            float *scores = found.scores + m * found.stride + tile->first;
            UNROLLED for (int v = 0; v < width; v++) *(vec *)(scores + v * LANES) = sum[v];
        } else {
            fold(sum, width, tile->first, found, i);
        }
    }
}

#define WIDTH(W) \
    case W: screen_rows(rows, wanted, begin, end, tile, found, W); break;
#define SCREEN_FOR(TARGET, ISA)                                                               \
    TARGET static void screen_##ISA(rows_t rows, const int64_t *wanted, int64_t begin,        \
                                    int64_t end, const tile_t *tile, found_t found) {         \
        switch (tile->width) {                                                                \
            WIDTH(1) WIDTH(2) WIDTH(3) WIDTH(4) WIDTH(5) WIDTH(6) WIDTH(7)                    \
            WIDTH(8) WIDTH(9) WIDTH(10) WIDTH(11) WIDTH(12) WIDTH(13)                         \
        }                                                                                     \
    }

#if defined(__clang__)
#pragma clang fp contract(off)
#define UNFUSED
#else
#define UNFUSED __attribute__((optimize("fp-contract=off")))
#endif

/* <x_i, S_h> for all k clusters, as many at a time as fit the registers, and for one. */
#define EXACT_WIDTH(W)                                                                        \
    case W: {                                                                                 \
        doubles sum[W] = {{0}};                                                               \
        for (int64_t p = rows.indptr[i]; p < rows.indptr[i + 1]; p++) {                       \
            const double x = (double)data[p], *slope = slopes + rows.indices[p] * k + h;      \
            UNROLLED for (int v = 0; v < W; v++)                                              \
                sum[v] += x * *(const doubles *)(slope + v * QUAD);                           \
        }                                                                                     \
        UNROLLED for (int v = 0; v < W; v++) *(doubles *)(sums + h + v * QUAD) = sum[v];      \
        h += W * QUAD;                                                                        \
        break;                                                                                \
    }
#define EXACT_FOR(TARGET, REAL, ISA)                                                          \
    TARGET UNFUSED static void exact_##REAL##_##ISA(rows_t rows, int64_t i,                   \
                                                    const double *slopes, int64_t k,          \
                                                    double *restrict sums) {                  \
        const REAL *data = (const REAL *)rows.data;                                           \
        int64_t h = 0;                                                                        \
        while (h + QUAD <= k) {                                                               \
            const int64_t left = (k - h) / QUAD;                                              \
            switch (left < 8 ? left : 8) {                                                    \
                EXACT_WIDTH(1) EXACT_WIDTH(2) EXACT_WIDTH(3) EXACT_WIDTH(4)                   \
                EXACT_WIDTH(5) EXACT_WIDTH(6) EXACT_WIDTH(7) EXACT_WIDTH(8)                   \
            }                                                                                 \
        }                                                                                     \
        for (; h < k; h++) {                                                                  \
            sums[h] = 0.0;                                                                    \
            for (int64_t p = rows.indptr[i]; p < rows.indptr[i + 1]; p++)                     \
                sums[h] += (double)data[p] * slopes[rows.indices[p] * k + h];                 \
        }                                                                                     \
    }
#define EXACT_ONE(REAL)                                                                       \
    UNFUSED static double dot_##REAL(rows_t rows, int64_t i, const double *slopes, int64_t k) {\
        const REAL *data = (const REAL *)rows.data;                                           \
        double sum = 0.0;                                                                     \
        for (int64_t p = rows.indptr[i]; p < rows.indptr[i + 1]; p++)                         \
            sum += (double)data[p] * slopes[rows.indices[p] * k];                             \
        return sum;                                                                           \
    }

EXACT_ONE(float)
EXACT_ONE(double)

/* Move w x_i from the sum of one cluster to that of another, in some of the terms. */
#define SHIFT(REAL)                                                                           \
    UNFUSED static void shift_##REAL(rows_t rows, int64_t i, double weight, int32_t source,   \
                                     int32_t target, int32_t from, int32_t to,                \
                                     double *sums, int64_t k) {                               \
        const REAL *data = (const REAL *)rows.data;                                           \
        for (int64_t p = rows.indptr[i]; p < rows.indptr[i + 1]; p++) {                       \
            const int32_t term = rows.indices[p];                                             \
            if (term < from || term >= to) continue;                                          \
            const double value = weight * (double)data[p];                                    \
            double *sum = sums + term * k;                                                    \
            if (source >= 0) sum[source] -= value;                                            \
            sum[target] += value;                                                             \
        }                                                                                     \
    }

SHIFT(float)
SHIFT(double)

/* The slopes of one tile's clusters, `size` of them from `slopes` on, for some terms: as
   float32 into the tile; their squares, added up. */
#define PACK_FOR(TARGET, ISA)                                                                 \
    TARGET static void pack_##ISA(const double *restrict slopes, int64_t k, int64_t begin,    \
                                  int64_t end, int64_t size, float *restrict tile,            \
                                  int64_t width, double *restrict squares) {                  \
        for (int64_t j = begin; j < end; j++) {                                               \
            const double *slope = slopes + j * k;                                             \
            float *place = tile + j * width;                                                  \
            for (int64_t h = 0; h < size; h++) {                                              \
                place[h] = (float)slope[h];                                                   \
                squares[h] += slope[h] * slope[h];                                            \
            }                                                                                 \
        }                                                                                     \
    }
/* The squares of each cluster's slopes, added up over some terms. */
#define SQUARES_FOR(TARGET, ISA)                                                              \
    TARGET static void squares_##ISA(const double *restrict slopes, int64_t k, int64_t begin, \
                                     int64_t end, double *restrict sums) {                    \
        for (int64_t j = begin; j < end; j++)                                                 \
            for (int64_t h = 0; h < k; h++) sums[h] += slopes[j * k + h] * slopes[j * k + h]; \
    }

#define BUILD(TARGET, ISA)                                                                    \
    SCREEN_FOR(TARGET, ISA)                                                                   \
    EXACT_FOR(TARGET, float, ISA)                                                             \
    EXACT_FOR(TARGET, double, ISA)                                                            \
    PACK_FOR(TARGET, ISA)                                                                     \
    SQUARES_FOR(TARGET, ISA)
BUILD(, generic)
#if defined(__x86_64__)
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
typedef void (*screen_t)(rows_t, const int64_t *, int64_t, int64_t, const tile_t *, found_t);
typedef void (*exact_t)(rows_t, int64_t, const double *, int64_t, double *);
typedef void (*pack_t)(const double *, int64_t, int64_t, int64_t, int64_t, float *, int64_t,
                       double *);
typedef void (*squares_t)(const double *, int64_t, int64_t, int64_t, double *);
static screen_t screening(void) { BEST_OF(screen); }
static exact_t exact_float(void) { BEST_OF(exact_float); }
static exact_t exact_double(void) { BEST_OF(exact_double); }
static pack_t packing(void) { BEST_OF(pack); }
static squares_t squaring(void) { BEST_OF(squares); }
