/* Plain Lua values as bytes, to be copied from one state to another.
 *
 * Plain are nil, booleans, integers, floats, strings, and tables of these: without metatables, their keys no tables,
 * nested no deeper than 100. All come out exactly as they went in, NaN and infinities included; a table that is found in
 * two places comes out as two. The bytes are of machines of one kind: files of them have to say of which. */
#ifndef CRUX_VALUE_H
#define CRUX_VALUE_H

#include <lua.h>

#include "base/bytes.h"
#include "crux.h"

/* Appends the value at that index. When it cannot be sent, or memory is short, it returns false, and the fault says what
 * was found where, `name` standing for the value itself: "item.cells[3]: found a function, expected ...". May raise for
 * lack of memory: something else must know of `out`. */
bool crux_value_write(lua_State *L, int index, const char *name, crux_bytes *out, crux_fault *fault);

/* Whether these bytes are one value as crux_value_write makes it: bytes of a file may be anything. */
bool crux_value_check(const char *bytes, size_t size);

/* Pushes the value that was written from there on; returns where the next one starts. Raises for lack of memory. */
const char *crux_value_push(lua_State *L, const char *bytes);

#endif
