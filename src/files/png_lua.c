/* libcrux.png: reads the colours of PNG pictures, by libpng, which is loaded when it is first needed. */
#include <lauxlib.h>
#include <string.h>
#if defined CRUX_PNG
#include <png.h>
#endif

#include "base/library.h"
#include "base/sizes.h"
#include "lua/binding.h"
#include "lua/modules.h"

#if defined CRUX_PNG
#define PNG(ROW) ROW(png_image_begin_read_from_memory) ROW(png_image_finish_read) ROW(png_image_free)
#define FIELD(name) __typeof__(name) *name;
#define ROW_OF(name) {#name, &of.name},

enum { PIXEL_BYTES = 4 };

/* The middle pixels of the squares of so many pixels a side, in reading order, as a string. */
static void push_middles(lua_State *L, const unsigned char *pixels, size_t width, size_t height, size_t side)
{
	luaL_Buffer buffer;
	luaL_buffinit(L, &buffer);
	for (size_t y = side / 2; y < height; y += side)
		for (size_t x = side / 2; x < width; x += side)
			luaL_addlstring(&buffer, (const char *)pixels + PIXEL_BYTES * (y * width + x), PIXEL_BYTES);
	luaL_pushresult(&buffer);
}

/* read(bytes, side) -> columns and rows of squares of so many pixels a side, and for each in reading order the four bytes red, green,
 * blue and alpha of its middle; or nil and a message */
static int png_read_squares(lua_State *L)
{
	struct { PNG(FIELD) } of;
	size_t length;
	const char *const bytes = luaL_checklstring(L, 1, &length);
	size_t const side = (size_t)luaL_checkinteger(L, 2);
	crux_library_function const functions[] = { PNG(ROW_OF) };
	luaL_argcheck(L, side > 0, 2, "not positive");
	if (!crux_library_load("libpng16.so.16", functions, sizeof functions / sizeof *functions))
		return crux_fail(L, "found no libpng16.so.16, which reads pictures");
	png_image image = { .version = PNG_IMAGE_VERSION };
	if (!of.png_image_begin_read_from_memory(&image, bytes, length)) {
		lua_pushnil(L);
		lua_pushfstring(L, "found no whole picture (%s), expected PNG", image.message);
		return 2;
	}
	size_t const width = image.width, height = image.height;
	of.png_image_free(&image); /* before Lua, which may lack memory, raises an error */
	if (width > CRUX_MOST_PICTURE_PIXELS / height || width % side || height % side) {
		lua_pushnil(L);
		lua_pushfstring(L, "found %I x %I pixels, expected sides that are multiples of %I, and at most %d pixels", (LUAI_UACINT)width,
			(LUAI_UACINT)height, (LUAI_UACINT)side, CRUX_MOST_PICTURE_PIXELS);
		return 2;
	}
	void *const pixels = lua_newuserdatauv(L, width * height * PIXEL_BYTES, 0);
	image = (png_image){ .version = PNG_IMAGE_VERSION };
	of.png_image_begin_read_from_memory(&image, bytes, length);
	image.format = PNG_FORMAT_RGBA;
	if (!of.png_image_finish_read(&image, NULL, pixels, 0, NULL)) {
		lua_pushnil(L);
		lua_pushfstring(L, "found no whole picture (%s), expected PNG", image.message);
		return 2;
	}
	lua_pushinteger(L, (lua_Integer)(width / side));
	lua_pushinteger(L, (lua_Integer)(height / side));
	push_middles(L, pixels, width, height, side);
	return 3;
}
#else
static int png_read_squares(lua_State *L)
{
	return crux_fail(L, "found a picture, which this crux was built without libpng to read, expected text");
}
#endif

CRUX_LIBRARY(png,
	{"read", png_read_squares})
