/* The screening and the exact products of assignment.h in plain C, for any compiler. */

/* Fold one tile's scores of row i into the best found in the tiles before. */
static void fold(const float *score, int64_t size, int32_t first, found_t found, int64_t i) {
    float best = found.best[i], second = found.second[i];
    int32_t label = found.label[i];
    for (int64_t h = 0; h < size; h++) {
        if (score[h] > best) {
            second = best;
            best = score[h];
            label = first + (int32_t)h;
        } else if (score[h] > second) {
            second = score[h];
        }
    }
    found.best[i] = best;
    found.second[i] = second;
    found.label[i] = label;
}

/* What joining takes off the energies of one tile's clusters; see screening_vectors.h. */
static void join(float *sum, const tile_t *tile, joining_t joining, int64_t i, int kind) {
    const float w = joining.weights[i], square = w * w * joining.squares[i];
    for (int64_t h = 0; h < tile->size; h++) {
        const float scale = tile->scales[h], offset = tile->offsets[h];
        const float more = 2.0f * w * sum[h] + square, whole = offset + more;
        if (kind == MEAN) {
            sum[h] = (more - w * offset) / (scale + w);
        } else if (4.0f * whole < offset) {
            sum[h] = INFINITY;
        } else {
            sum[h] = more / (sqrtf(whole > 0.0f ? whole : 0.0f) + scale);
        }
    }
    for (int64_t h = tile->size; h < tile->width * LANES; h++) sum[h] = -INFINITY;
    const int64_t home = (int64_t)joining.home[i] - tile->first;
    if (home >= 0 && home < tile->size) sum[home] = -INFINITY;
}

static void screen_rows(rows_t rows, const int64_t *wanted, int64_t begin, int64_t end,
                        const tile_t *tile, found_t found, joining_t joining, int kind) {
    const float *data = (const float *)rows.data;
    const int64_t size = tile->width * LANES;
    for (int64_t m = begin; m < end; m++) {
        const int64_t i = wanted[m];
        float sum[WIDEST * LANES] = {0};
        if (tile->sums) {
            const float *before = tile->sums + (m - begin) * tile->stride + tile->first;
            for (int64_t h = 0; h < size; h++) sum[h] = before[h];
        }
        for (int64_t p = rows.indptr[i]; p < rows.indptr[i + 1]; p++) {
            const float x = data[p], *slope = tile->slopes + rows.indices[p] * size;
            for (int64_t h = 0; h < size; h++) sum[h] += x * slope[h];
        }
        if (kind != AFFINE) {
            join(sum, tile, joining, i, kind);
        } else {
            for (int64_t h = 0; h < size; h++)
                sum[h] = sum[h] * tile->scales[h] - tile->offsets[h];
        }
        if (found.scores) {
            float *scores = found.scores + m * found.stride + tile->first;
            for (int64_t h = 0; h < size; h++) scores[h] = sum[h];
        } else {
            fold(sum, size, tile->first, found, i);
        }
    }
}

#define SCREEN_KIND(TARGET, ISA, NAME, KIND)                                                  \
    TARGET static void NAME##_##ISA(rows_t rows, const int64_t *wanted, int64_t begin,        \
                                    int64_t end, const tile_t *tile, found_t found,           \
                                    joining_t joining) {                                      \
        screen_rows(rows, wanted, begin, end, tile, found, joining, KIND);                    \
    }
#define SCREEN_FOR(TARGET, ISA)                                                               \
    SCREEN_KIND(TARGET, ISA, screen, AFFINE)                                                  \
    SCREEN_KIND(TARGET, ISA, join_length, LENGTH)                                             \
    SCREEN_KIND(TARGET, ISA, join_mean, MEAN)

UNFUSED_FROM_HERE

/* <x_i, S_h> for all k clusters. */
#define EXACT_FOR(TARGET, REAL, ISA)                                                          \
    TARGET UNFUSED static void exact_##REAL##_##ISA(rows_t rows, int64_t i,                   \
                                                    const double *slopes, int64_t k,          \
                                                    double *RESTRICT sums) {                  \
        const REAL *data = (const REAL *)rows.data;                                           \
        for (int64_t h = 0; h < k; h++) sums[h] = 0.0;                                        \
        for (int64_t p = rows.indptr[i]; p < rows.indptr[i + 1]; p++) {                       \
            const double x = (double)data[p], *slope = slopes + rows.indices[p] * k;          \
            for (int64_t h = 0; h < k; h++) sums[h] += x * slope[h];                          \
        }                                                                                     \
    }
