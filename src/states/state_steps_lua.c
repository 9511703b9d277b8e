/* The part of libcrux.state_set that makes tables of states, and runs a step in Lua for all moves of a state. */
#include <lauxlib.h>

#include "lua/binding.h"
#include "states/state_set_lua.h"

crux_states *crux_states_check(lua_State *L, int index)
{
	return crux_handle_check(L, index, CRUX_STATES_TYPE, "the set was closed");
}

int crux_states_set_metatable(lua_State *L)
{
	lua_getiuservalue(L, 1, CRUX_STATES_METATABLE);
	lua_setmetatable(L, -2);
	return 1;
}

void crux_states_push(lua_State *L, const crux_states *s, uint32_t index)
{
	crux_state_layout_unpack(s->layout, crux_state_set_key(s->set, index), s->values);
	lua_settop(L, 2);
	lua_getiuservalue(L, 1, CRUX_STATES_NAMES);
	crux_state_table_push(L, &s->fields, s->values);
	crux_states_set_metatable(L);
}

void crux_states_push_successor(lua_State *L, const crux_states *s)
{
	lua_getiuservalue(L, 1, CRUX_STATES_NAMES);
	if (lua_getiuservalue(L, 1, CRUX_STATES_SUCCESSOR) == LUA_TNIL) {
		lua_pop(L, 1);
		lua_newtable(L);
		crux_states_set_metatable(L);
		lua_pushvalue(L, 4);
		lua_setiuservalue(L, 1, CRUX_STATES_SUCCESSOR);
		crux_state_table_push_lists(L, &s->fields);
		lua_setiuservalue(L, 1, CRUX_STATES_LISTS);
	}
	lua_getiuservalue(L, 1, CRUX_STATES_LISTS);
	crux_state_table_copy(L, &s->fields);
}

/* set:steps(step, moves, level, before): what expand calls: step(state, move, level) -> won, lost, for each move of the list, and
 * before() before each of these calls; without arguments, forgets them */
int crux_states_steps(lua_State *L)
{
	crux_states_check(L, 1);
	lua_settop(L, 5);
	if (!lua_isnil(L, 2)) {
		luaL_checktype(L, 2, LUA_TFUNCTION);
		luaL_checktype(L, 3, LUA_TTABLE);
		luaL_checktype(L, 5, LUA_TFUNCTION);
	}
	for (int i = CRUX_STATES_BEFORE; i >= CRUX_STATES_STEP; i--)
		lua_setiuservalue(L, 1, i);
	return 0;
}

/* The results of expand so far. */
typedef struct expansion {
	uint32_t state, limit;
	lua_Integer move; /* the last one whose step was called */
	lua_Integer duplicates, lost;
} expansion;

/* Calls step for a move of the state, from a stack as for crux_state_table_copy, whose table at index 4 has the state's values.
 * Pushes its two results. */
static void call_step(lua_State *L, lua_Integer move)
{
	lua_getiuservalue(L, 1, CRUX_STATES_BEFORE);
	lua_call(L, 0, 0);
	lua_getiuservalue(L, 1, CRUX_STATES_STEP);
	lua_pushvalue(L, 4);
	lua_getiuservalue(L, 1, CRUX_STATES_MOVES);
	lua_rawgeti(L, -1, move);
	lua_replace(L, -2);
	lua_getiuservalue(L, 1, CRUX_STATES_LEVEL);
	lua_call(L, 3, 2);
	crux_states_check(L, 1);
}

/* Finds the state that was read into `after`, or adds it; false when a limit allows no more. */
static bool find(crux_states *s, expansion *e)
{
	crux_state_layout_pack(s->layout, s->after, s->key);
	bool const is_known = crux_state_set_find(s->set, s->key) != CRUX_STATE_NONE;
	e->duplicates += is_known;
	if (is_known)
		return true;
	uint32_t const added = crux_state_set_count(s->set) < e->limit ? crux_state_set_add(s->set, s->key) : CRUX_STATE_NONE;
	if (added == CRUX_STATE_NONE)
		return false;
	uint32_t *const notes = crux_state_set_notes(s->set, added);
	notes[0] = e->state + 1;
	notes[1] = (uint32_t)e->move;
	return true;
}

/* Pushes the results of expand. */
static int results(lua_State *L, const expansion *e, const char *limit)
{
	lua_pushinteger(L, e->move);
	lua_pushinteger(L, e->duplicates);
	lua_pushinteger(L, e->lost);
	lua_pushstring(L, limit);
	return 4;
}

/* Makes a move from the state, from a stack as for crux_state_table_copy. Returns 0, and the table at index 4 has the state's values
 * again, or the number of results of expand, pushed. */
static int make_move(lua_State *L, crux_states *s, expansion *e)
{
	call_step(L, e->move);
	bool const is_plain = lua_isboolean(L, 6) && !lua_toboolean(L, 6) && (lua_isnil(L, 7) || lua_isboolean(L, 7));
	if (is_plain && lua_toboolean(L, 7)) {
		e->lost++;
		lua_settop(L, 5);
		crux_state_table_copy(L, &s->fields);
		return 0;
	}
	if (!is_plain || !crux_state_table_read_copy(L, &s->fields, s->after)) {
		int const count = results(L, e, NULL);
		lua_pushvalue(L, 4);
		lua_pushvalue(L, 6);
		lua_pushvalue(L, 7);
		return count + 3;
	}
	lua_settop(L, 5);
	if (!find(s, e))
		return results(L, e, crux_state_set_count(s->set) >= e->limit ? "states" : "bytes");
	crux_state_table_restore(L, &s->fields, s->values, s->after);
	return 0;
}

/* set:expand(index, move, state limit): makes the moves from that number on from a state, and adds the states to which they lead,
 * with the state and the move as notes -> number of the last move made; how many led to known states; how many lost; the limit
 * that is met, "states" or "bytes", or nil; if there is more to do for the last move than that, its state and the results of step */
int crux_states_expand(lua_State *L)
{
	crux_states *const s = crux_states_check(L, 1);
	lua_Integer const index = luaL_checkinteger(L, 2), first = luaL_checkinteger(L, 3), limit = luaL_checkinteger(L, 4);
	luaL_argcheck(L, index >= 1 && index <= crux_state_set_count(s->set), 2, "no such state");
	luaL_argcheck(L, limit >= 1 && limit < UINT32_MAX, 4, "a number of states");
	luaL_argcheck(L, s->notes >= 2, 1, "a set with two notes");
	luaL_argcheck(L, lua_getiuservalue(L, 1, CRUX_STATES_MOVES) == LUA_TTABLE, 1, "a set with a step");
	lua_Integer const moves = (lua_Integer)lua_rawlen(L, -1);
	luaL_argcheck(L, first >= 1 && first <= moves && moves <= UINT16_MAX, 3, "the number of a move");
	expansion e = {.state = (uint32_t)(index - 1), .limit = (uint32_t)limit};
	s->has_key = s->may_add = false;
	crux_states_push(L, s, e.state);
	lua_replace(L, 2);
	lua_settop(L, 2);
	crux_states_push_successor(L, s);
	for (e.move = first; e.move <= moves; e.move++) {
		int const count = make_move(L, s, &e);
		if (count > 0)
			return count;
	}
	e.move = moves;
	return results(L, &e, NULL);
}
