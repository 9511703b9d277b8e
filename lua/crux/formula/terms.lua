--- From the tree of a formula to its terms in R's order.
---
--- A term is a set of variables (in R's sense: expressions that have columns), a sorted list of their numbers in order of
--- appearance; the intercept is the empty set.
local fault = require "crux.base.fault"
local functions = require "crux.formula.functions"
local grammar = require "crux.formula.grammar"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local sizes = require "libcrux.sizes"

local terms = {}

---@class Gathered
---@field variables Node[]
---@field sets integer[][]      by size, then in order of appearance
---@field offsets Node[]
---@field groupings Node[]

local Gathering = {}
Gathering.__index = Gathering

local function key(set) return table.concat(set, ":") end

--- The set of one variable.
function Gathering:variable(node)
  local text = grammar.deparse(node)
  if not self.number[text] then
    table.insert(self.variables, node)
    self.number[text] = #self.variables
  end
  return { self.number[text] }
end

--- Raised where a formula has more terms or variables than libcrux.sizes allows.
local Excess = {}

local function too_many(limit, noun, where)
  error(setmetatable({ found = ("more than %s%s"):format(number.count(limit, noun), where or "") }, Excess))
end

local function union(a, b)
  local set, i, j = {}, 1, 1
  while a[i] or b[j] do
    local least = math.min(a[i] or b[j], b[j] or a[i])
    table.insert(set, least)
    if a[i] == least then i = i + 1 end
    if b[j] == least then j = j + 1 end
  end
  if #set > sizes.formula_variables then too_many(sizes.formula_variables, "variable", " in a term") end
  return set
end

local function add(sets, set)
  if not sets[key(set)] then
    if #sets == sizes.formula_terms then too_many(sizes.formula_terms, "term") end
    sets[key(set)] = set
    table.insert(sets, set)
  end
end

local function remove(sets, set)
  local held = sets[key(set)]
  if not held then return end
  sets[key(set)] = nil
  for i = #sets, 1, -1 do
    if sets[i] == held then return table.remove(sets, i) end
  end
end

--- The sets of several lists, each once.
local function collect(...)
  local sets = {}
  for _, list in ipairs { ... } do
    for _, set in ipairs(list) do add(sets, set) end
  end
  return sets
end

local function interaction(left, right)
  local sets = {}
  if #left * #right > sizes.formula_pairs then too_many(sizes.formula_terms, "term") end
  for _, a in ipairs(left) do
    for _, b in ipairs(right) do add(sets, union(a, b)) end
  end
  return sets
end

--- The set of all variables of some sets.
local function all(sets)
  local whole = {}
  for _, set in ipairs(sets) do whole = union(whole, set) end
  return { whole }
end

--- The operators on the sets of both sides.
local operators = {
  [":"] = interaction,
  ["*"] = function(left, right) return collect(left, right, interaction(left, right)) end,
  ["%in%"] = function(left, right) return interaction(left, all(right)) end,
  ["/"] = function(left, right) return collect(left, interaction(all(left), right)) end,
}

local function power(sets, degree)
  local result, before, at = sets, 0, 1
  while at < degree and #result > before do
    result, before, at = interaction(result, sets), #result, at + 1
  end
  return result
end

local function is_offset(node) return node.call and functions[node.call].offset end

--- The sets of a node.
function Gathering:sets_of(node)
  if node.number == 0 then self:refuse "'0' inside a term" end
  if node.number == 1 then return collect({ {} }) end
  if node.sum then
    for i = 2, #node.sum, 2 do
      if node.sum[i].number then self:refuse(("'%d' inside parentheses"):format(node.sum[i].number)) end
    end
    return self:sum(node.sum)
  end
  if node.dot then return {} end -- it has no columns before it is settled
  if is_offset(node) then
    grammar.refuse(self.where, self.text, node.at, ("'%s' inside a term"):format(grammar.deparse(node)), "it as a summand")
  end
  if not node.operator then return collect { self:variable(node) } end
  local left = self:sets_of(node.left)
  return node.degree and power(left, node.degree) or operators[node.operator](left, self:sets_of(node.right))
end

--- Adds and removes from left to right; `+ 0` removes the intercept and `- 0` adds it.
function Gathering:sum(parts, sets)
  sets = sets or {}
  for i = 1, #parts, 2 do
    local change, node = parts[i] == "+" and add or remove, parts[i + 1]
    if node.number == 0 then
      (parts[i] == "+" and remove or add)(sets, {})
    elseif is_offset(node) and parts[i] == "+" then
      table.insert(self.offsets, node)
    elseif node.groups then
      if parts[i] == "-" then
        grammar.refuse(self.where, self.text, node.from, "a grouping term taken away", "a formula without it")
      end
      table.insert(self.groupings, node)
    else
      for _, set in ipairs(self:sets_of(node)) do change(sets, set) end
    end
  end
  return sets
end

function Gathering:refuse(found) fault.at(self.where, found, "measures and functions of them") end

--- The terms of a right side.
---@param where string   "formula '...'", for messages
---@return Gathered
function terms.gather(sum, where, text)
  local gathering = setmetatable({ where = where, text = text, variables = {}, number = {}, offsets = {}, groupings = {} },
    Gathering)
  local gathered, sets = pcall(gathering.sum, gathering, sum, collect({ {} }))
  if not gathered then
    if getmetatable(sets) ~= Excess then error(sets, 0) end
    fault.at(where, sets.found, "fewer")
  end
  lists.sort(sets, function(set) return #set end)
  return { variables = gathering.variables, sets = sets, offsets = gathering.offsets, groupings = gathering.groupings }
end

return terms
