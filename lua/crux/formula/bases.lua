--- The bases of a formula's variables: what poly and factor have learned of training data, or a rule script has kept.
---
--- A basis is a table of poly.lua or factor.lua, which have the same functions: `new` of a call's arguments, `names` and
--- `columns`, `learner` (an object that takes in a pass of values, and is asked after each pass whether it is done), `fields`
--- for a rule script and `read` from one.
local fault = require "crux.base.fault"
local nearest = require "crux.base.nearest"
local node = require "crux.formula.node"

local bases = {}

---@class Based           a variable that needs a basis
---@field name string
---@field node Node

--- Learns the bases of variables in as many passes over the data as they need.
---@param based Based[]
---@param texts string[]              measures that are text
---@param pass fun(): fun(): Block?   starts an iteration over the blocks of complete rows
---@param refuse fun(name: string, nodes: Node[], block: Block, row: integer, found: number)   raises a fault
---@return table<string, table>       by name
function bases.learn(based, texts, pass, refuse)
  local is_text, open, learned, data = {}, {}, {}, nil
  for _, column in ipairs(texts) do is_text[column] = true end
  for i, variable in ipairs(based) do
    local basis = variable.node.basis
    local column = is_text[basis.column] and basis.column
    open[i] = { variable = variable, column = column, learner = basis:learner(column ~= nil) }
  end
  local function take(item, block)
    if item.column then return item.learner.take(block.texts[item.column]) end
    local values = node.argument(item.variable.node, block.numbers, block.rows)
    local row = values:first_nonfinite()
    if row then refuse(item.variable.name, { item.variable.node }, block, row, values[row]) end
    item.learner.take(values)
  end
  while #open > 0 do
    for block in pass() do
      data = block.name
      for _, item in ipairs(open) do take(item, block) end
    end
    local still = {}
    for _, item in ipairs(open) do
      local basis, more, found, expected = item.learner.finish()
      if not basis and not more then fault.at(("%s: term '%s'"):format(data, item.variable.name), found, expected) end
      learned[item.variable.name] = basis
      if more then table.insert(still, item) end
    end
    open = still
  end
  return learned
end

--- Reads bases from what a rule script has kept.
---@param based Based[]
---@param kept table       tables of fields by name
---@param where string     names the script in messages
---@return table<string, table> bases   by name
---@return string[] texts               measures that are text
function bases.read(based, kept, where)
  local read, texts, names = {}, {}, {}
  for i, variable in ipairs(based) do
    local fields, place = kept[variable.name], ("%s: bases: '%s'"):format(where, variable.name)
    if type(fields) ~= "table" then fault.at(place, fault.show(fields), "what crux fit -o writes") end
    local basis, expected = variable.node.basis:read(fields)
    if not basis then fault.at(place, "something else", expected) end
    read[variable.name], names[i] = basis, variable.name
    if basis.is_text then table.insert(texts, basis.column) end
  end
  for name in pairs(kept) do
    if not read[name] then
      fault.raise(("%s: bases: found '%s', which is no poly or factor of the formula; %s"):format(where, tostring(name),
        nearest.hint(tostring(name), names)))
    end
  end
  return read, texts
end

return bases
