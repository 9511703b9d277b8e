/* Folds of cross-validation: which rows are left out together.
 *
 * Plain functions on the caller's arrays; nothing is allocated, nothing fails. */
#ifndef CRUX_FOLDS_H
#define CRUX_FOLDS_H

#include <stddef.h>
#include <stdint.h>

/* The fold of each row, from 0: contiguous as in Mutser (2014), section 6.1, row i of n in fold floor(i count / n). */
void crux_folds_assign(size_t n, uint32_t count, uint32_t *folds);

/* The same folds in random order, each order as likely; the same one for a seed and a stream. */
void crux_folds_shuffle(size_t n, uint32_t *folds, uint64_t seed, uint64_t stream);

#endif
