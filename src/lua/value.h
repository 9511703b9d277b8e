/* Plain Lua values as bytes, to copy them from one state to another.
 *
 * Plain values are nil, booleans, integers, floats, strings, and tables of these: without metatables, without tables as keys,
 * nested at most 100 deep. Values stay exactly the same, with NaN and infinities; a table in two places becomes two tables.
 * The bytes depend on the byte order of the machine; a file of them must tell which it is. */
#pragma once

#include <lua.h>

#include "base/bytes.h"
#include "crux.h"

/* Appends the value at that index to `out`. Returns false if it cannot be sent, or memory is short: the fault says what was
 * found, and where, `name` being the value itself: "item.cells[3]: found a function, expected ...". May raise if memory is
 * short, so the caller must not be the only owner of `out`. */
bool crux_value_write(lua_State *L, int index, const char *name, crux_bytes *out, crux_fault *fault);

/* True for bytes that are one value as crux_value_write makes it; bytes from a file may be anything. */
bool crux_value_check(const char *bytes, size_t size);

/* Pushes the value that starts at these bytes; returns the start of the next one. Raises if memory is short. */
const char *crux_value_push(lua_State *L, const char *bytes);
