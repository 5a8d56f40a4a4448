/* What the headers of the core compute on the same numbers, for a compiler to be compared by.

   Lines that begin with = are the same to the last bit whatever the compiler and the processor;
   the others to single precision. */

#include <stdio.h>
#include <stdlib.h>

#if defined(PRODUCTS)
#include "products.h"
#elif defined(SUMS)
#include "sums.h"
#else
#include "assignment.h"
#endif
#include "tokens.h"

#define ROWS 30
#define TERMS 50
#define MOST 104

static uint64_t state = 12345;
static double number(void) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 40) / (double)(1 << 24);
}

static int64_t indptr[ROWS + 1];
static int32_t indices[ROWS * TERMS];
static float data[ROWS * TERMS];

static void make_rows(void) {
    for (int64_t i = 0; i < ROWS; i++) {
        indptr[i + 1] = indptr[i];
        for (int32_t j = 0; j < TERMS; j++) {
            if (number() < 0.7) continue;
            indices[indptr[i + 1]] = j;
            data[indptr[i + 1]++] = (float)number();
        }
    }
}

#if defined(PRODUCTS)
static void compare(int64_t k) {
    static float table[TERMS * MOST], found[MOST];
    for (int64_t p = 0; p < TERMS * k; p++) table[p] = (float)number();
    const rows_t rows = {indptr, indices, data};
    for (int64_t i = 0; i < ROWS; i++) {
        multiplying(k)(rows, i, table, k, found);
        for (int64_t h = 0; h < k; h++) printf("= %a\n", (double)found[h]);
    }
}
#elif defined(SUMS)
static void compare(int64_t k) {
    static double table[TERMS * MOST];
    for (int64_t p = 0; p < TERMS * k; p++) table[p] = number();
    const rows_t rows = {indptr, indices, data};
    const sums_t sums = {table, k, NULL, NULL};
    for (int64_t i = 0; i < ROWS; i++)
        for (int32_t h = 0; h < k; h++) printf("= %a\n", dot_float(rows, i, sums, h));
}
#else
static void print_screened(screen_t run, const tile_t *tile, joining_t joining) {
    const rows_t rows = {indptr, indices, data};
    int64_t wanted[ROWS];
    float best[ROWS], second[ROWS];
    int32_t label[ROWS];
    for (int64_t i = 0; i < ROWS; i++) wanted[i] = i, best[i] = second[i] = -INFINITY;
    const found_t found = {best, second, label, NULL, 0};
    run(rows, wanted, 0, ROWS, tile, found, joining);
    for (int64_t i = 0; i < ROWS; i++) printf("%d %.9g %.9g\n", label[i], best[i], second[i]);
}

static void compare(int64_t k) {
    static double slopes[TERMS * MOST], squares[MOST], sums[MOST];
    static float tiles[TERMS * MOST], scales[MOST], offsets[MOST];
    float weights[ROWS], own[ROWS];
    int32_t home[ROWS];
    const int64_t width = (k + LANES - 1) / LANES;
    for (int64_t p = 0; p < TERMS * k; p++) slopes[p] = number();
    for (int64_t h = 0; h < width * LANES; h++) squares[h] = 0.0;
    packing()(slopes, k, 0, TERMS, k, tiles, width * LANES, squares);
    for (int64_t h = 0; h < k; h++) printf("= %a\n", squares[h]);
    for (int64_t h = 0; h < width * LANES; h++) {
        scales[h] = h < k ? (float)(1.0 + number()) : 0.0f;
        offsets[h] = h < k ? (float)number() : INFINITY;
    }
    for (int64_t i = 0; i < ROWS; i++) {
        weights[i] = (float)(1.0 + number()), own[i] = (float)number();
        home[i] = (int32_t)(number() * (double)k);
    }
    const tile_t tile = {tiles, scales, offsets, width, 0, k, NULL, 0};
    const joining_t joining = {weights, own, home};
    print_screened(screening(), &tile, joining);
    if (k > 1) print_screened(joining_lengths(), &tile, joining);
    if (k > 1) print_screened(joining_means(), &tile, joining);
    const rows_t rows = {indptr, indices, data};
    for (int64_t i = 0; i < ROWS; i++) {
        exact_float()(rows, i, slopes, k, sums);
        for (int64_t h = 0; h < k; h++) printf("= %a\n", sums[h]);
    }
}
#endif

int main(void) {
    static const int64_t sizes[] = {1, 3, 8, 11, 20, 57, 96, 104};
    make_rows();
    for (int s = 0; s < 8; s++) compare(sizes[s]);
    for (int i = 0; i < 1000; i++) {
        const uint64_t a = (uint64_t)(number() * 4e18), b = (uint64_t)(number() * 2e18);
        printf("= %llx %x\n", (unsigned long long)field_product(a, b), scattered(a));
    }
    return 0;
}
