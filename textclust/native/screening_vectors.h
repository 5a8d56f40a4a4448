/* The screening and the exact products of assignment.h, in the vector types of gcc and clang.

   Slopes are packed so that every stored entry of x adds one contiguous run to accumulators
   in registers. */

#define AHEAD 16 /* entries between the one in use and the one being fetched */
#define QUAD 4   /* numbers of a vector in double precision */

typedef float vec __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t ints __attribute__((vector_size(32), aligned(4), may_alias));
typedef double doubles __attribute__((vector_size(32), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))
#define UNROLLED _Pragma("GCC unroll 16")
#define VECTOR(address, v) (*(const vec *)((address) + (v) * LANES))
#define PICK(yes, a, b) ((vec)(((ints)(a) & (yes)) | ((ints)(b) & ~(yes))))

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
            UNROLLED for (int v = 0; v < width; v += 2) PREFETCH(soon + v * LANES);
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

UNFUSED_FROM_HERE

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
                                                    double *RESTRICT sums) {                  \
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
