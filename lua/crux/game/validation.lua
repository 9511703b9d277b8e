--- Checks of game scripts: the fields that they set, and the texts and solutions that their functions return.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local search = require "crux.search.search"
local sizes = require "libcrux.sizes"
local walk = require "crux.game.walk"

local validation = {}

--- The fields that a game script may set, and their types.
---@type table<string, string>
validation.fields = {
  name = "string", doc = "string", extensions = "table", starts = "string", comment = "string", parse = "function",
  format = "function", search = "table", solve = "function", list = "function", variants = "table", measures = "table",
  measure = "function",
  generate = "function", walk = "table", options = "table", options_for = "function", vary = "function", requires = "table",
  draw = "function", paint = "function", play = "table", colours = "table", rows = "string", notation = "function",
  keys = "table", pick = "function", hand = "function", between = "function", tap = "string", join = "function",
  paths = "table", images = "function", alike = "table", translations = "table", tiled = "table", tiles = "table",
  words = "boolean", verdict = "function", pens = "table",
}

local fields = validation.fields
local kinds = { initial = true, solution = true, dynamic = true }
local statuses = { solved = true, unsolvable = true, unknown = true }

--- The fields of a solution that are copied into results, and their types.
local fact_kinds = { status = "string", limit = "string", text = "string", length = "integer", solutions = "integer",
  least = "integer", expanded = "integer", generated = "integer", untraced = "string", alone = "string" }

--- Raises a fault unless a row of a list in a script is right.
local function check_row(is_right, where, expected)
  if not is_right then fault.at(where, "something else", expected) end
end

--- Checks the elements of the fields that are lists or tables.
local function check_tables(spec, path)
  for _, row in ipairs(spec.options or {}) do
    local default = type(row) == "table" and row[2]
    local range = type(default) == "table" and default or { default, default }
    check_row(type(row) == "table" and type(row[1]) == "string" and row[1]:find "^[%w_]+$" and math.type(range[1])
      and math.type(range[2]) and range[1] <= range[2] and type(row.doc or "") == "string", path .. ": field 'options'",
      "rows { \"name\", a number or { least, greatest }, doc = ... }")
  end
  for _, ending in ipairs(spec.extensions or {}) do
    check_row(type(ending) == "string", path .. ": field 'extensions'", "endings of files")
  end
  for _, name in ipairs(spec.alike or {}) do
    check_row(type(name) == "string" and name ~= "", path .. ": field 'alike'", "texts of characters")
  end
  for _, pen in ipairs(spec.pens or {}) do
    check_row(type(pen) == "table" and type(pen[1]) == "string" and type(pen[2]) == "function" and type(pen.doc) == "string",
      path .. ": field 'pens'", "rows { \"sign\", doc = ..., function(level, x, y) ... end }")
  end
  for language, texts in pairs(spec.translations or {}) do
    local where = path .. ": field 'translations'"
    check_row(type(language) == "string" and type(texts) == "table", where, "{ de = { [\"text\"] = \"Text\" } }")
    for text, translated in pairs(texts) do
      check_row((text == 1 or type(text) == "string") and type(translated) == "string", where, "texts by texts of the game")
    end
  end
  for measure, value in pairs(spec.requires or {}) do
    check_row(type(measure) == "string" and math.type(value), path .. ": field 'requires'", "numbers by measure")
  end
end

local function check_path(spec, where, name, found)
  check_row(spec.search, where .. " without search", "game.search, whose moves it takes")
  check_row(name ~= "shortest" and name ~= "mean", where, "another name, as every search has this path")
  check_row(type(found) == "table" and type(found.priority) == "function" and type(found.level or check_row) == "function",
    where, "{ priority = function(state, length, level) ... end }, and if need be a function level")
end

--- Checks the fields of a game script.
---@param path string   of the script
function validation.check(spec, path)
  for key, value in pairs(spec) do
    if not fields[key] then fault.unknown(path, "field", key, lists.keys(fields)) end
    if type(value) ~= fields[key] then
      fault.at(("%s: field '%s'"):format(path, key), "a " .. type(value), "a " .. fields[key])
    end
  end
  if not spec.parse then fault.at(path, "no parse", "a function game.parse(text, notes)") end
  if not spec.search and not spec.solve then fault.at(path, "neither search nor solve", "one of them") end
  check_tables(spec, path)
  for name, make in pairs(spec.variants or {}) do
    if type(make) ~= "function" then fault.at(("%s: variant '%s'"):format(path, name), fault.show(make), "a function") end
  end
  for name, found in pairs(spec.paths or {}) do check_path(spec, ("%s: path '%s'"):format(path, name), name, found) end
  if spec.walk then walk.check(spec.walk, spec.search, path) end
  if not spec.search then return end
  local ok, problem = pcall(search.check, spec.search)
  if not ok then fault.raise(("%s: %s"):format(path, problem.message:match "^.-: (search%..*)$" or problem.message)) end
  local moves = spec.search.moves
  if type(moves) ~= "function" then
    if spec.tap and not lists.contains(moves, spec.tap) then fault.unknown(path .. ": field 'tap'", "move", spec.tap, moves) end
    return
  end
  if spec.walk then fault.at(path .. ": search.moves", "a function", "a list, in a game with walk") end
  if not spec.pick then fault.at(path .. ": search.moves", "a function", "a list, or pick, by which players choose moves") end
end

--- The measure of a row of game.measures.
---@param path string   of the script
function validation.measure(row, path)
  check_row(type(row) == "table" and type(row[1]) == "string" and type(row[2] or row.each) == "function",
    path .. ": field 'measures'", "what game.measure adds")
  if #row[1] > sizes.name_bytes then fault.too_large(path .. ": field 'measures'", "a name", sizes.name_bytes, "byte") end
  local where = ("%s: measure '%s'"):format(path, row[1])
  if not kinds[row.kind] then
    fault.at(where, ("kind = %s"):format(fault.show(row.kind)), "kind = 'initial', 'solution' or 'dynamic'")
  end
  if type(row.doc) ~= "string" then fault.at(where, "no doc", "a line that says what it measures") end
  if row.search ~= nil then
    check_row(type(row.search) == "table", where .. ": search", "a table like game.search")
    search.check(row.search)
  end
  return { name = row[1], kind = row.kind, doc = row.doc, optional = row.optional, count = row.count, search = row.search,
    is_added = row.is_added, each = row.each, of = row[2] or function(_, _, _, sum) return sum end }
end

--- Calls a function of a game that returns text.
---@param name string   of the function
---@param ... any       its arguments
function validation.text(game, name, ...)
  local text, where = fault.guard(game.path, game[name], ...), ("%s: %s"):format(game.path, name)
  if type(text) ~= "string" then fault.at(where, fault.show(text), "text") end
  if #text > sizes.level_bytes then fault.too_large(where, "a text", sizes.level_bytes, "byte") end
  return text
end

--- A copy of the fields of a solution that are plain values; the script that made the solution cannot change it.
---@param where string       names the script in messages
function validation.facts(where, solution)
  if type(solution) ~= "table" or not statuses[rawget(solution, "status")] then
    fault.at(where .. ": solve", "no solution", "a table with status = 'solved', 'unsolvable' or 'unknown'")
  end
  local facts = {}
  for name, kind in pairs(fact_kinds) do
    local value = rawget(solution, name)
    local field = ("%s: solve: field '%s'"):format(where, name)
    if value ~= nil and (math.type(value) or type(value)) ~= kind then
      fault.at(field, fault.show(value), kind == "integer" and "an integer" or "text")
    end
    if type(value) == "string" and #value > sizes.level_bytes then
      fault.too_large(field, "a text", sizes.level_bytes, "byte")
    end
    facts[name] = value
  end
  return facts
end

return validation
