rockspec_format = "3.0"
package = "crux"
version = "0.2.0-1"
source = { url = "crux-0.2.0.tar.gz" } -- by make dist, put beside this file: crux has no public address
description = {
  summary = "Rates how hard puzzle levels are, with rules written in Lua.",
  detailed = "The parts of crux for Lua programs: rules, fits, datasets, games and their search. docs/lua.md says what there is. "
    .. "It needs the C libraries libcsv, ncursesw, cminpack, nlopt, xxhash and LAPACKE.",
  license = "MIT",
  maintainer = "Seed 47dc2f3d maintainers <maintainers@users.noreply.a-seed-47dc2f3d.example>",
  labels = { "games", "statistics" },
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
