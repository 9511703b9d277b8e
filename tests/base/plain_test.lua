-- Tests of crux.plain, and that nothing that comes from a file or a script controls a terminal, whichever way it takes.
local fault = require "crux.base.fault"
local json_reader = require "json_reader"
local luaunit = require "luaunit"
local plain = require "crux.base.plain"
local playing = require "playing"
local shell = require "shell"

local Plain = {}

function Plain.test_texts()
  for text, shown in pairs {
    [""] = "", ["größe 10 → €😀"] = "größe 10 → €😀", ["\27[31m"] = "\\x1b[31m", ["\0\8\127"] = "\\x00\\x08\\x7f", ["a\tb\nc"] = "a\\x09b\\x0ac",
    ["\194\155"] = "\\u{9b}", ["\194\133"] = "\\u{85}", ["\155"] = "\\x9b", ["\226\128\174x"] = "\\u{202e}x", ["\226\129\166"] = "\\u{2066}",
    ["\226\128\139"] = "\\u{200b}", ["\226\128\141"] = "\226\128\141", ["\239\187\191x"] = "\\u{feff}x", ["\216\156"] = "\\u{61c}",
    ["\255ä\254"] = "\\xffä\\xfe", ["\192\155"] = "\\xc0\\x9b", ["\237\160\128"] = "\\xed\\xa0\\x80", ["\244\144\128\128"] = "\\xf4\\x90\\x80\\x80",
    ["ä\195"] = "ä\\xc3", ["\194\160"] = "\194\160",
  } do
    luaunit.assertEquals(plain.line(text), shown)
    luaunit.assertEquals(plain.line(shown), shown)
    luaunit.assertEquals(plain.text(text), (shown:gsub("\\x0a", "\n"):gsub("\\x09", "\t")))
  end
  luaunit.assertEquals(#plain.line(("\255"):rep(100000)), 400000)
end

local hostile = "\27]0;title\7\27[31m\226\128\174\194\155\155" -- a title, red, right to left, CSI as a character and as a byte

--- Fails when a text has a byte that a terminal could take for a command, or a character that turns text round.
local function check(text, what)
  luaunit.assertNil(text:find "[\0-\8\11-\31\127]", what)
  luaunit.assertNil(text:find "\194[\128-\159]", what)
  luaunit.assertNil(text:find "\226\128\174", what)
  luaunit.assertNotNil(utf8.len(text), what)
end

local game = ([==[
local game = crux.game "walk%s"
function game.parse(text) if text:find "?" then crux.refuse("'HOSTILE'", "no '?'") end return { text = text } end
function game.format(level) return level.text end
function game.draw() return "HOSTILE\tx\n" end
function game.solve() return { status = "solved", text = "HOSTILE", length = 1 } end
game.measure { "size", kind = "initial", doc = "HOSTILE", function(level)
  if level.text:find "!" then error "HOSTILE" end
  return #level.text
end }
return game
]==]):gsub("HOSTILE", (hostile:gsub(".", function(c) return ("\\%03d"):format(c:byte()) end)))

--- What fuzzing found: Lua's own messages cite the script, here a byte that is not UTF-8.
function Plain.test_messages_of_lua_are_utf8()
  local path = shell.file("byte.lua", "return ~'\248'")
  local _, problem = pcall(require("crux.rule.rule").load, path)
  luaunit.assertEquals(problem.message, path .. ":1: attempt to perform bitwise operation on a string value (constant '\\xf8')")
end

function Plain.test_nothing_from_files_reaches_a_terminal()
  local folder = shell.folder("controls", { ["game.lua"] = game, ["good.txt"] = ("; %s\nA\n"):format(hostile),
    ["bad.txt"] = ("; %s\n?\n\n; b%s\n!\n"):format(hostile, hostile),
    ["data.csv"] = ("level,a%s,y\n%s,1,2\nb,2,3\nc,3,5\nd,4,4\n"):format(hostile, hostile),
    ["bad.csv"] = ("level,a,y\n%s,x%s,2\n"):format(hostile, hostile),
    ["rule.lua"] = ("return crux.rule { name = %q, formula = 'y ~ a' .. %q }"):format(hostile, hostile) })
  shell.run(("cd %s; cp good.txt $'name\\e[1m.txt'; cp good.txt \"$(printf 'name\\033[1m.txt')\""):format(folder))
  for _, line in ipairs {
    "solve game.lua good.txt", "measure game.lua good.txt --format md", "measure game.lua good.txt --format table",
    "measure game.lua --list", "check --game game.lua good.txt bad.txt", "measure game.lua bad.txt --debug --format table",
    "measure game.lua \"$(printf 'none\\033[1m.txt')\" --format table", "\"$(printf 'a\\033[1m')\"", "rate \"$(printf 'a\\033[1m')\" x",
    "fit --formula 'y ~ .' data.csv", "fit --formula 'y ~ .' data.csv --format md", "fit --formula 'y ~ .' data.csv --format json",
    "fit --formula 'y ~ factor(level)' data.csv", "fit --formula 'y ~ a' bad.csv", "fit --formula 'y ~ a' data.csv --debug",
    "correlate data.csv --y y --format table", "evaluate rule.lua data.csv", "fit rule.lua data.csv", "measure game.lua good.txt --format json",
  } do
    local result = shell.crux(line, { folder = folder })
    luaunit.assertTrue(#result.out + #result.err > 0)
    check(result.out, line .. "\n" .. result.out)
    check(result.err, line .. "\n" .. result.err)
    if result.status == 0 and line:find "json" then json_reader.decode(result.out) end
  end
  local csv = shell.crux("measure game.lua good.txt --format csv", { folder = folder }).out
  luaunit.assertEquals(csv, ("level,size\n%s,2\n"):format(hostile)) -- data keeps its bytes
end

--- Messages cut what is long between two characters, or where there are none.
function Plain.test_messages_cut_between_characters()
  luaunit.assertEquals(fault.show(("é"):rep(20), 40), "'" .. ("é"):rep(20) .. "'")
  luaunit.assertEquals(fault.show(("é"):rep(21), 40), "'" .. ("é"):rep(20) .. "...'")
  luaunit.assertEquals(fault.show("a" .. ("é"):rep(21), 40), "'a" .. ("é"):rep(19) .. "...'")
  luaunit.assertEquals(fault.show(("\x80"):rep(50), 40), "'...'")
end

--- On a terminal CSV has none of them, either.
function Plain.test_csv_on_a_terminal()
  luaunit.skipIf(shell.run("command -v script").status ~= 0, "script(1), which makes a terminal, is not there")
  playing.expect()
  local folder = shell.folder("controls", { ["game.lua"] = game, ["good.txt"] = ("; %s\nA\n"):format(hostile) })
  local result = shell.run(("cd %s && script -qec \"%s measure game.lua good.txt --format csv --jobs 1 2>/dev/null\" /dev/null < /dev/null")
    :format(folder, shell.program))
  luaunit.assertStrContains(result.out, "level,size\r\n" .. plain.line(hostile) .. ",2\r\n")
end

return { Plain = Plain }
