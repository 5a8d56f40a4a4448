/* What tokens.pyx says in C: a hash that cannot be foreseen, and memory asked for ahead.

   The hash is a polynomial modulo 2^61 - 1 at a secret key. Two tokens of at most 7 m bytes
   share one for at most m of the keys, so whoever writes documents without knowing the key
   cannot make many terms collide. */

#ifndef TEXTCLUST_TOKENS_H
#define TEXTCLUST_TOKENS_H

#include <stdint.h>

#include "compiler.h"

#define FIELD_ORDER ((UINT64_C(1) << 61) - 1)

/* a * b modulo the order, up to one order more; a below 2^62, b below the order. */
static uint64_t field_product(uint64_t a, uint64_t b)
{
    uint64_t high, low, sum;
#if defined(__SIZEOF_INT128__) && !defined(TEXTCLUST_PLAIN_C)
    unsigned __int128 product = (unsigned __int128)a * b;
    high = (uint64_t)(product >> 64);
    low = (uint64_t)product;
#else
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t inner = a1 * b0 + (a0 * b0 >> 32);
    uint64_t cross = a0 * b1 + (uint32_t)inner;
    high = a1 * b1 + (inner >> 32) + (cross >> 32);
    low = (cross << 32) | (uint32_t)(a0 * b0);
#endif
    sum = (low & FIELD_ORDER) + ((low >> 61) | (high << 3));
    return (sum & FIELD_ORDER) + (sum >> 61);
}

/* 32 well-mixed bits: hashes in arithmetic progression do not stay so. */
static uint32_t scattered(uint64_t hash)
{
    hash = (hash ^ (hash >> 32)) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(hash >> 32);
}

#define prefetch(address) PREFETCH(address)

#endif
