/* The function of crux.h on records of players: it calls a function of lua/crux/api/embed.lua. */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "base/fault.h"
#include "host/arguments.h"
#include "host/engine.h"
#include "lua/binding.h"
#include "stats/vector_lua.h"

/* Arguments and result of a protected call. */
typedef struct request {
	const crux_record *record;
	crux_next next;
} request;

/* Pushes a number, or nil for 0, which stands for the default. */
static void push_given(lua_State *L, double value)
{
	if (value == 0)
		lua_pushnil(L);
	else
		lua_pushnumber(L, value);
}

static int choose(lua_State *L)
{
	request *const r = lua_touserdata(L, 1);
	const crux_record *const record = r->record;
	crux_engine_push(L, "crux.api.embed", "next_level");
	lua_pushliteral(L, "crux_next_level");
	double *const difficulties = crux_vector_push(L, record->levels);
	if (record->levels > 0) /* of no levels the array may be NULL */
		memcpy(difficulties, record->difficulties, record->levels * sizeof *difficulties);
	lua_newtable(L);
	for (size_t i = 0; i < record->count; i++) {
		lua_newtable(L);
		crux_set_integer(L, "level", (lua_Integer)record->plays[i].level + 1);
		lua_pushboolean(L, record->plays[i].is_solved);
		lua_setfield(L, -2, "solved");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	push_given(L, record->success);
	push_given(L, record->spread);
	lua_call(L, 5, 1);
	lua_getfield(L, -1, "level");
	lua_getfield(L, -2, "chance");
	lua_getfield(L, -3, "difficulty");
	bool const is_found = !lua_isnil(L, -3);
	r->next = (crux_next){is_found ? (size_t)lua_tointeger(L, -3) - 1 : record->levels, is_found ? lua_tonumber(L, -2) : NAN,
		lua_tonumber(L, -1)};
	return 0;
}

/* Refuses plays of levels that are not there. */
static bool are_plays(const crux_record *record, crux_fault *fault)
{
	for (size_t i = 0; i < record->count; i++) {
		if (record->plays[i].level < record->levels)
			continue;
		crux_fault_set(fault, "crux_next_level: play %zu: found level %zu, expected less than %zu", i + 1, record->plays[i].level,
		               record->levels);
		return false;
	}
	return true;
}

bool crux_next_level(crux_engine *engine, const crux_record *record, crux_next *next, crux_fault *fault)
{
	if (!crux_is_given(engine, __func__, "an engine", fault) || !crux_is_given(record, __func__, "a record", fault) ||
	    !crux_is_given(next, __func__, "a place for the next level", fault) ||
	    !crux_is_long_enough(record->difficulties, record->levels, record->levels, __func__, "difficulties", fault) ||
	    !crux_is_long_enough(record->plays, record->count, record->count, __func__, "plays", fault) || !are_plays(record, fault))
		return false;
	request r = {.record = record};
	bool const is_chosen = crux_engine_call(engine, choose, &r, fault);
	if (is_chosen)
		*next = r.next;
	return is_chosen;
}
