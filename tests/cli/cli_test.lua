--- The program as a whole: help and its examples, where it runs from, formats, and outputs that are whole or absent.
local cli = require "crux.cli"
local json = require "json_reader"
local lists = require "crux.base.lists"
local long = require "long"
local luaunit = require "luaunit"
local options = require "crux.option.options"
local playing = require "playing"
local script = require "crux.script.script"
local shell = require "shell"

local here = shell.run("pwd").out:gsub("\n", "")
local program = shell.quote(shell.program)

local crux = shell.printed

--- A fresh folder of the tests' own, and `cd` into it.
local function folder(name)
  local path = shell.folder(name)
  return path, ("cd %s && "):format(path)
end

local Help = {}

function Help.test_list_names_every_command()
  local text = crux "help"
  for _, name in ipairs(cli.commands) do luaunit.assertStrContains(text, "\n   " .. name .. " ") end
end

--- What people do, in groups of commands, a line for each; the pages have the same groups.
function Help.test_groups()
  local text, page, manual = crux "help", shell.read "docs/commands.md", crux "help --man"
  for _, group in ipairs(cli.groups) do
    local rows = text:match("\n" .. group.title:gsub("%p", "%%%0") .. ":\n(.-)\n\n")
    luaunit.assertEquals(select(2, rows:gsub("\n", "")) + 1, #group.names, group.title)
    for _, name in ipairs(group.names) do luaunit.assertStrContains("\n" .. rows, "\n   " .. name .. " ") end
    luaunit.assertStrContains(page, ("\n**%s**\n\n- [%s](#%s): "):format(group.title, group.names[1], group.names[1]))
    luaunit.assertStrContains(manual, ("\n.SH COMMANDS: %s\n.SS crux %s\n"):format(group.title:upper():gsub("'", "\\(aq"),
      group.names[1]))
  end
  for line in text:gmatch "[^\n]+" do luaunit.assertTrue(#line <= 100, line) end
end

--- Words that people typed for other commands; games and rules are commands that list them.
function Help.test_other_words()
  for word, command in pairs { import = "aggregate", list = "games", rank = "sort", train = "fit", init = "new", test = "check",
    validate = "evaluate", score = "rate", predict = "rate", draw = "solve" } do
    for _, line in ipairs { word .. " x", "help " .. word } do
      local result = shell.crux(line)
      luaunit.assertEquals(result.status, 2, line)
      luaunit.assertStrMatches(result.err, ".*unknown command '" .. word .. "'; 'crux " .. command .. "' [^\n]*\n")
    end
  end
end

--- crux's own scripts with what they say of themselves, and those of the folder: by the field `doc`, else the first comment.
function Help.test_lists_of_scripts()
  local path = shell.folder("scripts", { ["mine.lua"] = 'return crux.grid { doc = "A \\"quoted\\" game." }\n',
    ["ours.lua"] = '-- Rates by hand.\nreturn crux.rule { formula = function(m) return m.a end }\n', ["none.lua"] = "return 1\n" })
  local function listed(line) return shell.printed(line .. " --format csv", { folder = path }) end
  local all = listed "games"
  luaunit.assertStrMatches(all, 'game,doc\nakari,.*\ntrainyard,[^\n]*\nmine.lua,"A ""quoted"" game."\n')
  luaunit.assertStrMatches(listed "rules", "rule,doc\nflow,.*\nsudoku,[^\n]*\nours.lua,Rates by hand.\n")
  for _, kind in ipairs { "game", "rule" } do
    local own, text = {}, listed(kind .. "s") .. "\n"
    for name, doc in text:gmatch '\n([%l%d-]+),([^\n]+)' do own[#own + 1] = doc ~= "" and name or nil end
    luaunit.assertEquals(own, script.names(kind))
    for _, name in ipairs(own) do
      local doc, row = ((script.load(kind, name)).doc or ""):gsub('"', '""'), ("\n%s,"):format(name)
      luaunit.assertTrue((text:find(row .. doc, 1, true) or text:find(('%s"%s"'):format(row, doc), 1, true)) ~= nil, name)
    end
  end
end

function Help.test_option_is_as_good_as_the_command()
  luaunit.assertEquals(crux "--help", crux "help")
  luaunit.assertEquals(crux "-h", crux "help")
end

function Help.test_command_names_all_that_its_row_does()
  for _, name in ipairs(long.some(12, cli.commands)) do
    local text, command = crux("help " .. name), cli.command(name)
    luaunit.assertEquals(crux(name .. " --help"), text)
    luaunit.assertStrContains(text, "Usage: crux " .. name .. " ")
    local rows = command.options or {}
    for _, option in ipairs(type(rows) == "function" and rows {} or rows) do
      for flag in (options[option] or option).flags:gmatch "%S+" do luaunit.assertStrContains(text, flag, false, name) end
    end
    for _, example in ipairs(command.examples) do luaunit.assertStrContains(text, "   " .. example .. "\n") end
    for line in text:gmatch "[^\n]*" do luaunit.assertTrue(utf8.len(line) <= 100, line) end
  end
end

function Help.test_version_is_that_of_the_header()
  local version = shell.read("src/crux.h"):match '#define CRUX_VERSION "(.-)"'
  luaunit.assertEquals(crux "--version", "crux " .. version .. "\n")
end

--- Every example of every command, in a folder with the files that they name.
function Help.test_examples_run()
  long.only()
  for _, name in ipairs(cli.commands) do
    local is_left_out = name == "serve" or name == "workbench" or name == "site" -- these have tests of their own
      or name == "play" and playing.missing()
    local function runs(example) return not example:find "study.db" end
    for _, example in ipairs(is_left_out and {} or lists.select(cli.command(name).examples, runs)) do
      local _, cd = folder "documented"
      shell.run(cd .. ("ln -s %s/rules %s/datasets %s/examples . && cp datasets/flow.csv levels.csv"):format(here, here, here))
      shell.run(cd .. ("cp %s/examples/new-levels.csv . && cp %s/rules/flow.lua my-rule.lua"):format(here, here))
      shell.file("documented/study.csv", "player,level,rating,time\nann,1,2,20\nann,2,5,44\nann,3,6,70\nbob,1,4,31\nbob,2,6,75\n"
        .. "bob,3,7,99\ncas,1,1,12\ncas,2,2,36\ncas,3,5,41\n")
      shell.file("documented/others.csv", "player,level,stars,seconds\nann,1,2,20\nann,2,5,44\nbob,1,4,31\n")
      shell.run(cd .. "printf 'level,size\\n1,9\\n2,16\\n3,25\\n' > measures.csv")
      shell.file("documented/ann-and-bob.csv", "player,level,rating,size\nann,1,2,9\nann,2,4,16\nann,3,6,100\nbob,1,4,9\nbob,2,5,16\nbob,3,8,100\n")
      shell.run(cd .. program .. " fit --formula 'rating ~ size + (1 | player)' ann-and-bob.csv -o fitted.lua")
      if name == "track" then
        shell.run(cd .. program .. " fit --formula 'rating ~ 1 + (1 | player) + (1 | level)' study.csv -o fitted.lua")
        shell.file("documented/plays.csv", "player,level,rating,solved,day\nann,1,2,1,1\nann,2,5,0,2\nbob,2,6,0,4\n")
        shell.run(cd .. "cp plays.csv monday.csv")
      end
      shell.run(cd .. "mkdir flow-levels move-levels lazors-levels")
      shell.file("documented/flow-levels/1.txt", "AB\n..\nAB\n")
      shell.file("documented/move-levels/1.txt", "a . A\n. # .\n")
      shell.file("documented/one.bff", "GRID START\no o o\no o x\nGRID STOP\nA 1\nL 1 0 1 1\nP 5 0\n")
      shell.file("documented/field.txt", "..#\n.s.\n")
      shell.file("documented/levels.txt", "@*O\n---\n#--\n")
      shell.file("documented/moves.txt", "R, R\n")
      shell.file("documented/level.tmx", '<map orientation="orthogonal" width="5" height="3"><tileset firstgid="1">'
        .. '<tile id="0" class="wall"/><tile id="1" class="man"/><tile id="2" class="box"/><tile id="3" class="goal"/></tileset>'
        .. '<layer width="5" height="3"><data encoding="csv">1,1,1,1,1,1,2,3,4,1,1,1,1,1,1</data></layer></map>')
      shell.run(cd .. "cp one.bff lazors-levels/")
      shell.run(cd .. program .. " study plan --game move move-levels --players 10 --per-player 1 -o plan.csv")
      local words, count = example:gsub("^crux ", program .. " ")
      luaunit.assertEquals(count, 1, example)
      if name == "play" then words = playing.quit(words) end
      local result = shell.run(cd .. words)
      local said = result.err:gsub("[^\n]*: level %S+ is outside the training range in [^\n]*\n", "") -- as are small levels
        :gsub("scaled ratings of levels have [^\n]*\n", ""):gsub("tied at [^\n]*\n", "")
      luaunit.assertEquals(said, "", example)
      luaunit.assertEquals(result.status, 0, example)
      local written = example:match " %-o (%S+)"
      local text = written and shell.run(cd .. "cat " .. (written:find "/$" and written .. "*" or written)).out or result.out
      luaunit.assertTrue(text:find "\n" ~= nil, example)
    end
  end
  playing.expect() -- else those of play were left out
end

local Place = {}

--- Copies the program and crux's Lua files as they lie in the source tree or where they are installed.
local function install(name, binary, home)
  local path = folder(name)
  shell.run(("mkdir -p %s/%s %s/%s && cp %s %s/%s/crux && ln -s %s/lua %s/rules %s/%s/"):format(path, binary, path, home,
    program, path, binary, here, here, path, home))
  return path .. "/" .. binary
end

local rated = "level,rating\nfirst steps,1.69\ncrossroads,3.32\nthe maze,5.28\n" -- R: predict(lm(...), new-levels), rounded

local function rounded(text) return (text:gsub("%d+%.%d+", function(digits) return ("%.2f"):format(digits) end)) end

--- Rates with the rule `flow` by a command line that starts crux as it likes, without CRUX_HOME.
local function expect_rated(command, where)
  local result = shell.run(("%s && unset CRUX_HOME && %s rate flow %s/examples/new-levels.csv"):format(where or "cd /",
    command,
    here))
  luaunit.assertEquals(result.err, "", command)
  luaunit.assertEquals(rounded(result.out), rated, command)
end

function Place.test_finds_its_files_by_its_own_place()
  for _, layout in ipairs { { ".", "." }, { "bin", "share/crux" }, { "usr/bin", "usr/share/crux" } } do
    local bin = install("place", table.unpack(layout))
    expect_rated(bin .. "/crux")
    expect_rated("./crux", "cd " .. bin)
    expect_rated("crux", "PATH=" .. bin .. ":$PATH")
    shell.run(("mkdir -p %s && ln -sfn %s/crux %s"):format(shell.path "links", bin, shell.path "links/rater"))
    expect_rated(shell.path "links/rater")
    expect_rated("rater", "PATH=" .. shell.path "links" .. ":$PATH")
  end
end

function Place.test_without_its_files_it_says_so()
  local path = folder "alone"
  shell.run(("cp %s %s/crux"):format(program, path))
  local result = shell.run(("env -u CRUX_HOME %s/crux help"):format(path))
  luaunit.assertEquals(result.status, 1)
  luaunit.assertStrContains(result.err, "CRUX_HOME")
  local named = shell.run("CRUX_HOME=/nowhere " .. program .. " help")
  luaunit.assertStrContains(named.err, "crux: /nowhere: found no lua/crux")
  luaunit.assertEquals(named.status, 1)
end

--- Not even for a module that is missing: Lua's own paths end with the current folder.
function Place.test_modules_are_not_looked_for_in_the_current_folder()
  local templates = package.path:gsub("tests/[^;]*;", "") -- which tests/run.lua adds
  luaunit.assertStrContains(templates, "/usr/share/lua/5.4/?.lua;")
  for template in templates:gmatch "[^;]+" do luaunit.assertStrMatches(template, "/.*") end
  luaunit.assertEquals(package.cpath, "")
end

function Place.test_environment_of_lua_does_not_matter()
  local environment = "LUA_INIT='error()' LUA_PATH=/nowhere LUA_CPATH=/nowhere LC_ALL=de_DE.UTF-8 "
  local result = shell.run(environment .. program .. " --version")
  luaunit.assertEquals(result, { status = 0, out = crux "--version", err = "" })
end

local Output = {}

local function line_rule() -- y = 1 + 2 a
  return shell.file("line.lua", 'return crux.rule { formula = "y ~ a", coefficients = { ["(intercept)"] = 1, a = 2 } }\n')
end

local odd = 'level,"a, b",note,a\n"one, two",3,"say ""hi""",1\n" lead",4,"line\nbreak",2\n|é|,,,3\n'

function Output.test_formats()
  local rule, data = line_rule(), shell.file("odd.csv", odd)
  local cases = {
    csv = 'level,rating\n"one, two",3\n" lead",5\n|é|,7\n',
    table = "level     rating\none, two       3\n lead          5\n|é|            7\n",
    md = "| level | rating |\n| --- | ---: |\n| one, two | 3 |\n|  lead | 5 |\n| \\|é\\| | 7 |\n",
    json = '[\n  {"level": "one, two", "rating": 3, "missing": null},\n  {"level": " lead", "rating": 5, "missing": null},\n'
      .. '  {"level": "|é|", "rating": 7, "missing": null}\n]\n',
  }
  for format, expected in pairs(cases) do
    luaunit.assertEquals(crux(("rate %s %s --format %s"):format(rule, data, format)), expected)
    local file = shell.path("rated." .. format)
    luaunit.assertEquals(crux(("rate %s %s -o %s --format %s"):format(rule, data, file, format)), "")
    luaunit.assertEquals(shell.read(file), expected)
    luaunit.assertEquals(crux(("rate %s %s --output=%s"):format(rule, data, file)), "") -- the ending chooses the format
    luaunit.assertEquals(shell.read(file), expected)
  end
  luaunit.assertEquals(crux(("rate %s %s"):format(rule, data)), cases.csv)
end

function Output.test_safe_csv()
  local file = shell.file("formulas.csv", "level,a,=x\n=1+1,-2,@b\n")
  local printed = shell.printed("rate " .. shell.file("safe.lua",
    "return crux.rule { formula = 'y ~ a', coefficients = { ['(intercept)'] = 0, a = 1 } }") .. " --append --safe-csv " .. file)
  luaunit.assertEquals(printed, "level,a,'=x,rating\n'=1+1,-2,'@b,-2\n")
  local refused = shell.crux("rate flow x.csv --safe-csv --format json")
  luaunit.assertEquals({ refused.status, refused.err:match "[^\n]*\n$" }, { 2, "found --safe-csv and --format json, expected one of them\n" })
end

function Output.test_table_on_a_terminal()
  luaunit.skipIf(shell.run("command -v script").status ~= 0, "script(1), which makes a terminal, is not there")
  playing.expect()
  local rule, data = line_rule(), shell.file("odd.csv", odd)
  local result = shell.run(("script -qec \"%s rate %s %s\" /dev/null"):format(program, rule, data))
  luaunit.assertEquals(result.out:gsub("\r", ""), "level     rating\none, two       3\n lead          5\n|é|            7\n")
end

--- What the program writes, the program reads: fields that need quotes survive.
function Output.test_quoted_fields_come_back()
  local rule, data = line_rule(), shell.file("odd.csv", odd)
  local once = crux(("rate %s %s --append"):format(rule, data))
  luaunit.assertEquals(once,
    'level,"a, b",note,a,rating\n"one, two",3,"say ""hi""",1,3\n" lead",4,"line\nbreak",2,5\n|é|,,,3,7\n')
  local again = shell.file("again.csv", (once:gsub("rating", "first", 1)))
  luaunit.assertEquals(crux(("rate %s %s --append"):format(rule, again)), 'level,"a, b",note,a,first,rating\n'
    .. '"one, two",3,"say ""hi""",1,3,3\n" lead",4,"line\nbreak",2,5,5\n|é|,,,3,7,7\n')
end

function Output.test_the_json_reader_refuses_what_is_not_json()
  for _, text in ipairs { "", "01", "1.", ".5", "nan", "-inf", "1e", "[1,]", '{"a":1,}', "{a:1}", '"a\nb"', '"a', "[1 2]",
    "1 2",
    '{"a":1,"a":2}', '"\\x"', '"\255"' } do
    luaunit.assertError(json.decode, text)
  end
end

--- A command that fails leaves an output file as it was, and nothing else in the folder.
function Output.test_failure_leaves_files_alone()
  local rule = line_rule()
  local path = folder "outputs"
  local good = shell.file("good.csv", "level,a\nA,1\n")
  local bad = shell.file("bad.csv", "level,a,y\nA,1,1\nB,2,2\nC,three,3\n")
  for _, command in ipairs { ("rate %s %s %s"):format(rule, good, bad), "fit --formula y~a " .. bad,
    ("evaluate --formula y~a " .. bad), ("compare --formula y~a " .. bad), "correlate --x a --y y " .. bad, "aggregate "
      .. bad } do
    shell.file("outputs/old.csv", "precious\n")
    for _, name in ipairs { "old.csv", "new.csv" } do
      local result = shell.crux(("%s -o %s/%s"):format(command, path, name))
      luaunit.assertEquals(result.status, 1, command)
      luaunit.assertEquals(result.out, "", command)
    end
    luaunit.assertEquals(shell.read(path .. "/old.csv"), "precious\n", command)
    luaunit.assertEquals(shell.run("ls -A " .. path).out, "old.csv\n", command)
  end
end

function Output.test_success_replaces_a_file_and_leaves_no_other()
  local rule, good = line_rule(), shell.file("good.csv", "level,a\nA,1\n")
  local path = folder "outputs"
  shell.file("outputs/old.csv", "precious\n")
  shell.run(("chmod 640 %s/old.csv && ln -s old.csv %s/link.csv"):format(path, path))
  crux(("rate %s %s -o %s/link.csv"):format(rule, good, path))
  luaunit.assertEquals(shell.read(path .. "/old.csv"), "level,rating\nA,3\n")
  luaunit.assertEquals(shell.run(("cd %s && stat -c '%%A %%F %%n' *"):format(path)).out,
    "lrwxrwxrwx symbolic link link.csv\n-rw-r----- regular file old.csv\n")
end

function Output.test_full_disk()
  local rule, good = line_rule(), shell.file("good.csv", "level,a\nA,1\n")
  for _, command in ipairs { ("rate %s %s"):format(rule, good), "fit flow datasets/flow.csv",
    "evaluate flow datasets/flow.csv",
    "compare flow datasets/flow.csv", "correlate datasets/flow.csv" } do
    local full = { status = 1, out = "", err = "<stdout>: No space left on device\n" }
    luaunit.assertEquals(shell.run(("%s %s > /dev/full"):format(program, command)), full, command)
  end
  local named = shell.crux(("rate %s %s -o /dev/full"):format(rule, good))
  luaunit.assertEquals(named, { status = 1, out = "", err = "/dev/full: No space left on device\n" })
end

function Output.test_help_on_a_full_disk()
  for _, command in ipairs { "help", "help fit", "fit --help", "--version" } do
    local result = shell.run(("%s %s > /dev/full"):format(program, command))
    luaunit.assertEquals(result.status, 1, command)
    luaunit.assertStrContains(result.err, "No space left on device", false, command)
  end
end

function Output.test_closed_pipe()
  -- A page is more than a pipe holds, so that the program sees it closed.
  local closed = shell.run(("{ %s report flow datasets/flow.csv datasets/levels/flow; echo $? >&2; } | head -1"):format(program))
  luaunit.assertEquals(closed.out, "<!DOCTYPE html>\n")
  luaunit.assertEquals(closed.err, "<stdout>: Broken pipe\n1\n")
end

--- A program started without standard streams writes its messages into no file of its own.
function Output.test_closed_streams()
  local rule, gaps = line_rule(), shell.file("gaps.csv", "level,a\nA,1\nB,\n")
  local out = shell.path "streams.csv"
  luaunit.assertEquals(shell.run(("%s rate %s %s -o %s 2>&-"):format(program, rule, gaps, out)).status, 0)
  luaunit.assertEquals(shell.read(out), "level,rating\nA,3\nB,\n")
  luaunit.assertEquals(shell.run(("%s rate %s %s 2>&-"):format(program, rule, gaps)).out, "level,rating\nA,3\nB,\n")
  luaunit.assertEquals(shell.run(("%s rate %s %s >&-"):format(program, rule, gaps)).status, 1) -- the ratings went nowhere
  luaunit.assertEquals(shell.run(("%s rate %s - <&-"):format(program, rule)).status, 1)
end

return { Help = Help, Place = Place, Output = Output }
