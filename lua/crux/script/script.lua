--- Loading rule and game scripts: where they are, what they see as `crux`, and what they must return.
local beams = require "crux.puzzle.beams"
local board = require "libcrux.board"
local exact_cover = require "crux.puzzle.exact_cover"
local fault = require "crux.base.fault"
local home = require "libcrux.home"
local legend = require "libcrux.legend"
local nearest = require "crux.base.nearest"
local path_cover = require "crux.puzzle.path_cover"
local sandbox = require "crux.script.sandbox"
local state = require "crux.search.state"
local system = require "libcrux.system"
local vocabulary = require "libcrux.vocabulary"

local script = {}

--- What a script may return, by kind: where crux's own are, and how a script makes one.
local kinds = {
  rule = { folder = "rules", expected = "return crux.rule { ... }" },
  game = { folder = "games", expected = "return game, with game = crux.game \"NAME\"" },
}

--- Marks what crux.rule and crux.game made, so that a script that returns something else is noticed.
local Returned = { __metatable = false }

--- Copies fields, and the tables among them, so that no script can change what is another's.
local function copy(from, to)
  for name, value in pairs(from) do
    local is_plain = type(value) == "table" and not debug.getmetatable(value)
    to[name] = is_plain and copy(value, {}) or value
  end
  return to
end

--- The words of scripts, which are of use outside of them, too.
---@return table
function script.words()
  local words = { legend = legend.new, cells = board.new }
  copy({ beams = beams, exact_cover = exact_cover, path_cover = path_cover }, words)
  copy(vocabulary.words, words)
  return copy(state.kinds, words)
end

--- Makes what scripts see as `crux`.
local function fields_of_crux()
  local crux = script.words()

  --- Refuses a level: what was found in its text, at column x of line y (or without a place), and what was expected.
  function crux.refuse(found, expected, x, y)
    error(("line %d%s: found %s, expected %s"):format(y or 1, x and (", column %d"):format(x) or "", found, expected), 0)
  end

  function crux.rule(spec)
    if type(spec) ~= "table" then error("crux.rule: expected a table of fields", 2) end
    return setmetatable({ kind = "rule", spec = spec }, Returned)
  end

  --- A game: a table whose fields the script sets, and `measure`, which adds to its list of measures.
  function crux.game(name)
    if type(name) ~= "string" then error("crux.game: expected a name", 2) end
    local game = { name = name, measures = {} }
    function game.measure(row)
      if type(row) ~= "table" or type(row[1]) ~= "string" or type(row[2]) ~= "function" then
        error("game.measure: expected { \"name\", kind = ..., doc = ..., function(level, solution) ... end }", 2)
      end
      table.insert(game.measures, row)
    end
    return setmetatable(game, Returned)
  end

  return crux
end

--- What scripts see as `crux`.
script.fields = fields_of_crux

--- Names of crux's own scripts of a kind.
---@param kind "rule"|"game"
---@return string[]
function script.names(kind)
  local names = {}
  for _, file in ipairs(system.list(("%s/%s"):format(home, kinds[kind].folder)) or {}) do
    table.insert(names, file:match "^(.*)%.lua$")
  end
  table.sort(names)
  return names
end

--- The path of a script: itself, or, for a name without '/' and '.', that of crux's own script of that name.
local function resolve(kind, path)
  if path:find "[/.]" or system.is_regular(path) then return path end
  local own = ("%s/%s/%s.lua"):format(home, kinds[kind].folder, path)
  if system.is_regular(own) then return own end
  fault.raise(("found no %s '%s'; %s"):format(kind, path, nearest.hint(path, script.names(kind))))
end

--- Runs a script; returns the fields it set, their kind if crux.rule or crux.game made them, and the files that it is in.
---@param kind "rule"|"game"|nil   that is expected: rules do not need operators on truth values
local function run(path, kind)
  if kind ~= "rule" then vocabulary.enable() end
  local result, files = sandbox.run(path, fields_of_crux())
  table.insert(files, 1, path)
  if not rawequal(debug.getmetatable(result), Returned) then return result end
  local found = rawget(result, "kind") or "game"
  return sandbox.plain(rawget(result, "spec") or debug.setmetatable(result, nil), path), found, files
end

--- What a script returns; a fault for one that is neither.
---@param path string
---@return "rule"|"game"
function script.kind(path)
  local result, kind = run(path)
  return kind or fault.at(path, result == nil and "a script that returns nothing" or "a script that returns a " .. type(result),
    ("%s, or %s"):format(kinds.rule.expected, kinds.game.expected))
end

--- Runs a script and returns the fields it set, its path, and the files that it is in.
---@param kind "rule"|"game"
---@param path string
---@return table, string, string[]
function script.load(kind, path)
  path = resolve(kind, path)
  if path:find "%.csv$" then fault.at(path, "a CSV file", ("a %s script; it comes first, then the data"):format(kind)) end
  local spec, found, files = run(path, kind)
  if found ~= kind then
    fault.at(path, spec == nil and "a script that returns nothing" or found and "a script that returns another kind"
      or "a script that returns a " .. type(spec), kinds[kind].expected)
  end
  if spec.name == nil then spec.name = path:match "([^/]*)$":gsub("%.lua$", "") end
  return spec, path, files
end

return script
