/* The record of a traced step; see traced_lua.h. */
#include "trace/traced_lua.h"

#include <lauxlib.h>

#include "lua/binding.h"

crux_traced *crux_traced_check(lua_State *L, int index)
{
	return crux_handle_check(L, index, CRUX_TRACE_TYPE, "the trace was closed");
}

bool crux_traced_has_states(const crux_traced *traced, const crux_state_layout *layout, size_t moves, size_t more)
{
	size_t const values = layout->values;
	crux_state_place const *const places = layout->places;
	uint64_t const *const last = layout->last;
	if (traced->moves != moves || traced->finished != traced->output_count || traced->move_outputs != values + more ||
	    traced->input_count < values)
		return false;
	for (size_t i = 0; i < values; i++) {
		crux_trace_node const *const node = &traced->trace->nodes[traced->inputs[i]];
		bool const begins_there = node->low == places[i].low || last[i] == UINT64_MAX;
		if (!begins_there || (uint64_t)node->high - (uint64_t)node->low != last[i])
			return false;
	}
	return true;
}

bool crux_traced_takes(const crux_traced *traced, size_t input, uint64_t last)
{
	crux_trace_node const *const node = &traced->trace->nodes[traced->inputs[input]];
	bool const is_any = node->low == INT64_MIN && node->high == INT64_MAX;
	return is_any || (node->low <= 0 && node->high >= 0 && (uint64_t)node->high >= last);
}

bool crux_traced_are_same(lua_State *L, int a, int b)
{
	lua_getiuservalue(L, a, CRUX_TRACED_FROM);
	lua_getiuservalue(L, b, CRUX_TRACED_FROM);
	bool const are_same = lua_rawequal(L, -1, -2);
	lua_pop(L, 2);
	return are_same;
}

void crux_traced_push_line(lua_State *L)
{
	lua_Debug about;
	for (int level = 1; lua_getstack(L, level, &about); level++) {
		lua_getinfo(L, "Sl", &about);
		if (about.currentline > 0) {
			lua_pushfstring(L, "%s:%d: ", about.short_src, about.currentline);
			return;
		}
	}
	lua_pushliteral(L, "");
}

int crux_traced_raise(lua_State *L)
{
	crux_traced_push_line(L);
	lua_insert(L, -2);
	lua_concat(L, 2);
	return lua_error(L);
}

int crux_traced_refuse(lua_State *L)
{
	lua_createtable(L, 0, 1);
	lua_insert(L, -2);
	lua_setfield(L, -2, "refused");
	return lua_error(L);
}

int crux_traced_refuse_size(lua_State *L)
{
	lua_pushliteral(L, "found a step whose program takes more than 64 MB, or more memory than there is");
	return lua_error(L);
}
