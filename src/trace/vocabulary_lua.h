/* The words and operators in which scripts write `step` and `heuristic`: one list, for plain values and for symbols. */
#ifndef CRUX_VOCABULARY_LUA_H
#define CRUX_VOCABULARY_LUA_H

#include "trace/word_lua.h"

/* Ends with a row without a name. */
extern const crux_word crux_words[];

#endif
