--- lua/crux/types/ declares all that scripts see, and nothing else.
local board = require "libcrux.board"
local legend = require "libcrux.legend"
local luaunit = require "luaunit"
local random = require "libcrux.random"
local rule_script = require "crux.rule.rule_script"
local script = require "crux.script.script"
local shell = require "shell"
local validation = require "crux.game.validation"

local text = shell.read "lua/crux/types/crux.lua" .. shell.read "lua/crux/types/values.lua" .. shell.read "lua/crux/types/scripts.lua"
  .. shell.read "lua/crux/types/grid.lua" .. shell.read "lua/crux/types/kits.lua" .. "\n"

local function sorted(names)
  local list = {}
  for name in pairs(names) do table.insert(list, name) end
  table.sort(list)
  return list
end

--- Names that a pattern captures in the declarations.
local function declared(pattern, from)
  local names = {}
  for name in (from or text):gmatch(pattern) do names[name] = true end
  return names
end

--- Names of the fields of a class.
local function fields_of(class)
  local block = text:match("%-%-%-@class " .. class:gsub("%.", "%%.") .. "\n(.-)\n\n")
  return declared("%-%-%-@field %[?([%w_]+)", block .. "\n")
end

local function as_set(list)
  local names = {}
  for _, name in ipairs(list) do names[name] = true end
  return names
end

local Types = {}

local function equal(found, expected, what) luaunit.assertEquals(sorted(found), sorted(expected), what) end

--- The tables of functions of crux, two levels deep, as scripts see them.
function Types.test_crux()
  local seen = {}
  for name, value in pairs(script.fields()) do
    seen[name] = true
    local is_library = type(value) == "table" and not getmetatable(value)
    for part in pairs(is_library and value or {}) do seen[name .. "." .. part] = true end
  end
  local names = declared "\nfunction crux%.([%w_.]+)%("
  for name in pairs(declared "\ncrux%.([%w_.]+) = ") do names[name] = true end
  equal(names, seen)
end

--- Methods of what scripts are given.
function Types.test_methods()
  for class, value in pairs { Board = board.new(1, 1), Random = random.new(1), Legend = legend.new { { "." } } } do
    local methods = {}
    for name in pairs(debug.getmetatable(value).__index) do methods[name] = not name:find "^__" or nil end
    equal(declared("\nfunction " .. class .. ":([%w_]+)%("), methods, class)
  end
  equal(declared "\nfunction Coin:([%w_]+)%(", as_set { "sample", "chance" })
end

--- Fields of scripts: those that are looked at when one is loaded.
function Types.test_fields()
  equal(fields_of "crux.Game", validation.fields)
  local rule_fields = {}
  for _, field in ipairs(rule_script.fields) do rule_fields[field.name] = true end
  equal(fields_of "crux.RuleFields", rule_fields)
  local known = require("crux.check.game").known
  equal(fields_of "crux.Walk", as_set(known.walk))
  equal(fields_of "crux.Play", as_set(known.play))
  equal(fields_of "crux.Measure", as_set { "1", "2", table.unpack(known.measure) })
  equal(fields_of "crux.Option", as_set { "1", "2", table.unpack(known.option) })
  equal(fields_of "crux.Search", as_set { "moves", "state", "start", "step", "heuristic", "informed" })
end

--- Each is Lua, and declares without doing anything.
function Types.test_they_are_lua()
  for name in shell.run("ls lua/crux/types").out:gmatch "[^\n]+" do
    luaunit.assertNotNil(loadfile("lua/crux/types/" .. name), name)
    luaunit.assertEquals(shell.read("lua/crux/types/" .. name):match "^[^\n]*", "---@meta")
  end
end

return { Types = Types }
