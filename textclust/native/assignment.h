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
            for (int line = 0; line < 4; line++) __builtin_prefetch(ahead + 64 * line);
            const int32_t count = postings.counts[term];
            const float value = data[p];
            for (int32_t q = 0; q < count; q++) sum[list[q].cluster] += value * list[q].slope;
        }
    }
}

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

/* What joining takes off the energies of one tile's clusters, from the products <x, S> in `sum`.

   LENGTH: ||S + wx|| - ||S|| without cancellation; scales are ||S||, offsets ||S||^2. Where the
   length may fall below half of ||S||, single precision says nothing: infinity.
   MEAN: ||S + wx||^2 / (W + w) - ||S||^2 / W; scales are W, offsets ||S||^2 / W. */
INLINE void join(vec *sum, const int width, const tile_t *tile, joining_t joining, int64_t i,
                 const int kind) {
    const float w = joining.weights[i], square = w * w * joining.squares[i];
    UNROLLED for (int v = 0; v < width; v++) {
        const vec scale = VECTOR(tile->scales, v), offset = VECTOR(tile->offsets, v);
        const vec more = 2.0f * w * sum[v] + square;
        if (kind == LENGTH) {
            const vec whole = offset + more;
            vec root;
            for (int l = 0; l < LANES; l++) root[l] = sqrtf(whole[l] > 0.0f ? whole[l] : 0.0f);
            vec endless = {0};
            endless += INFINITY;
            sum[v] = PICK(4.0f * whole < offset, endless, more / (root + scale));
        } else {
            sum[v] = (more - w * offset) / (scale + w);
        }
    }
    float *single = (float *)sum;
    for (int64_t h = tile->size; h < width * LANES; h++) single[h] = -INFINITY;
    const int64_t home = (int64_t)joining.home[i] - tile->first;
    if (home >= 0 && home < tile->size) single[home] = -INFINITY;
}

INLINE void screen_rows(rows_t rows, const int64_t *wanted, int64_t begin, int64_t end,
                        const tile_t *tile, found_t found, joining_t joining, const int kind,
                        const int width) {
    const float *data = (const float *)rows.data;
    const int64_t last = rows.indptr[wanted[end - 1] + 1] - 1, stride = width * LANES;
    for (int64_t m = begin; m < end; m++) {
        const int64_t i = wanted[m];
        vec sum[WIDEST] = {{0}};
        if (tile->sums) {
            const float *before = tile->sums + (m - begin) * tile->stride + tile->first;
            UNROLLED for (int v = 0; v < width; v++) sum[v] = VECTOR(before, v);
        }
        for (int64_t p = rows.indptr[i]; p < rows.indptr[i + 1]; p++) {
            const int64_t ahead = p + AHEAD < last ? p + AHEAD : last;
            const float *soon = tile->slopes + rows.indices[ahead] * stride;
            const float *slope = tile->slopes + rows.indices[p] * stride;
            UNROLLED for (int v = 0; v < width; v += 2) __builtin_prefetch(soon + v * LANES);
            UNROLLED for (int v = 0; v < width; v++) sum[v] += data[p] * VECTOR(slope, v);
        }
        if (kind != AFFINE) {
            join(sum, width, tile, joining, i, kind);
        } else {
            UNROLLED for (int v = 0; v < width; v++)
                sum[v] = sum[v] * VECTOR(tile->scales, v) - VECTOR(tile->offsets, v);
        }
        if (found.scores) {
            float *scores = found.scores + m * found.stride + tile->first;
            UNROLLED for (int v = 0; v < width; v++) *(vec *)(scores + v * LANES) = sum[v];
        } else {
            fold(sum, width, tile->first, found, i);
        }
    }
}

#define WIDTH(W, KIND) \
    case W: screen_rows(rows, wanted, begin, end, tile, found, joining, KIND, W); break;
#define SCREEN_KIND(TARGET, ISA, NAME, KIND)                                                  \
    TARGET static void NAME##_##ISA(rows_t rows, const int64_t *wanted, int64_t begin,        \
                                    int64_t end, const tile_t *tile, found_t found,           \
                                    joining_t joining) {                                      \
        switch (tile->width) {                                                                \
            WIDTH(1, KIND) WIDTH(2, KIND) WIDTH(3, KIND) WIDTH(4, KIND) WIDTH(5, KIND)        \
            WIDTH(6, KIND) WIDTH(7, KIND) WIDTH(8, KIND) WIDTH(9, KIND) WIDTH(10, KIND)       \
            WIDTH(11, KIND) WIDTH(12, KIND) WIDTH(13, KIND)                                   \
        }                                                                                     \
    }
#define SCREEN_FOR(TARGET, ISA)                                                               \
    SCREEN_KIND(TARGET, ISA, screen, AFFINE)                                                  \
    SCREEN_KIND(TARGET, ISA, join_length, LENGTH)                                             \
    SCREEN_KIND(TARGET, ISA, join_mean, MEAN)

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

/* Move w x_i from the sum of one cluster to that of another, in some of the terms.

   Values are rounded to a grid by adding and taking away 1.5 x 2^52 of its steps; 0 leaves them. */
#define SHIFT(REAL)                                                                           \
    UNFUSED static void shift_##REAL(rows_t rows, int64_t i, double weight, int32_t source,   \
                                     int32_t target, int32_t from, int32_t to, double anchor, \
                                     double *sums, int64_t k) {                               \
        const REAL *data = (const REAL *)rows.data;                                           \
        for (int64_t p = rows.indptr[i]; p < rows.indptr[i + 1]; p++) {                       \
            const int32_t term = rows.indices[p];                                             \
            if (term < from || term >= to) continue;                                          \
            const double value = (weight * (double)data[p] + anchor) - anchor;                \
            double *sum = sums + term * k;                                                    \
            if (source >= 0) sum[source] -= value;                                            \
            sum[target] += value;                                                             \
        }                                                                                     \
    }

SHIFT(float)
SHIFT(double)

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

/* The slopes of one tile's clusters, `size` of them from `slopes` on, for some terms: as
   float32 into the tile; their squares, added up. */
#define PACK_FOR(TARGET, ISA)                                                                 \
    TARGET UNFUSED static void pack_##ISA(const double *restrict slopes, int64_t k,           \
                                  int64_t begin, int64_t end, int64_t size,                   \
                                  float *restrict tile,                                       \
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
    TARGET UNFUSED static int pack_split_##ISA(const double *restrict slopes, int64_t k,      \
                                               int64_t begin, int64_t end, packed_t packed,   \
                                               double *restrict squares) {                    \
        for (int64_t j = begin; j < end; j++) {                                               \
            const double *restrict slope = slopes + j * k;                                    \
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
/* The squares of each cluster's slopes, added up over some terms. */
#define SQUARES_FOR(TARGET, ISA)                                                              \
    TARGET UNFUSED static void squares_##ISA(const double *restrict slopes, int64_t k,        \
                                             int64_t begin, int64_t end,                      \
                                             double *restrict sums) {                         \
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
