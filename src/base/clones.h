/* CRUX_CLONES before a function compiles it for several processors; the loader picks the version for the present one.
 * CRUX_IVDEP before a loop says that its rounds do not depend on each other, so that the compiler need not test it. */
#pragma once

#if defined(__x86_64__) && defined(__ELF__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define CRUX_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CRUX_CLONES
#endif

#if defined(__clang__) /* it unrolls short loops first, and then finds no vectors in them; and it warns of loops without */
#pragma clang diagnostic ignored "-Wpass-failed"
#define CRUX_IVDEP _Pragma("clang loop vectorize(assume_safety) unroll(disable)")
#else
#define CRUX_IVDEP _Pragma("GCC ivdep")
#endif
