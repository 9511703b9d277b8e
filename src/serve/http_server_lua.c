/* libcrux.http_server: a server of HTTP; see http_server.h. */
#include <lauxlib.h>

#include "lua/binding.h"
#include "lua/modules.h"
#include "serve/http_server.h"

#define TYPE "crux.http_server"

enum { MOST_HEADERS = 16 };

typedef struct handle {
	crux_http_server *server; /* NULL: closed */
} handle;

static crux_http_server *check(lua_State *L)
{
	return ((handle *)crux_handle_check(L, 1, TYPE, "the server was closed"))->server;
}

/* open(address, port, most_bytes) -> server, which takes bodies of at most so many bytes; or nil and a message */
static int server_open(lua_State *L)
{
	const char *const address = luaL_checkstring(L, 1);
	lua_Integer const port = luaL_checkinteger(L, 2), most_bytes = luaL_checkinteger(L, 3);
	crux_fault fault;
	luaL_argcheck(L, port >= 0 && port <= UINT16_MAX, 2, "a port is 0 to 65535");
	luaL_argcheck(L, most_bytes > 0, 3, "1 or more");
	handle *h = crux_handle_new(L, TYPE, sizeof *h, 0);
	h->server = crux_http_server_open(address, (uint16_t)port, (size_t)most_bytes, &fault);
	return h->server ? 1 : crux_fail(L, fault.message);
}

static int server_descriptor(lua_State *L)
{
	lua_pushinteger(L, crux_http_server_descriptor(check(L)));
	return 1;
}

static int server_port(lua_State *L)
{
	lua_pushinteger(L, crux_http_server_port(check(L)));
	return 1;
}

/* Pushes a list of the requests that were received. */
static void push_requests(lua_State *L, crux_http_server *server)
{
	const crux_http_request *request;
	lua_newtable(L);
	for (lua_Integer i = 1; (request = crux_http_server_next(server)); i++) {
		lua_createtable(L, 0, 7);
		crux_set_integer(L, "number", (lua_Integer)request->number);
		crux_set_string(L, "method", request->method);
		crux_set_string(L, "path", request->path);
		crux_set_string(L, "cookie", request->cookie);
		crux_set_string(L, "host", request->host);
		crux_set_string(L, "origin", request->origin);
		lua_pushlstring(L, request->body, request->size);
		lua_setfield(L, -2, "body");
		lua_rawseti(L, -2, i);
	}
}

/* server:wait(milliseconds, descriptors) -> a list of the requests { number =, method =, path =, cookie =, host =, origin =,
 * body = } that were received, and a list that tells of each descriptor whether it is readable, which ends the wait, too; or nil and a message */
static int server_wait(lua_State *L)
{
	crux_http_server *const server = check(L);
	lua_Integer const milliseconds = luaL_checkinteger(L, 2);
	size_t const count = 1 + crux_check_length(L, 3);
	crux_fault fault;
	luaL_argcheck(L, milliseconds >= 0 && milliseconds <= 60000, 2, "0 to 60000 ms");
	struct pollfd *const watched = lua_newuserdatauv(L, count * sizeof *watched, 0);
	for (size_t i = 1; i < count; i++) {
		lua_rawgeti(L, 3, (lua_Integer)i);
		watched[i] = (struct pollfd){(int)luaL_checkinteger(L, -1), POLLIN, 0};
		lua_pop(L, 1);
	}
	if (!crux_http_server_wait(server, (int)milliseconds, watched, count, &fault))
		return crux_fail(L, fault.message);
	push_requests(L, server);
	lua_newtable(L);
	for (size_t i = 1; i < count; i++) {
		lua_pushboolean(L, watched[i].revents != 0);
		lua_rawseti(L, -2, (lua_Integer)i);
	}
	return 2;
}

/* server:answer(number, status, body, headers) -> true if there is such a request; headers: a list of { name, value } */
static int server_answer(lua_State *L)
{
	crux_http_server *const server = check(L);
	lua_Integer const number = luaL_checkinteger(L, 2), status = luaL_checkinteger(L, 3);
	size_t size;
	const char *const body = luaL_checklstring(L, 4, &size);
	size_t const count = crux_check_length(L, 5);
	crux_http_header headers[MOST_HEADERS];
	luaL_argcheck(L, status >= 200 && status <= 599, 3, "a status is 200 to 599");
	luaL_argcheck(L, count <= MOST_HEADERS, 5, "at most 16 headers");
	luaL_checkstack(L, 3 * MOST_HEADERS, NULL);
	for (size_t i = 0; i < count; i++) {
		if (lua_rawgeti(L, 5, (lua_Integer)i + 1) != LUA_TTABLE || lua_rawgeti(L, -1, 1) != LUA_TSTRING
		    || lua_rawgeti(L, -2, 2) != LUA_TSTRING)
			return luaL_argerror(L, 5, "a list of { name, value }");
		headers[i] = (crux_http_header){lua_tostring(L, -2), lua_tostring(L, -1)};
	}
	lua_pushboolean(L, crux_http_server_answer(server, (uint64_t)number, (unsigned)status, body, size, headers, count));
	return 1;
}

/* server:close() */
static int server_close(lua_State *L)
{
	crux_http_server_close(crux_handle_take(L, TYPE));
	return 0;
}

static const luaL_Reg methods[] = {
	{"descriptor", server_descriptor},
	{"port",       server_port},
	{"wait",       server_wait},
	{"answer",     server_answer},
	{"close",      server_close},
	{"__gc",       server_close},
	{"__close",    server_close},
	{NULL,         NULL},
};

static const luaL_Reg functions[] = {
	{"open", server_open},
	{NULL,   NULL},
};

CRUX_TYPE_LIBRARY(http_server, TYPE)
