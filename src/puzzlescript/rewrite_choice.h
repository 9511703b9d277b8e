/* Rewrites as lists of texts, and the choices of directions and objects that make single rewrites of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "puzzlescript/rewrite_line.h"

/* Rewrites of one direction: `width` texts each, those of the left side row by row, then those of the right side, if any. */
typedef struct crux_rewrite_forms {
	size_t left, width, count;
	uint32_t *texts;
} crux_rewrite_forms;

/* Returns the text of a cell in a rewrite of a direction: relative directions become absolute, aggregates and "no" of a
 * property their objects. */
uint32_t crux_rewrite_plain_text(crux_rewrite_reader *r, uint32_t text, int direction);

/* Replaces the one rewrite in the forms by those that it stands for. Returns the mistake, if any, without its line. */
crux_rewrite_mistake crux_rewrite_expand(crux_rewrite_reader *r, crux_rewrite_forms *forms);
