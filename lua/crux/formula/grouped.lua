--- Grouping terms of formulas, in lme4's notation: (1 | player), (x | player), (x || player), (1 | class/pupil).
local grammar = require "crux.formula.grammar"
local lists = require "crux.base.lists"
local text_column = require "libcrux.texts"
local vector = require "libcrux.vector"

local grouped = {}

---@class Grouping          effects of the groups of a column, or of combinations of columns; terms of the same groups are one
---@field name string       "player", "class:pupil"
---@field columns string[]  that name the groups
---@field effects Effect[]
---@field formulas Formula[]   of what varies by group
---@field blocks integer

---@class Effect
---@field term string       "(intercept)", or that of a slope
---@field block integer     effects of one block are correlated
---@field formula integer   the place of its formula in `formulas`
---@field place integer     of its column there

--- The columns that name the groups of a grouping term: "a/b" has two lists, a and a with b.
---@return string[][]
local function columns_of(groups)
  local found, last = {}, { groups[1] }
  for i = 2, #groups, 2 do
    if groups[i] == "/" then table.insert(found, lists.copy(last)) end
    table.insert(last, groups[i + 1])
  end
  table.insert(found, last)
  return found
end

--- The groupings of nodes of the grammar, in order of appearance.
---@param text string    of the formula
---@param where string   "formula '...'", for messages
---@param parse fun(text: string): Formula
function grouped.of(nodes, text, where, parse)
  local groupings, known = {}, {}
  for _, node in ipairs(nodes) do
    local function refuse(...) grammar.refuse(where, text, node.from, ...) end
    local varying = parse("~ " .. text:sub(node.from, node.to - 1))
    if #varying.based > 0 or varying.has_dot or #varying.offsets > 0 then
      local kind = varying.has_dot and "'.'" or #varying.offsets > 0 and "an offset" or "a " .. varying.based[1].node.call
      refuse(kind .. " among what varies by group", "measures and functions of them")
    end
    for _, columns in ipairs(columns_of(node.groups)) do
      local name = table.concat(columns, ":")
      local grouping = known[name] or { name = name, columns = columns, effects = {}, formulas = {}, blocks = 0 }
      if not known[name] then table.insert(groupings, grouping) end
      known[name] = grouping
      table.insert(grouping.formulas, varying)
      grouping.blocks = grouping.blocks + 1
      for place, term in ipairs(varying.terms) do
        if lists.contains(lists.field(grouping.effects, "term"), term.name) then
          refuse(("'%s' by %s again"):format(term.name, name), "each effect once")
        end
        if node.bar == "||" and place > 1 then grouping.blocks = grouping.blocks + 1 end
        table.insert(grouping.effects, { term = term.name, block = grouping.blocks, formula = #grouping.formulas,
          place = place })
      end
    end
  end
  return groupings
end

--- The measures of what varies by group.
function grouped.measures(groupings)
  local names = {}
  for _, grouping in ipairs(groupings) do
    for _, varying in ipairs(grouping.formulas) do table.move(varying.variables, 1, #varying.variables, #names + 1, names) end
  end
  return names
end

--- The columns of a grouping's effects for the measures of a block, all finite.
function grouped.values(grouping, block)
  local of_formulas, columns = {}, {}
  for i, varying in ipairs(grouping.formulas) do of_formulas[i] = varying:finite_columns(block) end
  for i, effect in ipairs(grouping.effects) do columns[i] = of_formulas[effect.formula][effect.place] end
  return columns
end

---@class Groups           the groups of some rows
---@field names userdata     of each row, a column of texts
---@field values userdata[]   of each effect

function grouped.rows(grouping, block)
  local names = block.texts[grouping.columns[1]]
  for i = 2, #grouping.columns do
    local more, joined = block.texts[grouping.columns[i]], {}
    for row, name in ipairs(names) do joined[row] = name .. "\0" .. more[row] end -- no name of a CSV file has a NUL
    names = text_column.of(joined)
  end
  return { names = names, values = grouped.values(grouping, block) }
end

--- The groups of all rows of several blocks.
---@param parts Groups[]   a single one is not copied
function grouped.merged(parts)
  if not parts[2] then return parts[1] end
  local values = {}
  for i, part in ipairs(parts) do
    for k, column in ipairs(part.values) do
      values[k] = values[k] or {}
      values[k][i] = column
    end
  end
  local names = text_column.concat(lists.field(parts, "names"))
  return { names = names, values = lists.map(values, vector.concat) }
end

--- The groups of some rows.
---@param rows userdata   their numbers
function grouped.select(groups, rows)
  local function gather(column) return column:gather(rows) end
  return { names = gather(groups.names), values = lists.map(groups.values, gather) }
end

return grouped
