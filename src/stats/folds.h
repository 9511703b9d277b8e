/* Folds of cross-validation: the rows of a fold are left out together.
 *
 * Plain functions on the caller's arrays; nothing is allocated, nothing fails. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The fold of each row, from 0: contiguous as in Mutser (2014), section 6.1, row i of n in fold floor(i count / n). */
void crux_folds_assign(size_t n, uint32_t count, uint32_t *folds);

/* Puts the folds into random order, all orders equally likely; a seed and a stream give one order. */
void crux_folds_shuffle(size_t n, uint32_t *folds, uint64_t seed, uint64_t stream);
