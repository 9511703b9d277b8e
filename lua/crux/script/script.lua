--- Loading rule and game scripts: their places, the table `crux` that they see, and the values that they return.
local assignment = require "crux.search.assignment"
local beams = require "crux.puzzle.beams"
local board = require "libcrux.board"
local exact_cover = require "crux.puzzle.exact_cover"
local fault = require "crux.base.fault"
local grid = require "crux.kits.grid"
local home = require "libcrux.home"
local legend = require "libcrux.legend"
local path_cover = require "crux.puzzle.path_cover"
local places = require "crux.kits.places"
local pushes = require "crux.search.pushes"
local sandbox = require "crux.script.sandbox"
local squares = require "crux.kits.squares"
local state = require "crux.search.state"
local file_system = require "libcrux.files"
local vocabulary = require "libcrux.vocabulary"

local script = {}

--- The families of games that a table declares.
local kits = {
  beams = require "crux.kits.beams", deduce = require "crux.kits.deduce", exact_cover = require "crux.kits.exact_cover",
  path_cover = require "crux.kits.path_cover", slide = require "crux.kits.slide",
}

--- Kinds of scripts: the folder of crux's own, if there are some, and the line that returns one.
local kinds = {
  rule = { folder = "rules", expected = "return crux.rule { ... }" },
  game = { folder = "games", expected = "return game, with game = crux.game \"NAME\"" },
  study = { expected = "return crux.study { ... }" },
  task = { expected = "return crux.task { ... }" },
}

--- The metatable of the results of crux.rule, crux.game, crux.study and crux.task, by which other results are refused.
local Returned = { __metatable = false }

--- Copies fields, and the tables among them, so that no script can change those of another.
local function copy(from, to)
  for name, value in pairs(from) do
    local is_plain = type(value) == "table" and not debug.getmetatable(value)
    to[name] = is_plain and copy(value, {}) or value
  end
  return to
end

--- A table of these fields that no script can change. So a step may reach it, and its program for C is used again without a
--- comparison of the table's fields (src/trace/reached_lua.c).
---@param name string       the table's, in messages
---@param call function?    called when a script calls the table
local function sealed(name, fields, call)
  local function refuse() error(("found an assignment to a field of %s, expected none"):format(name), 2) end
  local function following(_, key) return next(fields, key) end
  return setmetatable({}, { __metatable = false, __index = fields, __newindex = refuse, __call = call,
    __pairs = function() return following end })
end

--- The functions of `crux` that are useful outside of scripts, too.
---@return table
function script.words()
  local words = { legend = legend.new, cells = board.new, prices = assignment.prices,
    pushes = pushes.search }
  copy({ beams = beams, exact_cover = exact_cover, path_cover = path_cover }, words)
  copy(vocabulary.words, words)
  return copy(state.kinds, words)
end

--- The table that scripts see as `crux`.
function script.fields()
  local crux = script.words()

  --- Raises an error about a level's text, at column x of line y unless these are nil.
  function crux.refuse(found, expected, x, y)
    error(("line %d%s: found %s, expected %s"):format(y or 1, x and (", column %d"):format(x) or "", found, expected), 0)
  end

  for _, kind in ipairs { "rule", "study", "task" } do
    crux[kind] = function(spec)
      if type(spec) ~= "table" then error(("crux.%s: expected a table of fields"):format(kind), 2) end
      return setmetatable({ kind = kind, spec = spec }, Returned)
    end
  end

  --- A game: a table whose fields the script sets. Its function `measure` adds a row to the list of measures.
  function crux.game(name)
    if type(name) ~= "string" then error("crux.game: expected a name", 2) end
    local game = { name = name, measures = {} }
    function game.measure(row)
      if type(row) ~= "table" or type(row[1]) ~= "string" or type(row[2] or row.each) ~= "function" then
        error("game.measure: expected { \"name\", kind = ..., doc = ..., function(level, solution) ... end }", 2)
      end
      table.insert(game.measures, row)
    end
    return setmetatable(game, Returned)
  end

  --- Makes a game of tiles from a table, which crux.kits.grid describes. The other fields are functions for such games.
  local words = copy(places, copy(squares, {}))
  words.back = sealed("crux.grid.back", words.back)
  function words.game(spec) return grid.new(spec, crux.game, crux.refuse) end
  crux.grid = sealed("crux.grid", words, function(_, spec) return words.game(spec) end)

  --- Make games of a family from a table, which crux.kits.NAME describes.
  crux.kits = {}
  for name, kit in pairs(kits) do
    crux.kits[name] = function(spec) return kit.new(spec, crux.game, crux.refuse) end
  end

  return crux
end

--- Names of crux's own scripts of a kind.
---@param kind "rule"|"game"
---@return string[]
function script.names(kind)
  local names = {}
  for _, file in ipairs(file_system.list(("%s/%s"):format(home, kinds[kind].folder)) or {}) do
    table.insert(names, file:match "^(.*)%.lua$")
  end
  table.sort(names)
  return names
end

--- The path of a script; for a name without '/' and '.' that of crux's own script of that name.
local function resolve(kind, path)
  if not kinds[kind].folder or path:find "[/.]" or file_system.is_regular(path) then return path end
  local included = ("%s/%s/%s.lua"):format(home, kinds[kind].folder, path)
  if file_system.is_regular(included) then return included end
  if file_system.is_regular(path .. ".lua") then
    fault.raise(("found the unknown %s '%s'; did you mean '%s.lua'?"):format(kind, path, path))
  end
  fault.unknown(nil, kind, path, script.names(kind))
end

--- Runs a script; returns its fields, their kind if a function of `crux` such as crux.rule made them, and the script's files.
---@param kind "rule"|"game"|"study"|"task"|nil   the expected kind: rules need no operators on truth values
local function run(path, kind)
  if kind ~= "rule" then vocabulary.enable() end
  local result, files = sandbox.run(path, script.fields())
  table.insert(files, 1, path)
  if not rawequal(debug.getmetatable(result), Returned) then return result end
  local found = rawget(result, "kind") or "game"
  return sandbox.plain(rawget(result, "spec") or debug.setmetatable(result, nil), path), found, files
end

--- The kind of a script; a fault if it is neither.
---@param path string
---@return "rule"|"game"|"study"|"task"
function script.kind(path)
  local result, kind = run(path)
  return kind or fault.at(path, result == nil and "a script that returns nothing" or "a script that returns a " .. type(result),
    ("%s, or %s"):format(kinds.rule.expected, kinds.game.expected))
end

--- Runs a script of a kind; returns its fields, its path and its files.
---@param kind "rule"|"game"|"study"|"task"
---@param path string
---@return table, string, string[]
function script.load(kind, path)
  path = resolve(kind, path)
  local other = path:find "%.csv$" and { "a CSV file", "data" } or path:find "%.txt$" and { "a text file", "levels" }
  if other then fault.at(path, other[1], ("a %s script; it comes first, then the %s"):format(kind, other[2])) end
  local spec, found, files = run(path, kind)
  if found ~= kind then
    fault.at(path, spec == nil and "a script that returns nothing" or found and "a script that returns another kind"
      or "a script that returns a " .. type(spec), kinds[kind].expected)
  end
  if spec.name == nil then spec.name = path:match "([^/]*)$":gsub("%.lua$", "") end
  return spec, path, files
end

return script
