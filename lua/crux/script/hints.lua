--- What mends a mistake in a script, where Lua's message and the line tell: rows of a pattern of the message and words.
local board = require "libcrux.board"
local nearest = require "crux.base.nearest"
local sandbox = require "crux.script.sandbox"
local script = require "crux.script.script"

local hints = {}

local function keys(values)
  local names = {}
  for name in pairs(values) do table.insert(names, name) end
  table.sort(names)
  return names
end

local function contains(list, name)
  for _, other in ipairs(list) do
    if other == name then return true end
  end
end

--- Functions of other versions and languages, and what stands for them.
local instead = {
  ["math.pow"] = "write x ^ y", ["math.log10"] = "write math.log(x, 10)", ["math.mod"] = "write x % y",
  ["math.round"] = "write math.floor(x + 0.5)", ["math.squareroot"] = "did you mean math.sqrt?",
  ["math.random"] = "scripts have no chance of their own: game.generate is given random numbers",
  ["table.getn"] = "write #list", len = "write #list", unpack = "write table.unpack(list)",
  print = "scripts cannot print; error(text) shows a text",
}

--- Names of a library: of Lua's that scripts may use, or of crux and its parts.
local function names_of(library)
  local fields = script.fields()
  if library == "crux" then return keys(fields) end
  return sandbox.allowed[library] or type(fields[library]) == "table" and keys(fields[library]) or nil
end

--- What is meant by `library.name`, where the line uses it so.
local function meant(name, line)
  local library = line:match("([%a_][%w_]*)%." .. name .. "%f[^%w_]")
  local names = library and names_of(library)
  if instead[(library or "") .. "." .. name] then return instead[library .. "." .. name] end
  local best = names and not contains(names, name) and nearest.of(name, names)
  return best and ("did you mean %s.%s?"):format(library, best)
end

local function global(name)
  if instead[name] then return instead[name] end
  if contains({ "io", "os", "require", "load", "dofile", "debug", "package", "coroutine", "collectgarbage" }, name) then
    return ("scripts have no '%s': they see pure functions and crux"):format(name)
  end
  local names = { "crux", "math", "string", "table", "utf8", table.unpack(sandbox.allowed.base) }
  if contains(keys(script.fields()), name) then return ("did you mean crux.%s?"):format(name) end
  local best = nearest.of(name, names)
  return best and ("did you mean %s?"):format(best)
end

local function method(name)
  local known = keys(debug.getmetatable(board.new(1, 1)).__index)
  local best = not contains(known, name) and nearest.of(name, known)
  return best and ("did you mean :%s, if it is a board?"):format(best)
end

--- Patterns of messages, what the line must hold, and the hint: a text, or a function of the first capture and the line.
---@type { [1]: string, [2]: string, [3]: string|fun(name: string, line: string): string? }[]
local rows = {
  { "attempt to %a+ a nil value %(field '(.-)'%)", "", meant },
  { "attempt to %a+ .-nil value %(field '", "%[0%]", "lists count from 1" },
  { "attempt to %a+ a nil value %(method '(.-)'%)", "", method },
  { "attempt to %a+ .- nil value %(global '(.-)'%)", "", global },
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

--- What would mend a script; nil when that is not known.
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
