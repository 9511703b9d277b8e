--- make install, uninstall and dist, and LuaRocks; what is installed works from where it is; the manual page and completion cover
--- all commands.
local cli = require "crux.cli"
local hostile_folder = require "hostile_folder"
local long = require "long"
local luaunit = require "luaunit"
local plugin = require "plugin"
local shell = require "shell"
local version = require("libcrux.process").version

local root = shell.path "installed"
local prefix = root .. "/usr"

--- Runs make as a user does, apart from the make that may run the tests.
local function make(line) shell.output("env -u MAKEFLAGS -u MAKELEVEL make -s " .. line) end

local function expect_plain_build()
  if shell.is_instrumented then luaunit.skip "what is installed is built without sanitizers and coverage" end
end

--- The files and links below a folder, sorted.
local function files(folder)
  return shell.output(("cd %s && find . ! -type d | sort"):format(folder))
end

--- The names that a library offers.
local function offered(path)
  local names = {}
  for name in shell.output("nm -D --defined-only " .. path):gmatch "%x+ %a ([%w_.]+)" do table.insert(names, name) end
  return names
end

--- The names that a header declares, sorted.
local function declared(path)
  local names = {}
  for name in shell.read(path):gmatch "\nCRUX_API [^\n(]-(crux_[%l_]+)%(" do table.insert(names, name) end
  table.sort(names)
  return names
end

--- Copies what make install needs into a new folder, whose path is returned.
local function copy_of_sources(name)
  local folder = shell.folder(name)
  shell.output("cp -r Makefile *.mk *.rockspec LICENSE *.md CITATION.cff src lua games rules templates web wasm datasets docs "
    .. "examples python tests " .. folder)
  return folder
end

local Install = {}

function Install.setUp()
  long.only()
  expect_plain_build()
  if not shell.exists(root .. "/usr/bin/crux") then make(("install PREFIX=/usr DESTDIR=%s"):format(root)) end
end

--- Everything that is installed is removed, and nothing else.
function Install.test_uninstall()
  local other = shell.path "other"
  local own = files(root)
  for _, file in ipairs { "bin/crux", "lib/libcrux.a", "lib/libcrux.so", "include/crux.h", "lib/pkgconfig/crux.pc",
    "lib/lua/5.4/crux.so", "share/crux/lua/crux/rule/rule.lua", "share/crux/games/move.lua", "share/crux/rules/flow.lua",
    "share/crux/datasets/flow.csv", "share/man/man1/crux.1", "share/bash-completion/completions/crux",
    "share/zsh/site-functions/_crux", "share/doc/crux/copyright", "share/doc/crux/docs/lua.md" } do
    luaunit.assertStrContains(own, "./usr/" .. file .. "\n")
  end
  local places = ("PREFIX=/opt/x LIBDIR=/opt/x/lib/any DATADIR=/opt/x/data DESTDIR=%s"):format(other)
  shell.folder("other/opt/x/data/crux/games", { ["mine.lua"] = "" })
  shell.folder("other/opt/x/lib/any/lua/5.4", { ["mine.so"] = "" })
  make("install " .. places)
  luaunit.assertTrue(shell.exists(other .. "/opt/x/lib/any/lua/5.4/crux.so"))
  luaunit.assertTrue(shell.exists(other .. "/opt/x/data/crux/lua/crux/rule/rule.lua"))
  make("uninstall " .. places)
  luaunit.assertEquals(files(other), "./opt/x/data/crux/games/mine.lua\n./opt/x/lib/any/lua/5.4/mine.so\n")
  shell.run(("rm %s/opt/x/data/crux/games/mine.lua"):format(other))
  make("uninstall " .. places)
  luaunit.assertEquals(shell.run(("test -e %s/opt/x/data/crux || test -e %s/opt/x/data/doc/crux"):format(other, other)).status, 1)
end

--- Another folder and a later time of building change no byte of what is installed.
function Install.test_builds_have_the_same_bytes()
  local folder = copy_of_sources "a/longer/path"
  make(("-C %s -j2 all"):format(folder)) -- as here before: DATADIR is compiled in, and install compiles nothing anew
  make(("-C %s install PREFIX=/usr DESTDIR=%s/root"):format(folder, folder))
  local sums = shell.path "sums"
  shell.output(("cd %s/root && find . -type f -exec sha256sum {} + > %s"):format(folder, sums))
  luaunit.assertStrContains(shell.read(sums), "./usr/lib/libcrux.a\n")
  shell.output(("cd %s && sha256sum --check --quiet %s"):format(root, sums))
end

function Install.test_tarballs_have_the_same_bytes()
  if shell.run("git rev-parse").status ~= 0 then luaunit.skip "this is no checkout by git" end
  local clone, name = shell.path "clone", ("build/crux-%s.tar.gz"):format(version)
  shell.output("git clone -q . " .. clone)
  make "dist"
  make(("-C %s dist"):format(clone))
  shell.output(("cmp %s %s/%s && cd %s/build && sha256sum --check --quiet crux-*.sha256"):format(name, clone, name, clone))
end

--- The build takes no optimisation, as only LuaRocks's own steps are of interest.
function Install.test_luarocks()
  plugin.expect()
  if shell.run("command -v luarocks").status ~= 0 then luaunit.skip "luarocks is not installed" end
  shell.output(("cd %s && luarocks make --deps-mode none --lua-version 5.4 --tree %s CFLAGS='-O0 -fPIC' 2>&1")
    :format(copy_of_sources "rock", shell.path "tree"))
  luaunit.assertEquals(plugin.printed([[
    local crux = require "crux"
    local flow = crux.load_game "flow"
    print(crux.rating(crux.load_rule "flow", crux.measure(flow, crux.level(flow, "AB\n..\nAB\n"))))]],
    shell.path "tree/lib/lua/5.4"), "1.2020666809529\n") -- as docs/lua.md prints
end

--- By readelf: addresses that are not known before (PIE), no table that can be written after loading (RELRO, BIND_NOW), no stack
--- that runs, checks of the stack and of sizes; on x86, checks of jumps.
function Install.test_hardened()
  for file, flags in pairs { ["bin/crux"] = "NOW PIE", ["lib/libcrux.so"] = "NOW", ["lib/lua/5.4/crux.so"] = "NOW" } do
    local found = shell.output(("readelf -Wdls %s/%s"):format(prefix, file))
    for _, pattern in ipairs { "Flags: " .. flags .. "\n", "BIND_NOW", "GNU_RELRO", "GNU_STACK +%S+ %S+ %S+ %S+ %S+ RW ",
      "__stack_chk_fail@", "__snprintf_chk@" } do
      luaunit.assertStrMatches(found, ".*" .. pattern .. ".*", nil, nil, file)
    end
  end
  if shell.output("uname -m"):find "x86" then
    luaunit.assertStrContains(shell.output(("readelf -n %s/lib/libcrux.a"):format(prefix)), "IBT, SHSTK")
  end
end

--- Links of installed pages lead to what is installed, but for those to the tests.
function Install.test_links_of_pages()
  local folder, count = prefix .. "/share/doc/crux/", 0
  for page in shell.output(("cd %s && find -L . -name '*.md'"):format(folder)):gmatch "%./([^\n]+)" do
    for link in shell.read(folder .. page):gmatch "%]%(([^)#%s]+)" do
      if not link:find "^https?:" and not link:find "tests/" then
        local path = (page:match "^.*/" or "") .. link
        while path:find "[^/]+/%.%./" do path = path:gsub("[^/]+/%.%./", "", 1) end
        luaunit.assertTrue(shell.exists(folder .. path), ("%s: %s"):format(page, link))
        count = count + 1
      end
    end
  end
  luaunit.assertTrue(count > 100)
end

--- No home is named: it is found from the program, through links to it, too.
function Install.test_program_finds_its_home()
  local link = shell.path "link-to-crux"
  shell.output(("ln -sf %s/bin/crux %s"):format(prefix, link))
  for _, program in ipairs { prefix .. "/bin/crux", link } do
    local out = shell.output(("cd / && env -u CRUX_HOME %s rate flow %s/share/crux/datasets/flow.csv"):format(program, prefix))
    luaunit.assertEquals(out, shell.printed "rate flow datasets/flow.csv")
    luaunit.assertStrContains(shell.output(("env -u CRUX_HOME %s help"):format(program)), prefix .. "/share/doc/crux.\n")
  end
end

function Install.test_libraries_offer_what_the_header_says()
  luaunit.assertEquals(offered(prefix .. "/lib/libcrux.so"), declared(prefix .. "/include/crux.h"))
  luaunit.assertEquals(offered(prefix .. "/lib/lua/5.4/crux.so"), { "luaopen_crux" })
end

--- Nothing of the current folder is run, whatever lies there.
function Install.test_program_in_a_hostile_folder()
  for _, bin in ipairs { prefix .. "/bin", shell.program:match "^(.*)/" } do
    luaunit.assertEquals(hostile_folder.output("crux --version", bin), ("crux %s\n"):format(version))
    luaunit.assertStrContains(hostile_folder.output("crux rate flow $ROOT/examples/new-levels.csv", bin), "the maze")
    luaunit.assertStrContains(hostile_folder.output("crux fit flow $ROOT/datasets/flow.csv --fit lad", bin), "intercept")
    luaunit.assertStrContains(hostile_folder.output("crux measure move $ROOT/datasets/levels/move --jobs 2", bin), "level")
  end
end

function Install.test_plugin_in_a_hostile_folder()
  plugin.expect()
  luaunit.assertEquals(hostile_folder.output(("LUA_CPATH='%s/?.so;;' lua5.4 -e 'print(require(\"crux\").load_rule(\"flow\").name)'")
    :format(prefix .. "/lib/lua/5.4"), prefix .. "/bin"), "flow\n")
end

--- The plugin brings no Lua along, and calls nothing of Lua that 5.4.0 lacks (5.4.3 added lua_closeslot, 5.4.6 lua_closethread).
function Install.test_plugin_needs_any_lua_54()
  local path = prefix .. "/lib/lua/5.4/crux.so"
  luaunit.assertNil(shell.output("readelf -d " .. path):match "NEEDED[^\n]*lua")
  local called = shell.output("nm -D --undefined-only " .. path)
  luaunit.assertStrContains(called, "lua_pcallk")
  luaunit.assertNil(called:match "lua_closeslot" or called:match "lua_closethread")
end

function Install.test_plugin_finds_its_home()
  plugin.expect()
  luaunit.assertEquals(plugin.printed("print(require('crux').load_rule('flow').name, package.loaded['libcrux.home'])",
    prefix .. "/lib/lua/5.4"), ("flow\t%s/share/crux\n"):format(prefix))
end

--- An installed example finds the plugin and the datasets that are installed.
function Install.test_study_is_reproduced()
  plugin.expect()
  local program = prefix .. "/share/doc/crux/examples/study/reproduce.lua"
  luaunit.assertStrContains(plugin.output(program .. " flow", prefix .. "/lib/lua/5.4"), "306 of 306 published cells hold")
end

--- Compiles an example in C by pkg-config and runs it in a hostile folder; returns what it prints.
---@param environment string   before the command
---@param more string?         words of the compiler's command line
---@param words string?        of the example's command line
local function built(name, flags, environment, more, words)
  if shell.run("command -v pkg-config").status ~= 0 then luaunit.skip "pkg-config is not installed" end
  local found = ("PKG_CONFIG_PATH=%s/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=%s pkg-config %s crux"):format(prefix, root, flags)
  shell.output(("%s -std=c11 -Wall -Werror examples/%s.c %s $(%s) -o %s/bin/%s"):format(os.getenv "CC" or "cc", name, more or "",
    found, prefix, name))
  return hostile_folder.output(("%s %s %s"):format(environment, name, words or ""), prefix .. "/bin")
end

function Install.test_embedding_by_pkg_config()
  local shared = built("embed", "--cflags --libs", ("LD_LIBRARY_PATH=%s/lib"):format(prefix))
  luaunit.assertStrContains(shared, "level 1: 1.53\nlevel 2: no rating, a measure is missing\n")
  luaunit.assertStrContains(shell.output(("readelf -d %s/bin/embed"):format(prefix)), "[libcrux.so." .. version:match "^%d+%.%d+" .. "]")
  -- the library's path may be relative to a folder that the program has left
  local leave = shell.file("leave.c", "int chdir(const char *path);\n"
    .. "static __attribute__((constructor)) void leave(void) { if (chdir(HOSTILE)) __builtin_abort(); }\n")
  local left = built("embed", "--cflags --libs", ("cd %s/lib && LD_LIBRARY_PATH=."):format(prefix),
    ("-DHOSTILE='\"%s\"' %s"):format(hostile_folder.folder(), leave))
  luaunit.assertEquals(left, shared)
  -- without the shared one, the linker takes libcrux.a
  shell.output(("mv %s/lib/libcrux.so %s/lib/away.so"):format(prefix, prefix))
  local static = built("embed", "--cflags --libs --static", "")
  shell.output(("mv %s/lib/away.so %s/lib/libcrux.so"):format(prefix, prefix))
  luaunit.assertEquals(static, shared)
  luaunit.assertNil(shell.output(("readelf -d %s/bin/embed"):format(prefix)):match "libcrux")
end

function Install.test_editor_by_pkg_config()
  local out = built("editor", "--cflags --libs", ("echo 1 BA | LD_LIBRARY_PATH=%s/lib"):format(prefix), nil,
    "flow " .. shell.file("editor.txt", "AB\n..\nAB\n"))
  luaunit.assertStrMatches(out, "rating [%d.]+: size 6 .*\nunsolvable: no solution exists %([%d.]+ ms%)\n")
end

local Pages = {}

--- Names of a command's options.
local function flags_of(name)
  local flags = {}
  for _, row in ipairs(cli.options(cli.command(name), { name })) do table.insert(flags, row.flags) end
  return flags
end

--- Each command has help that differs from its summary alone, and each of its options a doc.
function Pages.test_help()
  for _, name in ipairs(long.some(12, cli.commands)) do
    local help = shell.printed("help " .. name)
    luaunit.assertEquals(shell.printed(name .. " --help"), help)
    luaunit.assertTrue(#(cli.command(name).details or "") > 60, name)
    luaunit.assertNotNil(cli.command(name).examples, name)
    for _, row in ipairs(cli.options(cli.command(name), { name })) do luaunit.assertTrue(#row.doc > 5, row.flags) end
    for _, row in ipairs(cli.command(name).arguments or {}) do luaunit.assertTrue(#row.doc > 5, row.name) end
  end
  for _, line in ipairs { "help fit --man", "help --man --completion zsh" } do
    luaunit.assertEquals(shell.crux(line).status, 2)
  end
end

function Pages.test_manual_page_has_each_command_and_option()
  local page = shell.printed "help --man"
  luaunit.assertEquals(page:match "^[^\n]*", ('.TH CRUX 1 "" "crux %s"'):format(version))
  for _, name in ipairs(cli.commands) do
    local section = page:match(("\n%%.SS crux %s\n(.-)\n%%.S"):format(name))
    luaunit.assertNotNil(section, name)
    for _, flag in ipairs(flags_of(name)) do
      luaunit.assertStrContains(section, ".TP\n\\fB" .. flag:gsub("%-", "\\-") .. "\\fR")
    end
    for _, example in ipairs(cli.command(name).examples) do
      luaunit.assertStrContains(section, (example:match "^crux [%l]+"))
    end
  end
end

function Pages.test_manual_page_is_clean()
  local page, checked = shell.file("crux.1", shell.printed "help --man"), false
  for _, checker in ipairs { "groff -man -ww -z -Tutf8", "mandoc -T lint -W error", "man --warnings -l" } do
    if shell.run("command -v " .. checker:match "^%S+").status == 0 then
      checked = true
      local result = shell.run(("LC_ALL=C.UTF-8 %s %s > /dev/null"):format(checker, page))
      luaunit.assertEquals({ result.status, result.err }, { 0, "" }, checker)
    end
  end
  if not checked then luaunit.skip "neither groff, mandoc nor man is installed" end
end

--- What bash offers for command lines whose last word is being typed, a list for each.
local function completed(lines)
  local script = { ("source %s"):format(shell.file("crux.bash", shell.printed "help --completion bash")) }
  for _, line in ipairs(lines) do
    table.insert(script, ("COMP_WORDS=(%s) COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _crux; echo ${COMPREPLY[*]}"):format(line))
  end
  local out, offers = shell.output("bash " .. shell.file("complete.sh", table.concat(script, "\n"))), {}
  for offer in out:gmatch "([^\n]*)\n" do table.insert(offers, offer) end
  return offers
end

function Pages.test_bash_completes()
  if shell.run("command -v bash").status ~= 0 then luaunit.skip "bash is not installed" end
  local lines, expected = { "crux ''" }, { table.concat(cli.commands, " ") }
  for _, name in ipairs(cli.commands) do
    table.insert(lines, ("crux %s --"):format(name))
    local flags = {}
    for _, row in ipairs(cli.options(cli.command(name), { name })) do
      for _, flag in ipairs { row.flags, row.alias } do
        if flag:find "^%-%-" then table.insert(flags, flag) end
      end
    end
    table.insert(flags, "--help")
    table.insert(expected, table.concat(flags, " "))
  end
  shell.folder("completing", { ["levels.csv"] = "", ["level.txt"] = "", ["le.lua"] = "" })
  local folder = shell.path "completing"
  for _, case in ipairs {
    { "crux solve so", "sokoban" }, { "crux check --game mo", "move" }, { "crux rate sprinkfield-", "sprinkfield-v1 sprinkfield-v2" },
    { "crux fit --format j", "json" }, { "crux fit --fit el", "elastic-net" }, { "crux fit --draws ''", "" },
    { "crux study ''", "plan next summary watch links import export jsonl forget" }, { "crux help agg", "aggregate" }, { "crux help --completion ''", "bash zsh" },
    { "crux fit flow FOLDER/le", "FOLDER/levels.csv" }, { "crux fit --weights solved --loo FOLDER/le", "FOLDER/le.lua" },
    { "crux rate flow FOLDER/le", "FOLDER/le.lua FOLDER/level.txt FOLDER/levels.csv" }, { "crux fit -o FOLDER/", "FOLDER/le.lua" },
    { "crux rate --with FOLDER/le", "FOLDER/levels.csv" }, { "crux -", "-h --help --version" }, { "crux nothing ''", "" },
  } do
    table.insert(lines, (case[1]:gsub("FOLDER", folder)))
    table.insert(expected, (case[2]:gsub("FOLDER", folder)))
  end
  local offers = completed(lines)
  for i, line in ipairs(lines) do
    local found = {}
    for word in offers[i]:gmatch "%S+" do table.insert(found, word) end
    if line:find(folder, 1, true) then table.sort(found) end -- files come in the folder's order
    luaunit.assertEquals(table.concat(found, " "), expected[i], line)
  end
end

function Pages.test_zsh_completes_each_option()
  local script = shell.printed "help --completion zsh"
  for _, name in ipairs(cli.commands) do
    local case = script:match(("\n%s%%)\n(.-);;\n"):format(name))
    luaunit.assertNotNil(case, name)
    for _, flag in ipairs(flags_of(name)) do
      luaunit.assertNotNil(case:match("['{]" .. flag:gsub("%-", "%%-") .. "[%[,]"), name .. flag)
    end
  end
end

--- zsh passes to its function _arguments each option of the command, once each spelling, and the shortened line; to _describe the
--- commands.
function Pages.test_zsh_runs_the_script()
  if shell.run("command -v zsh").status ~= 0 then luaunit.skip "zsh is not installed" end
  local lines = { [[_describe() { print -r -- ${${(P)2}%%:*} }
_arguments() { print -r -- $words[1] $CURRENT ${${${(M)@:#*\[*}%%\[*}##*[\)*]} }
_crux() { . ]] .. shell.file("_crux", shell.printed "help --completion zsh") .. " }\nwords=(crux '') CURRENT=2; _crux" }
  local expected = { table.concat(cli.commands, " "), "crux 2 --version -h --help" }
  for _, name in ipairs(cli.commands) do
    table.insert(lines, ("words=(crux %s --fo) CURRENT=3; _crux"):format(name))
    local words = { name, 2 }
    for _, row in ipairs(cli.options(cli.command(name), { name })) do
      table.insert(words, row.flags)
      table.insert(words, row.alias)
    end
    table.insert(expected, table.concat(words, " ") .. " -h --help")
  end
  luaunit.assertEquals(shell.output("zsh -f " .. shell.file("complete.zsh", table.concat(lines, "\n"))),
    table.concat(expected, "\n") .. "\n")
end

--- The version stands in src/crux.h; other files repeat it.
function Pages.test_version_is_the_same_everywhere()
  luaunit.assertEquals(shell.read "src/crux.h":match '#define CRUX_VERSION "([%d.]+)"', version)
  luaunit.assertEquals(shell.printed "--version", ("crux %s\n"):format(version))
  luaunit.assertEquals(shell.read "CITATION.cff":match "\nversion: ([^\n]+)\n", version)
  local rock = {}
  assert(loadfile(("crux-%s-1.rockspec"):format(version), "t", rock))()
  luaunit.assertEquals({ rock.package, rock.version, rock.source.url }, { "crux", version .. "-1", ("crux-%s.tar.gz"):format(version) })
  luaunit.assertEquals(shell.read "wasm/package.json":match '"version": "([^"]+)"', version)
  luaunit.assertEquals(shell.read "python/pyproject.toml":match '\nversion = "([^"]+)"', version)
  luaunit.assertEquals(shell.read "debian/changelog":match "^crux (%b())", ("(%s)"):format(version))
  local interface = version:match "^%d+%.%d+"
  luaunit.assertStrContains(shell.read "python/crux/__init__.py", ('"libcrux.so.%s"'):format(interface))
  luaunit.assertStrContains(shell.read "debian/control", ("\nPackage: libcrux%s\n"):format(interface))
  local symbols = shell.read(("debian/libcrux%s.symbols"):format(interface))
  luaunit.assertStrContains(symbols, ("libcrux.so.%s libcrux%s "):format(interface, interface))
  local listed = {}
  for name in symbols:gmatch "\n (crux_[%l_]+)@Base %d" do table.insert(listed, name) end
  luaunit.assertTrue(#listed >= 10)
  luaunit.assertEquals(listed, declared "src/crux.h")
end

function Pages.test_debian_installs_what_make_does()
  local needed = shell.read "debian/control":match "\nBuild%-Depends:(.-)\n%a"
  for _, list in ipairs { "packages", "OPTIONAL_PACKAGES", "test_packages" } do
    local names = shell.read "packages.mk":match(("\n%s [:?]= ([^\n]*)"):format(list))
    for name in names:gsub("%$%b()", ""):gsub("libc6%-dev", ""):gmatch "%S+" do
      luaunit.assertStrMatches(needed, ".* " .. name:gsub("%p", "%%%0") .. "[ ,\n].*")
    end
  end
end

return { Install = Install, Pages = Pages }
