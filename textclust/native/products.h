/* Sparse rows times a dense table in single precision, written once and compiled for each
   instruction set: what scipy computes, to the last bit, in its order and nothing fused.

   The columns of the table are taken as many at a time as fit the registers; where the last
   vector would reach over the end it begins sooner, and computes some columns twice. */

#include <stdint.h>

#include "compiler.h"

#define LANES 8
#define WIDEST 12 /* vectors that fit the registers beside one broadcast */

UNFUSED_FROM_HERE

typedef struct {
    const int64_t *indptr;
    const int32_t *indices;
    const float *data;
} rows_t;

/* Row i times at most LANES columns of a table, from h on. */
UNFUSED static void product_part(rows_t rows, int64_t i, const float *table, int64_t columns,
                                 int64_t h, float *found) {
    const int64_t width = columns - h < LANES ? columns - h : LANES;
    float sum[LANES] = {0};
    for (int64_t p = rows.indptr[i]; p < rows.indptr[i + 1]; p++)
        for (int64_t c = 0; c < width; c++)
            sum[c] += rows.data[p] * table[rows.indices[p] * columns + h + c];
    for (int64_t c = 0; c < width; c++) found[h + c] = sum[c];
}

#if VECTORS
typedef float vec __attribute__((vector_size(32), aligned(4), may_alias));
#define UNROLLED _Pragma("GCC unroll 12")
#define AT(address) (*(const vec *)(address))

/* One row times W vectors of columns, the last of which begins at `last`. */
#define PRODUCT_WIDTH(W)                                                                      \
    case W: {                                                                                 \
        vec sum[W] = {{0}};                                                                   \
        for (int64_t p = rows.indptr[i]; p < rows.indptr[i + 1]; p++) {                       \
            const float x = rows.data[p], *entry = table + rows.indices[p] * columns + h;     \
            UNROLLED for (int v = 0; v < W - 1; v++) sum[v] += x * AT(entry + v * LANES);     \
            sum[W - 1] += x * AT(entry + last);                                               \
        }                                                                                     \
        UNROLLED for (int v = 0; v < W - 1; v++) *(vec *)(found + h + v * LANES) = sum[v];    \
        *(vec *)(found + h + last) = sum[W - 1];                                              \
        h += last + LANES;                                                                    \
        break;                                                                                \
    }

/* Row i times a table of at least LANES columns. */
#define PRODUCT_FOR(TARGET, ISA)                                                              \
    TARGET UNFUSED static void product_##ISA(rows_t rows, int64_t i, const float *table,      \
                                             int64_t columns, float *found) {                 \
        int64_t h = 0;                                                                        \
        while (h < columns) {                                                                 \
            const int64_t left = columns - h, vectors = (left + LANES - 1) / LANES;           \
            const int64_t width = vectors < WIDEST ? vectors : WIDEST;                        \
            const int64_t whole = (width - 1) * LANES;                                        \
            const int64_t last = whole < left - LANES ? whole : left - LANES;                 \
            switch (width) {                                                                  \
                PRODUCT_WIDTH(1) PRODUCT_WIDTH(2) PRODUCT_WIDTH(3) PRODUCT_WIDTH(4)           \
                PRODUCT_WIDTH(5) PRODUCT_WIDTH(6) PRODUCT_WIDTH(7) PRODUCT_WIDTH(8)           \
                PRODUCT_WIDTH(9) PRODUCT_WIDTH(10) PRODUCT_WIDTH(11) PRODUCT_WIDTH(12)        \
            }                                                                                 \
        }                                                                                     \
    }
#else
/* Row i times a table of at least LANES columns, LANES at a time. */
#define PRODUCT_FOR(TARGET, ISA)                                                              \
    TARGET UNFUSED static void product_##ISA(rows_t rows, int64_t i, const float *table,      \
                                             int64_t columns, float *found) {                 \
        for (int64_t h = 0; h < columns; h += LANES)                                          \
            product_part(rows, i, table, columns, h, found);                                  \
    }
#endif

/* The same for a table of fewer columns. */
static void product_narrow(rows_t rows, int64_t i, const float *table, int64_t columns,
                           float *found) {
    product_part(rows, i, table, columns, 0, found);
}

PRODUCT_FOR(ANYWHERE, generic)
#if X86_VECTORS
PRODUCT_FOR(__attribute__((target("avx2"))), avx2)
#define BEST (__builtin_cpu_supports("avx2") ? product_avx2 : product_generic)
#else
#define BEST product_generic
#endif

/* The build that suits the table, and the processor this runs on. */
typedef void (*product_t)(rows_t, int64_t, const float *, int64_t, float *);
static product_t multiplying(int64_t columns) { return columns < LANES ? product_narrow : BEST; }
