/* libcrux.xml: reads XML into tables, by libexpat, which is loaded when it is first needed. */
#include <lauxlib.h>
#include <stdbool.h>
#if defined CRUX_EXPAT
#include <expat.h>
#endif

#include "base/bytes.h"
#include "base/library.h"
#include "lua/binding.h"
#include "lua/modules.h"

#if defined CRUX_EXPAT
#define TYPE "crux.xml"

enum { MOST_DEPTH = 100 }; /* elements within each other */

#define EXPAT(ROW) ROW(XML_ParserCreate) ROW(XML_ParserFree) ROW(XML_SetUserData) ROW(XML_SetElementHandler) \
	ROW(XML_SetCharacterDataHandler) ROW(XML_SetEntityDeclHandler) ROW(XML_Parse) ROW(XML_StopParser) ROW(XML_GetErrorCode) \
	ROW(XML_ErrorString) ROW(XML_GetCurrentLineNumber) ROW(XML_GetCurrentColumnNumber) ROW(XML_GetCurrentByteIndex)
#define FIELD(name) __typeof__(name) *name;
#define ROW_OF(name) {#name, &r->of.name},

/* The elements that are open are on Lua's stack, the innermost on top. */
typedef struct reader {
	XML_Parser parser; /* first, as in every handle */
	struct { EXPAT(FIELD) } of;
	lua_State *L;
	int depth;
	const char *problem; /* that stopped the parser; NULL for one of the parser's own */
	crux_bytes text;     /* of the innermost element since its start */
} reader;

static void stop(reader *r, const char *problem)
{
	r->problem = r->problem ? r->problem : problem;
	r->of.XML_StopParser(r->parser, XML_FALSE);
}

static void on_start(void *data, const char *name, const char **attributes)
{
	reader *const r = data;
	lua_State *const L = r->L;
	if (r->depth == MOST_DEPTH || r->problem || !lua_checkstack(L, 5)) {
		stop(r, "found elements within each other, more than 100 deep, expected fewer");
		return;
	}
	lua_createtable(L, 0, 4);
	crux_set_string(L, "name", name);
	crux_set_integer(L, "first", (lua_Integer)r->of.XML_GetCurrentByteIndex(r->parser) + 1);
	lua_newtable(L);
	for (; *attributes; attributes += 2)
		crux_set_string(L, attributes[0], attributes[1]);
	lua_setfield(L, -2, "attributes");
	if (r->depth++ > 0) { /* a child of the element below it */
		lua_pushvalue(L, -1);
		lua_rawseti(L, -3, (lua_Integer)lua_rawlen(L, -3) + 1);
	}
	r->text.size = 0;
}

static void on_text(void *data, const char *text, int length)
{
	reader *const r = data;
	if (!crux_bytes_append(&r->text, text, (size_t)length))
		stop(r, "out of memory");
}

static void on_end(void *data, const char *name)
{
	reader *const r = data;
	(void)name;
	if (r->problem)
		return;
	lua_pushlstring(r->L, r->text.size ? r->text.data : "", r->text.size);
	lua_setfield(r->L, -2, "text");
	crux_set_integer(r->L, "last", (lua_Integer)r->of.XML_GetCurrentByteIndex(r->parser));
	r->text.size = 0;
	if (--r->depth > 0)
		lua_pop(r->L, 1);
}

/* Entities, which can stand for texts of any length, are not read. */
static void on_entity(void *data, const char *name, int is_parameter, const char *value, int length, const char *base, const char *system,
	const char *public, const char *notation)
{
	(void)name, (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
	stop(data, "found the declaration of an entity, expected none");
}

static int reader_release(lua_State *L)
{
	reader *const r = luaL_checkudata(L, 1, TYPE);
	crux_bytes_free(&r->text);
	if (r->parser)
		r->of.XML_ParserFree(r->parser);
	r->parser = NULL;
	return 0;
}

/* parse(text) -> the outermost element: its name, attributes, text behind the last child, children as a list, and the places of the
 * first byte of its start and of the byte in front of its end tag; or nil, a message, and the line and the column of what is wrong */
static int xml_parse(lua_State *L)
{
	size_t length;
	const char *const text = luaL_checklstring(L, 1, &length);
	luaL_argcheck(L, length < (size_t)1 << 30, 1, "too long");
	reader *const r = crux_handle_new(L, TYPE, sizeof *r, 0);
	crux_library_function const functions[] = { EXPAT(ROW_OF) };
	if (!crux_library_load("libexpat.so.1", functions, sizeof functions / sizeof *functions))
		return crux_fail(L, "found no libexpat.so.1, which reads XML");
	r->L = L;
	r->parser = r->of.XML_ParserCreate(NULL);
	if (!r->parser)
		return crux_fail(L, "out of memory");
	r->of.XML_SetUserData(r->parser, r);
	r->of.XML_SetElementHandler(r->parser, on_start, on_end);
	r->of.XML_SetCharacterDataHandler(r->parser, on_text);
	r->of.XML_SetEntityDeclHandler(r->parser, on_entity);
	if (r->of.XML_Parse(r->parser, text, (int)length, XML_TRUE) == XML_STATUS_OK && !r->problem)
		return 1;
	lua_pushnil(L);
	if (r->problem)
		lua_pushstring(L, r->problem);
	else
		lua_pushfstring(L, "found %s, expected XML", r->of.XML_ErrorString(r->of.XML_GetErrorCode(r->parser)));
	lua_pushinteger(L, (lua_Integer)r->of.XML_GetCurrentLineNumber(r->parser));
	lua_pushinteger(L, (lua_Integer)r->of.XML_GetCurrentColumnNumber(r->parser) + 1);
	return 4;
}

CRUX_TABLE(methods,
	{"__gc", reader_release})

CRUX_TABLE(functions,
	{"parse", xml_parse})

CRUX_TYPE_LIBRARY(xml, TYPE)
#else
static int xml_parse(lua_State *L) { return crux_fail(L, "found XML, which this crux was built without, expected JSON"); }

CRUX_LIBRARY(xml,
	{"parse", xml_parse})
#endif
