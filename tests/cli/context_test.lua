--- The lines of a script that follow a message about it, and the hints.
local luaunit = require "luaunit"
local shell = require "shell"

local Context = {}

local data = "level,size,y\n1,4,2\n2,5,3\n"

--- What follows the message when a rule rates.
local function context_of(script)
  local folder = shell.folder("context", { ["r.lua"] = script, ["d.csv"] = data })
  return shell.crux("rate r.lua d.csv", { folder = folder }).context
end

local function formula(expression) return ("return crux.rule { formula = function(m) return %s end }"):format(expression) end

function Context.test_line_before_and_after()
  luaunit.assertEquals(context_of "local function rate(m)\n\treturn math.sqroot(m.size)\nend\nreturn crux.rule { formula = rate }\n",
    "  1 | local function rate(m)\n> 2 |   return math.sqroot(m.size)\n  3 | end\n  did you mean math.sqrt?\n")
  luaunit.assertEquals(context_of(("\n"):rep(8) .. "return crux.rule {\n  fromula = 'y ~ a',\n}\n"),
    "   9 | return crux.rule {\n> 10 |   fromula = 'y ~ a',\n  11 | }\n") -- the message gives no line, and the hint itself
  luaunit.assertEquals(context_of(formula "m.siz"), nil) -- the fault of the dataset
end

--- Blank lines are not shown.
function Context.test_nothing_to_show()
  for _, script in ipairs { "", "\n", " \n\t\n" } do luaunit.assertEquals(context_of(script), nil) end
  luaunit.assertEquals(context_of "-- later\n\n", "  1 | -- later\n> 2 |\n")
end

--- Expressions with mistakes, and the hint.
local hints = {
  { "math.pow(m.size, 2)", "write x ^ y" },
  { "math.flor(m.size)", "did you mean math.floor?" },
  { "string.sup('a')", "did you mean string.sub?" },
  { "crux.were(m.size, 1, 2)", "did you mean crux.where?" },
  { "math.random()", "scripts have no chance of their own: game.generate is given random numbers" },
  { "print(m.size)", "scripts cannot print; error(text) shows a text" },
  { "os.time()", "scripts have no 'os': they see pure functions and crux" },
  { "tonumbr(m.size)", "did you mean tonumber?" },
  { "where(m.size, 1, 2)", "did you mean crux.where?" },
  { "({ 1 })[0] + 1", "lists count from 1" },
  { "m.size != 3", "write ~= for different" },
  { "!m.size", "write not, or ~= for different" },
  { "m.size && 3", "write and" },
  { "m.size || 3", "write or" },
  { "crux.cells(3, 3):shfit('U')", "did you mean :shift, if it is a board?" },
  { "crux.cells(3, 3) & ({}).x", "one side of '&' has no value here; is its name right?" },
  { "'a", "the closing quote is missing on this line" },
  { "1,5.5.5", "write decimals with a dot" },
  { "m.size < m.siz2", nil },
  { "1 end, scale = { 1, 2 } scope = function() ", "is a comma missing before this?" },
}

function Context.test_hints()
  for _, case in ipairs(hints) do
    local context = context_of(formula(case[1]))
    luaunit.assertEquals(context and context:match "\n  (%a[^\n]*)\n$", case[2], case[1])
  end
end

function Context.test_statements()
  for statement, hint in pairs {
    ["m.size += 1"] = "write x = x + 1: Lua has no += or -=", ["if m.size = 3 then return 2 end"] = "write == to compare",
    ["x++"] = "write x = x + 1: Lua has no ++",
    ["if m.size == 1 return 2 end"] = "write if CONDITION then", ["// a remark"] = "comments begin with --",
  } do
    local context = context_of(("return crux.rule { formula = function(m)\n%s\nreturn 1 end }"):format(statement))
    luaunit.assertEquals(context and context:match "\n  (%a[^\n]*)\n$", hint, statement)
  end
end

--- Lua's message has no line where C reads what is nil; the line is that of the call.
function Context.test_a_list_that_is_nil()
  local folder = shell.folder("context", { ["r.lua"] = "local list = { 1 }\nfor _, x in ipairs(lits) do print(x) end\nreturn crux.rule {}\n" })
  local result = shell.crux("check r.lua", { folder = folder })
  luaunit.assertEquals(result.err, "r.lua:2: attempt to index a nil value\n1 error\n")
  luaunit.assertStrContains(result.context, "> 2 | for _, x in ipairs(lits) do print(x) end\n")
end

--- Many levels that fail in one line of a script show it once; the status and the messages are as they were.
function Context.test_once_for_many_levels()
  local script = "local game = crux.game 'g'\nfunction game.parse(text) return text .. {} end\n"
    .. "function game.solve() end\nreturn game\n"
  local folder = shell.folder("context", { ["g.lua"] = script, ["l.txt"] = "a\n\nb\n" })
  for _, jobs in ipairs { 1, 2 } do
    local result = shell.crux("measure g.lua l.txt --jobs " .. jobs, { folder = folder })
    luaunit.assertEquals(result.context, "  1 | local game = crux.game 'g'\n> 2 | function game.parse(text) return text .. {} end\n"
      .. "  3 | function game.solve() end\n")
    luaunit.assertEquals(result.err, "l.txt:1: g.lua:2: attempt to concatenate a table value\n"
      .. "l.txt:3: g.lua:2: attempt to concatenate a table value\n2 of 2 levels failed\n")
  end
end

--- A message may name any file; shown is what the command line names, and what is beside it.
function Context.test_other_files_are_not_shown()
  shell.folder("elsewhere", { ["secret.lua"] = "return 'secret'\n" })
  for _, path in ipairs { "../elsewhere/secret.lua", shell.path "elsewhere/secret.lua", "r.lua/../../elsewhere/secret.lua" } do
    luaunit.assertNil(context_of(("error('%s:1: no', 0)"):format(path)))
  end
end

return { Context = Context }
