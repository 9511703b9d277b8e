rockspec_format = "3.0"
package = "crux"
version = "0.1.0-1"
source = { url = "." } -- luarocks make, in a checkout
description = {
  summary = "Rates how hard puzzle levels are, with rules written in Lua.",
  detailed = "The parts of crux for Lua programs: rules, fits, datasets, games and their search. docs/lua.md says what there is. "
    .. "It needs the C libraries libcsv, ncursesw, cminpack, nlopt, xxhash and LAPACKE.",
  license = "MIT",
}
dependencies = { "lua ~> 5.4", "lpeg ~> 1" }
supported_platforms = { "linux" }
build = {
  type = "make",
  build_target = "plugin",
  install_target = "install-plugin",
  variables = { PREFIX = "$(PREFIX)", LUA_MODULES = "$(LIBDIR)", LUA_CFLAGS = "-I$(LUA_INCDIR)",
    CFLAGS = "$(CFLAGS)" },
}
