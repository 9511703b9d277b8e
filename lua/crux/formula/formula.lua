--- Formulas in R's notation: from text to terms, and from terms to columns of a model matrix.
---
--- Terms are ordered and named as R's terms() and model.matrix() do; the intercept is called "(intercept)". `settled` finds in
--- the columns of a dataset what `.` stands for and which factors are text; `learned` learns the bases of poly and factor from
--- its rows. A formula without these is complete when it is parsed.
local bases = require "crux.formula.bases"
local coding = require "crux.formula.coding"
local fault = require "crux.base.fault"
local grammar = require "crux.formula.grammar"
local grouped = require "crux.formula.grouped"
local lists = require "crux.base.lists"
local node = require "crux.formula.node"
local column_kinds = require "crux.formula.column_kinds"
local sides = require "crux.formula.sides"
local sizes = require "libcrux.sizes"
local terms = require "crux.formula.terms"
local vector = require "libcrux.vector"

local formula = {}

---@class Formula
---@field text string
---@field response string?      the measure of the left side: the target; the left side itself if it is two counts
---@field counts Node[]?        these counts: the target is the share of the first in their sum
---@field trials string?        the text of their sum, which weighs the rows
---@field targets string[]      the measures of the left side
---@field left string?          the left side, as R writes it
---@field is_transformed boolean   the left side is a function of the target
---@field terms Term[]          one per column, the intercept, if any, first; empty until settled and learned
---@field intercept boolean
---@field variables string[]    the measures on the right side, in order of appearance
---@field texts string[]        those of them that are text, once settled
---@field has_dot boolean       contains a `.` that is not yet settled
---@field based Based[]         the variables that need bases
---@field bases table<string, table>?   learned bases, by the names of variables
---@field offsets Node[]
---@field groupings Grouping[]  of its grouping terms, such as (1 | player)
local Formula = {}
Formula.__index = Formula

---@class Term
---@field name string
---@field factors { variable: Node, place: integer, full: boolean? }[]   the columns that are multiplied: the place-th of each
---                                variable, of a factor coded in full or not; none for the intercept

--- The variables of the terms that need bases.
local function based_of(gathered)
  local based, seen = {}, {}
  for _, set in ipairs(gathered.sets) do
    for _, variable in ipairs(set) do
      local at = gathered.variables[variable]
      if at.basis and not seen[at] then
        seen[at] = true
        table.insert(based, { name = grammar.deparse(at), node = at })
      end
    end
  end
  return based
end

--- The measures of the terms and offsets.
local function variables_of(gathered)
  local names = {}
  for _, set in ipairs(gathered.sets) do
    for _, variable in ipairs(set) do node.measures(gathered.variables[variable], names) end
  end
  for _, offset in ipairs(gathered.offsets) do node.measures(offset, names) end
  return lists.copy(names)
end

--- A copy with other bases, and with terms if these bases suffice.
local function with_bases(original, known, texts)
  local copy = original:with { texts = texts, terms = {} }
  copy.bases = known
  local is_whole = not original.has_dot
  for _, variable in ipairs(original.based) do
    is_whole = is_whole and (known and known[variable.name] or variable.node.basis):has_names()
  end
  if is_whole then copy.terms = coding.columns(original.gathered, known or {}, original.where) end
  return copy
end

--- Parses a formula such as "difficulty ~ size + log(colours)".
---@param script string?   the path of the script that it stands in, for messages
function formula.parse(text, script)
  local where = ("%sformula %s"):format(script and script .. ": " or "", fault.show(text))
  -- Lua's stack limits the depth of nesting, and so the length of a text
  if #text > sizes.formula_bytes then fault.too_large("formula", "a text", sizes.formula_bytes, "byte") end
  local tree = grammar.parse(text, where)
  local response = tree.left and sides.measure(tree.left, where, text)
  sides.check_right(tree.right, where, text)
  local gathered, positions = terms.gather(tree.right.sum, where, text), grammar.dots(tree.right)
  local sets = gathered.sets
  if #sets == 0 and #positions == 0 then fault.at(where, "no terms", "at least one") end
  local counts, targets = sides.counts(tree.left), tree.left and node.measures(tree.left, {}) or {}
  for _, set in ipairs(sets) do
    local name = #set == 1 and gathered.variables[set[1]].name
    if name and targets[name] then fault.at(where, ("the target '%s' on the right side"):format(name), "measures") end
  end
  local self = setmetatable({ text = text, where = where, response = response, tree = tree, gathered = gathered,
    left = tree.left and grammar.deparse(tree.left), is_transformed = tree.left ~= nil and tree.left.call ~= nil and not counts,
    counts = counts, trials = counts and ("%s + %s"):format(grammar.deparse(counts[1]), grammar.deparse(counts[2])),
    targets = lists.copy(targets), groupings = grouped.of(gathered.groupings, text, where, formula.parse),
    intercept = #sets > 0 and #sets[1] == 0, variables = variables_of(gathered), texts = {}, has_dot = #positions > 0,
    dots = positions, based = based_of(gathered), offsets = gathered.offsets }, Formula)
  return with_bases(self, nil, {})
end

function Formula:with(changes) return setmetatable(lists.merge(self, changes), Formula) end

--- The same formula for another target, transformed as before.
function Formula:with_response(response)
  return formula.parse(sides.text(self.tree.left, response) .. " ~" .. self.text:sub(self.tree.right_at))
end

--- The grouping by a column, or by columns joined by ":"; nil without one.
---@return Grouping?
function Formula:grouping(name)
  for _, grouping in ipairs(self.groupings) do
    if grouping.name == name then return grouping end
  end
end

--- The right side as it was written.
function Formula:right_text() return (self.text:sub(self.tree.right_at):gsub("^%s+", "")) end

--- The measures of the right side that must be numbers: all but its texts.
function Formula:numbers()
  local is_text, numbers = lists.set(self.texts), {}
  for _, column in ipairs(self.variables) do
    if not is_text[column] then table.insert(numbers, column) end
  end
  return numbers
end

--- The formula with columns in the place of `.`.
local function without_dots(original, data, weights)
  local columns = column_kinds.measures(data, original.targets, weights)
  if #columns == 0 then fault.at(data.name, "no measure for '.'", "a column of numbers that is no target and no weights") end
  return formula.parse(grammar.without_dots(original.text, original.dots, columns))
end

--- The measures that may be text: those in factors alone.
local function maybe_texts(original)
  local others, columns = {}, {}
  for _, set in ipairs(original.gathered.sets) do
    for _, variable in ipairs(set) do
      local at = original.gathered.variables[variable]
      if not (at.basis and at.basis.column) then node.measures(at, others) end
    end
  end
  for _, offset in ipairs(original.offsets) do node.measures(offset, others) end
  for _, variable in ipairs(original.based) do
    local column = variable.node.basis.column
    if column and not others[column] then table.insert(columns, column) end
  end
  return columns
end

--- The formula with `.` replaced by the columns of a dataset, and with known factors of text. Makes a pass over the data for
--- each of the two that the formula has.
---@param weights string?   the column of case weights, which `.` leaves out
function Formula:settled(data, weights)
  if self.has_dot then return without_dots(self, data, weights):settled(data, weights) end
  local columns, texts = maybe_texts(self), {}
  if #columns == 0 then return self end
  local is_number = lists.set(data:numeric(columns))
  for _, column in ipairs(columns) do
    if not is_number[column] then table.insert(texts, column) end
  end
  return with_bases(self, nil, texts)
end

--- The formula with bases that poly and factor learn from training data.
---@param pass fun(): fun(): Block?   starts an iteration over the blocks of complete rows
function Formula:learned(pass)
  if #self.based == 0 then return self end
  local function refuse(...) self:refuse_row(...) end
  return with_bases(self, bases.learn(self.based, self.texts, pass, refuse), self.texts)
end

--- The formula with bases from a rule script.
---@param kept table    tables of fields by the names of variables
---@param where string  names the script in messages
function Formula:with_kept(kept, where) return with_bases(self, bases.read(self.based, kept, where)) end

--- Adds codes to a block for its columns of text.
function Formula:encode(block)
  for _, variable in ipairs(self.based) do
    local basis = self.bases[variable.name]
    if basis.is_text then
      block.numbers[basis.column] = basis:encode(block.texts[basis.column], block:present(basis.column))
    end
  end
end

--- Refuses a result of a row: names the level, and the values of the measures.
---@param expected string?   "a finite number" unless given
function Formula:refuse_row(name, nodes, block, row, found, expected)
  local columns, values, place = {}, {}, ("%s: term '%s'"):format(block:who(row), name)
  for _, at in ipairs(nodes) do
    local basis = at.basis and self.bases and self.bases[grammar.deparse(at)]
    if basis and basis.problem then
      local value = basis.is_text and block.texts[basis.column][row] or node.argument(at, block.numbers, block.rows)[row]
      local problem, wanted = basis:problem(value)
      if problem then fault.at(place, problem, wanted) end
    end
    node.measures(at, columns)
  end
  for i, column in ipairs(columns) do
    local is_text = lists.contains(self.texts, column)
    values[i] = ("%s = %s"):format(column, fault.show((is_text and block.texts or block.numbers)[column][row]))
  end
  local of = #values > 0 and (" (%s)"):format(table.concat(values, ", ")) or ""
  fault.at(place, fault.show(found) .. of, expected or "a finite number")
end

--- Tells whether its columns have the same span whatever rows poly learns from: every term with a poly stands beside the same
--- term without it, or the intercept.
function Formula:has_fixed_span()
  local known = {}
  local function key(set, without)
    local others = lists.select(set, function(variable) return variable ~= without end)
    table.sort(others)
    return table.concat(others, " ")
  end
  for _, set in ipairs(self.gathered.sets) do known[key(set)] = true end
  for _, set in ipairs(self.gathered.sets) do
    for _, variable in ipairs(set) do
      local basis = self.gathered.variables[variable].basis
      if basis and basis.degree and not known[key(set, variable)] then return false end
    end
  end
  return true
end

--- The name of a column's term, as in R's terms(): for a factor or poly, of several columns, that of the call; "" for the
--- intercept.
---@param column integer   its place among `terms`
function Formula:term_name(column)
  local names = lists.map(self.terms[column].factors, function(factor) return grammar.deparse(factor.variable) end)
  return table.concat(names, ":")
end

local constants = setmetatable({}, { __mode = "v" }) -- of all formulas, by their number, while somebody needs them

--- A vector of one number; the vector of the last call if it has as many rows.
function Formula.constant(_, rows, value)
  local known = constants[value]
  if not known or #known ~= rows then
    known = vector.fill(rows, value)
    if value == value then constants[value] = known end
  end
  return known
end

--- The columns of a variable: one, or those of its basis.
local function columns_of(original, variable, full, values, rows)
  if not variable.basis then return { node.evaluate(variable, values) } end
  return original.bases[grammar.deparse(variable)]:columns(node.argument(variable, values, rows), full)
end

--- The columns of the model matrix, one vector a term.
---@param values table<string, userdata>  a vector for each of the formula's variables
function Formula:columns(values, rows)
  local columns, known = {}, { [true] = {}, [false] = {} }
  for i, term in ipairs(self.terms) do
    local product
    for _, factor in ipairs(term.factors) do
      local variable, kept = factor.variable, known[factor.full or false]
      kept[variable] = kept[variable] or columns_of(self, variable, factor.full, values, rows)
      local column = kept[variable][factor.place]
      product = product and product * column or column
    end
    columns[i] = type(product) == "userdata" and product or self:constant(rows, product or 1)
  end
  return columns
end

--- The columns for a block, all finite.
function Formula:finite_columns(block)
  local columns = self:columns(block.numbers, block.rows)
  for i, column in ipairs(columns) do
    local row = column:first_nonfinite()
    if row then
      local nodes = lists.field(self.terms[i].factors, "variable")
      self:refuse_row(self.terms[i].name, nodes, block, row, column[row])
    end
  end
  return columns
end

--- The sum of the offsets for a block, all finite; nil without one.
---@return userdata?
function Formula:offset(block)
  local sum
  for _, at in ipairs(self.offsets) do
    local values = node.argument(at, block.numbers, block.rows)
    local row = values:first_nonfinite()
    if row then self:refuse_row(grammar.deparse(at), { at }, block, row, values[row]) end
    sum = sum and sum + values or values
  end
  return sum
end

--- Sets the share of the first count and the sum of both, the target and the weights, in a block.
function Formula:count(block)
  local counts = {}
  for i, at in ipairs(self.counts) do
    local values = node.evaluate(at, block.numbers)
    if type(values) ~= "userdata" then values = vector.fill(block.rows, values) end
    local row = values:first_nonfinite() or values:first_negative()
    if row then self:refuse_row(grammar.deparse(at), { at }, block, row, values[row], "a count") end
    counts[i] = values
  end
  local trials = counts[1] + counts[2]
  block.numbers[self.response], block.numbers[self.trials] = counts[1] / trials, trials
end

--- The left side for a block, all finite: the target, transformed as the formula says.
function Formula:left_side(block)
  local target = block.numbers[self.response]
  if not self.is_transformed then return target end
  local values = sides.transform(self.tree.left, target)
  local row = values:first_nonfinite()
  if row then self:refuse_row(self.left, { { name = self.response } }, block, row, values[row]) end
  return values
end

--- The logarithm of the absolute slope of the left side at each target.
---@return userdata|number
function Formula:log_slope(target) return self.is_transformed and sides.log_slope(self.tree.left, target) or 0 end

--- The linear predictor: the sum of the columns times coefficients, and the offset, on the scale of the left side.
---@param coefficients table<string, number>   by term: 0 where there is none
---@param offset userdata?
function Formula:combine(columns, coefficients, rows, offset)
  local list = lists.map(self.terms, function(term) return coefficients[term.name] or 0 end)
  return vector.combination(columns, vector.of(list), offset or rows)
end

--- Transforms the scale of the left side to that of the target.
function Formula:to_target(values) return self.is_transformed and sides.invert(self.tree.left, values) or values end

return formula
