--- Rows of measures in short, such as { "boxes", count = "box" }, become rows of crux.game's `measure`. docs/lua-api.md
--- describes them, as the field `measures` of crux.GridDeclaration.
local checks = require "crux.kits.checks"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local nearest = require "crux.base.nearest"
local squares = require "crux.kits.squares"

local measures = {}

--- The number of squares with a thing, or with one of a list of things.
local function count_of(level, things)
  return #squares.union(lists.map(type(things) == "table" and things or { things }, function(thing)
    local of = level.drawn and level.drawn[thing] or level[thing]
    if type(of) == "userdata" or type(of) == "table" then return of end -- squares, or a list of pieces
    local known = lists.select(lists.keys(level), function(name) return type(level[name]) == "userdata" end)
    error(nearest.unknown("thing", thing, known), 0)
  end))
end

--- The number of squares of a level as it is drawn.
local function size_of(level)
  local drawn = level.drawn or level
  return drawn.width * drawn.height
end

--- By key of a row: the kind of the measure, its description, and a function that makes the measure of the key's value, or its
--- `each`.
local shorts = {
  count = { "initial", "squares with %s", function(things)
    return function(level) return count_of(level, things) end
  end },
  changes = { "solution", "moves of the solution that change %s", function(field)
    return nil, function(_, now, before) return before and now[field] ~= before[field] and 1 or 0 end
  end },
  mean = { "solution", "mean over the states of the solution", function(each)
    return function(_, solution, _, sum) return sum / (solution.length + 1) end, each
  end },
  moves = { "dynamic", "moves of a shortest solution", function()
    return function(_, solution) return solution.length end
  end },
  share = { "initial", "share of the squares with %s", function(things)
    return function(level) return count_of(level, things) / size_of(level) end
  end },
  size = { "initial", "squares of the board", function() return size_of end },
}

--- The fields of rows that have a function.
local own = { "kind", "doc", "optional", "count", "each", "search", "variant", "variants" }

local known = lists.keys(lists.merge(shorts, lists.set(own)))

--- Raises an error unless a row has a name, known fields, and a function or a field that stands for one.
local function check(row)
  if type(row) ~= "table" or type(row[1]) ~= "string" then
    error(("measures: found %s, expected a row { \"NAME\", count = \"THING\" }"):format(fault.show(row)), 0)
  end
  local stranger, has_value = lists.stranger(row, known), type(row[2] or row.each) == "function"
  if stranger then error(("measure '%s': %s"):format(row[1], nearest.unknown("field", stranger, known)), 0) end
  for name in pairs(shorts) do has_value = has_value or row[name] ~= nil end
  if not has_value then
    error(("measure '%s': found no function, expected one, or one of the fields %s"):format(row[1],
      table.concat(lists.keys(shorts), ", ")), 0)
  end
end

--- A function that gets the solution of a variant, too; one that is in short gets that alone.
local function compared(variant, value, is_short)
  return function(level, solution)
    local other = solution.variants[variant]
    if other.status ~= "solved" then return nil end
    if is_short then return value(level, other) end
    return value(level, solution, other)
  end
end

--- The row of crux.game's measures for a row in short.
function measures.row(row)
  check(row)
  local whole = { row[1], row[2], kind = row.kind, doc = row.doc, optional = row.optional, count = row.count,
    each = row.each, search = row.search }
  for key, short in pairs(shorts) do
    local value = row[key]
    if value and not row[2] and not row.each then
      local named = type(value) == "table" and table.concat(value, " or ") or value
      whole.kind, whole.doc, whole.count = short[1], row.doc or short[2]:format(named), nil
      whole[2], whole.each = short[3](value)
    end
  end
  if row.variant then
    if whole.each then error(("measure '%s': found a sum over states, expected none with a variant"):format(row[1]), 0) end
    whole.kind, whole[2] = whole.kind or "solution", compared(row.variant, whole[2], not row[2])
  end
  return whole
end

--- The things that a variant leaves out, as text; for a variant that is a function, its name.
local function left_out_of(variants, name)
  if type(variants[name]) == "function" then return name end
  return (table.concat(lists.map(variants[name], checks.plural), ", "):gsub(", ([^,]*)$", " and %1"))
end

--- The rows of crux.game's measures for a row in short: one, or one for each variant.
---@param variants table<string, function|string[]>?   of the declaration
function measures.rows(row, variants)
  if type(row) ~= "table" or not row.variants then return { measures.row(row) } end
  return lists.map(lists.keys(variants or {}), function(name)
    local doc = row.doc and row.doc:format(left_out_of(variants, name))
    return measures.row(lists.merge(row, { ("%s_%s"):format(row[1], name), doc = doc, variant = name }))
  end)
end

return measures
