--- Loading rule and game scripts: their places, the table `crux` that they see, and the values that they return.
local fault = require "crux.base.fault"
local home = require "libcrux.home"
local sandbox = require "crux.script.sandbox"
local file_system = require "libcrux.files"

local script = {}

--- Kinds of scripts: the folder of crux's own, if there are some, and the line that returns one.
local kinds = {
  rule = { folder = "rules", expected = "return crux.rule { ... }" },
  game = { folder = "games", expected = "return game, with game = crux.game \"NAME\"" },
  study = { expected = "return crux.study { ... }" },
  task = { expected = "return crux.task { ... }" },
}

--- The metatable of the results of crux.rule, crux.game, crux.study and crux.task, by which other results are refused.
local Returned = { __metatable = false }

--- The functions of `crux` that make what a script returns, but for games.
local function makers()
  local crux = {}
  for _, kind in ipairs { "rule", "study", "task" } do
    crux[kind] = function(spec)
      if type(spec) ~= "table" then error(("crux.%s: expected a table of fields"):format(kind), 2) end
      return setmetatable({ kind = kind, spec = spec }, Returned)
    end
  end
  return crux
end

--- The table that scripts see as `crux`.
function script.fields() return require "crux.script.words".add(makers(), Returned) end

--- The same for rules and tasks, which use few words: all are loaded, which takes milliseconds, when one is used.
local function few_fields()
  local all
  local function fields()
    all = all or script.fields()
    return all
  end
  return setmetatable(makers(), { __metatable = false, __index = function(_, name) return fields()[name] end,
    __pairs = function() return pairs(fields()) end })
end

--- Names of crux's own scripts of a kind.
---@param kind "rule"|"game"
function script.names(kind)
  local names = {}
  for _, file in ipairs(file_system.list(("%s/%s"):format(home, kinds[kind].folder)) or {}) do
    table.insert(names, file:match "^(.*)%.lua$")
  end
  table.sort(names)
  return names
end

--- The path of a script; for a name without '/' and '.' that of crux's own script of that name.
---@param kind "rule"|"game"|"study"|"task"
function script.path(kind, path)
  if not kinds[kind].folder or path:find "[/.]" or file_system.is_regular(path) then return path end
  local included = ("%s/%s/%s.lua"):format(home, kinds[kind].folder, path)
  if file_system.is_regular(included) then return included end
  if file_system.is_regular(path .. ".lua") then
    fault.raise(("found the unknown %s '%s'; did you mean '%s.lua'?"):format(kind, path, path))
  end
  fault.unknown(nil, kind, path, script.names(kind))
end

--- Runs a script; returns its fields, their kind if a function of `crux` such as crux.rule made them, and the script's files.
---@param kind "rule"|"game"|"study"|"task"|nil   the expected kind
local function run(path, kind)
  local needs_few = kind == "rule" or kind == "task"
  if not needs_few then require("crux.symbolic.vocabulary").enable() end -- the operators on truth values
  local result, files = sandbox.run(path, needs_few and few_fields() or script.fields())
  table.insert(files, 1, path)
  if not rawequal(debug.getmetatable(result), Returned) then return result end
  local found = rawget(result, "kind") or "game"
  return sandbox.plain(rawget(result, "spec") or debug.setmetatable(result, nil), path), found, files
end

--- The kind of a script; a fault if it is neither.
---@return "rule"|"game"|"study"|"task"
function script.kind(path)
  local result, kind = run(path)
  return kind or fault.at(path, result == nil and "a script that returns nothing" or "a script that returns a " .. type(result),
    ("%s, or %s"):format(kinds.rule.expected, kinds.game.expected))
end

--- Runs a script of a kind; returns its fields, its path and its files.
---@param kind "rule"|"game"|"study"|"task"
---@return table, string, string[]
function script.load(kind, path)
  path = script.path(kind, path)
  local other = path:find "%.csv$" and { "a CSV file", "data" } or path:find "%.txt$" and { "a text file", "levels" }
  if other then fault.at(path, other[1], ("a %s script; it comes first, then the %s"):format(kind, other[2])) end
  local spec, found, files = run(path, kind)
  if found ~= kind then
    fault.at(path, spec == nil and "a script that returns nothing" or found and "a script that returns a " .. found
      or "a script that returns a " .. type(spec), kinds[kind].expected)
  end
  if spec.name == nil then spec.name = path:match "([^/]*)$":gsub("%.lua$", "") end
  return spec, path, files
end

return script
