/* Functions whose loops are compiled for several processors, of which the one at hand is chosen when crux is loaded. */
#ifndef CRUX_CLONES_H
#define CRUX_CLONES_H

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define CRUX_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CRUX_CLONES
#endif

#endif
