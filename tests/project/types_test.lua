--- The declarations of docs/lua-api.md, which docs/types.lua writes for editors, are all that scripts see, and nothing else.
local board = require "libcrux.board"
local legend = require "libcrux.legend"
local luaunit = require "luaunit"
local random = require "libcrux.random"
local rule_script = require "crux.rule.rule_script"
local script = require "crux.script.script"
local shell = require "shell"
local validation = require "crux.game.validation"

local text = dofile("docs/types.lua").of(shell.read "docs/lua-api.md") .. "\n"

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

--- Names of the fields of a class, and of the one that it extends.
local function fields_of(class)
  local parent, block = text:match("%-%-%-@class " .. class:gsub("%.", "%%.") .. ":? ?([%w.]*)\n(.-)\n\n")
  local names = declared("%-%-%-@field %[?([%w_]+)", block .. "\n")
  for name in pairs(parent ~= "" and fields_of(parent) or {}) do names[name] = true end
  return names
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
  equal(fields_of "crux.RuleFields", as_set(rule_script.fields))
  local known = require("crux.check.game").known
  equal(fields_of "crux.Walk", as_set(known.walk))
  equal(fields_of "crux.Play", as_set(known.play))
  equal(fields_of "crux.Measure", as_set { "1", "2", table.unpack(known.measure) })
  equal(fields_of "crux.Option", as_set { "1", "2", table.unpack(known.option) })
  equal(fields_of "crux.Search", as_set { "moves", "state", "start", "step", "heuristic", "informed" })
end

--- Fields of declarations of games: those that the kits check.
function Types.test_kits()
  equal(fields_of "crux.Declaration", require("crux.kits.declaration").fields)
  equal(fields_of "crux.GridDeclaration", require("crux.kits.grid").fields)
  for class, kit in pairs { Deduce = "deduce", ExactCover = "exact_cover", Slide = "slide" } do
    equal(fields_of("crux." .. class), require("crux.kits." .. kit).fields)
  end
end

--- What editors read is Lua, and declares functions with their types.
function Types.test_the_file_for_editors()
  luaunit.assertNotNil(load(text))
  luaunit.assertEquals(text:match "^[^\n]*", "---@meta")
  luaunit.assertStrContains(text, [[
--- All cells moved by n steps, 1 unless given. Cells that leave the board are lost; with `wrap` they enter at the other side.
---@param direction "U"|"L"|"D"|"R"
---@param n integer?
---@param wrap boolean?
---@return crux.Board
function Board:shift(direction, n, wrap) end
]])
  luaunit.assertStrContains(text, [[
---@class crux.grid
---@overload fun(declaration: crux.GridDeclaration): crux.Game
crux.grid = {}
]])
end

return { Types = Types }
