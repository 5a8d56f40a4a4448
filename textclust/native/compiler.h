/* What the compiler offers: vector types, and builds for newer processors of the x86 family.

   gcc and clang have both. With others, such as MSVC, the same answers come from plain C;
   TEXTCLUST_PLAIN_C asks for that everywhere, so that it can be tested. */

#ifndef TEXTCLUST_COMPILER_H
#define TEXTCLUST_COMPILER_H

#if defined(__GNUC__) && !defined(TEXTCLUST_PLAIN_C)
#define VECTORS 1
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define VECTORS 0
#define PREFETCH(address) ((void)(address))
#endif

#if VECTORS && defined(__x86_64__)
#define X86_VECTORS 1
#else
#define X86_VECTORS 0
#endif

#define RESTRICT __restrict /* as C++ and MSVC spell it, too */
#define ANYWHERE            /* the target of a build that runs on every processor */

/* Functions that multiply and add, each rounded, as numpy and scipy do: UNFUSED before each,
   and UNFUSED_FROM_HERE before the first of them in a file. */
#if defined(__clang__)
#define UNFUSED_FROM_HERE _Pragma("clang fp contract(off)")
#define UNFUSED
#elif defined(__GNUC__)
#define UNFUSED_FROM_HERE
#define UNFUSED __attribute__((optimize("fp-contract=off")))
#elif defined(_MSC_VER)
#define UNFUSED_FROM_HERE __pragma(fp_contract(off))
#define UNFUSED
#else
#define UNFUSED_FROM_HERE _Pragma("STDC FP_CONTRACT OFF")
#define UNFUSED
#endif

#endif
