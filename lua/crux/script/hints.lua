--- Hints at how to mend a script, by Lua's message and the line of the script.
local board = require "libcrux.board"
local lists = require "crux.base.lists"
local nearest = require "crux.base.nearest"
local sandbox = require "crux.script.sandbox"
local script = require "crux.script.script"

local hints = {}

--- Functions of other versions and languages, and the hint for each.
local instead = {
  ["math.pow"] = "write x ^ y", ["math.log10"] = "write math.log(x, 10)", ["math.mod"] = "write x % y",
  ["math.round"] = "write math.floor(x + 0.5)", ["math.squareroot"] = "did you mean math.sqrt?",
  ["math.random"] = "scripts have no chance of their own: game.generate is given random numbers",
  ["table.getn"] = "write #list", len = "write #list", unpack = "write table.unpack(list)",
  print = "scripts cannot print; error(text) shows a text",
}

--- The names of a library: of a part of crux, or of Lua, those that scripts may use.
local function names_of(library)
  local fields = script.fields()
  if library == "crux" then return lists.keys(fields) end
  return sandbox.allowed[library] or type(fields[library]) == "table" and lists.keys(fields[library]) or nil
end

--- The hint at a field `library.name`, if the line has it.
local function field(name, line)
  local library = line:match("([%a_][%w_]*)%." .. name .. "%f[^%w_]")
  local names = library and names_of(library)
  if instead[(library or "") .. "." .. name] then return instead[library .. "." .. name] end
  local best = names and not lists.contains(names, name) and nearest.of(name, names)
  return best and ("did you mean %s.%s?"):format(library, best)
end

local function global(name)
  if instead[name] then return instead[name] end
  if lists.contains({ "io", "os", "require", "load", "dofile", "debug", "package", "coroutine", "collectgarbage" }, name) then
    return ("scripts have no '%s': they see pure functions and crux"):format(name)
  end
  local names = { "crux", "math", "string", "table", "utf8", table.unpack(sandbox.allowed.base) }
  if lists.contains(lists.keys(script.fields()), name) then return ("did you mean crux.%s?"):format(name) end
  local best = nearest.of(name, names)
  return best and ("did you mean %s?"):format(best)
end

local function method(name)
  local known = lists.keys(debug.getmetatable(board.new(1, 1)).__index)
  local best = not lists.contains(known, name) and nearest.of(name, known)
  return best and ("did you mean :%s, if it is a board?"):format(best)
end

--- Signs by the names that Lua gives them in messages.
local signs = { band = "&", bor = "|", bxor = "~", sub = "-" }

--- The hint at an operand that is nil.
local function operand(name)
  return signs[name] and ("one side of '%s' has no value here; is its name right?"):format(signs[name])
end

--- Patterns of messages, what the line must hold, and the hint: a text, or a function of the first capture and the line.
---@type { [1]: string, [2]: string, [3]: string|fun(name: string, line: string): string? }[]
local rows = {
  { "attempt to %a+ a nil value %(field '(.-)'%)", "", field },
  { "attempt to %a+ .-nil value %(field '", "%[0%]", "lists count from 1" },
  { "attempt to %a+ a nil value %(method '(.-)'%)", "", method },
  { "attempt to %a+ .- nil value %(global '(.-)'%)", "", global },
  { "bad argument #%d to '(%l+)' %(crux.board expected, got nil%)", "", operand },
  { "^%S+ expected near '='", "", "write == to compare" },
  { "near '[=+*/-]'", "[%+%-%*/]=", "write x = x + 1: Lua has no += or -=" },
  { "near '[+]'", "%+%+", "write x = x + 1: Lua has no ++" },
  { "near '[!=]'", "!=", "write ~= for different" },
  { "near '!'", "", "write not, or ~= for different" },
  { "near '&'", "&&", "write and" },
  { "near '|'", "||", "write or" },
  { "near '//'", "", "comments begin with --" },
  { "near 'if'", "else if", "write elseif" },
  { "'end' expected %(to close '(.-)' at line %d+%) near 'else'", "", "did an if end too early?" },
  { "'end' expected.- near <eof>", "", "an 'end' is missing: each function, if, for, while and do needs one" },
  { "'then' expected", "", "write if CONDITION then" },
  { "'do' expected", "", "write for NAME in LIST do, or while CONDITION do" },
  { "'}' expected", "", "is a comma missing before this?" },
  { "attempt to index a function value", "", "is it called, as in crux.game \"NAME\"?" },
  { "unfinished string", "", "the closing quote is missing on this line" },
  { "malformed number", "", "write decimals with a dot" },
  { "attempt to compare (.-) with nil", "", "one side has no value here; is its name right?" },
  { "attempt to compare nil with (.-)", "", "one side has no value here; is its name right?" },
}

--- The hint at how to mend a script; nil when none is known.
---@param message string   without the place
---@param line string      of the script
---@return string?
function hints.of(message, line)
  for _, row in ipairs(rows) do
    local pattern, holds, hint = table.unpack(row)
    local name = message:match(pattern)
    if name and line:find(holds) then
      if type(hint) == "function" then hint = hint(name, line) end
      if hint then return hint end
    end
  end
end

return hints
