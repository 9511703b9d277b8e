--- The columns of a formula's terms: the coding of factors, names and order are those of R.
local factor = require "crux.formula.factor"
local fault = require "crux.base.fault"
local grammar = require "crux.formula.grammar"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local sizes = require "libcrux.sizes"

local coding = {}

--- Tells whether a term before a place has all variables of the set at that place but one.
local function has_margin(sets, place, variable)
  for i = 1, place - 1 do
    local held, missing = lists.set(sets[i]), false
    for _, other in ipairs(sets[place]) do missing = missing or other ~= variable and not held[other] end
    if not missing then return true end
  end
  return false
end

--- Decides which factors of which terms are coded in full, with a column for the first value: those where the term without the
--- factor is no part of an earlier term (R's TermCode; never in a term of one variable), and, without an intercept, the first
--- factor (R's modelmatrix).
---@param sets integer[][]
---@param is_factor fun(variable: integer): boolean
---@return table<integer[], table<integer, boolean>>   by set and variable
local function coding_of(sets, is_factor)
  local full, first = {}, #sets[1] > 0
  for place, set in ipairs(sets) do
    full[set] = {}
    for _, variable in ipairs(set) do
      if is_factor(variable) then
        full[set][variable] = first or #set > 1 and not has_margin(sets, place, variable)
        first = false
      end
    end
  end
  return full
end

--- Adds the columns of a term to a list: products of one column of each of its variables; those of the first vary fastest.
---@param too_many fun()   raises a fault
local function expand(variables, set, full, bases, list, too_many)
  local columns = { { names = {}, factors = {} } }
  for _, variable in ipairs(set) do
    local node, longer = variables[variable], {}
    local name = grammar.deparse(node)
    local endings = node.basis and (bases[name] or node.basis):names(full[variable]) or { "" }
    if #list + #columns * #endings > sizes.formula_columns then too_many() end
    for place, ending in ipairs(endings) do
      for _, column in ipairs(columns) do
        local factors = lists.copy(column.factors)
        local names = lists.copy(column.names)
        table.insert(factors, { variable = node, place = place, full = full[variable] })
        table.insert(names, name .. ending)
        table.insert(longer, { names = names, factors = factors })
      end
    end
    columns = longer
  end
  for _, column in ipairs(columns) do
    local name = #set == 0 and "(intercept)" or table.concat(column.names, ":")
    table.insert(list, { name = name, factors = column.factors })
  end
end

--- The columns of all terms.
---@param bases table<string, table>   by the names of the variables; a poly may be missing
---@param where string                 "formula '...'", for messages
function coding.columns(gathered, bases, where)
  local variables, list = gathered.variables, {}
  local full = coding_of(gathered.sets, function(variable) return getmetatable(variables[variable].basis) == factor end)
  local function too_many()
    fault.at(where, ("more than %s"):format(number.count(sizes.formula_columns, "column")),
      "fewer measures, or factors of fewer values")
  end
  for _, set in ipairs(gathered.sets) do expand(variables, set, full[set], bases, list, too_many) end
  return list
end

return coding
