/* Rules as lists of texts, and the choices of directions and objects that make single rules of them. */
#ifndef CRUX_RULE_CHOICE_H
#define CRUX_RULE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "puzzlescript/rule_line.h"

/* Rules of one direction: `width` texts each, those of the left side row by row, then those of the right side, if any. */
typedef struct crux_rule_forms {
	size_t left, width, count;
	uint32_t *texts;
} crux_rule_forms;

/* Returns the text of a cell in a rule of a direction: relative directions become absolute, aggregates and "no" of a property
 * their objects. */
uint32_t crux_rule_plain_text(crux_rule_reader *r, uint32_t text, int direction);

/* Replaces the one rule in the forms by those that it stands for. Returns the mistake, if any, without its line. */
crux_rule_mistake crux_rule_expand(crux_rule_reader *r, crux_rule_forms *forms);

#endif
