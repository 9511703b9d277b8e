--- The model frame and matrix of a formula on a dataset, in blocks or stored in memory.
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local grouped = require "crux.formula.grouped"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local ranges = require "crux.data.ranges"
local text_column = require "libcrux.texts"
local vector = require "libcrux.vector"

local design = {}

---@class Frame
---@field rows integer
---@field first integer          number of rows before these
---@field columns userdata[]     of the model matrix, one a term; none without a formula
---@field target userdata        the predicted column of the dataset
---@field response userdata      explained by the columns: the target, or the formula's left side minus the offset
---@field offset userdata?       term without a coefficient, on the scale of the left side
---@field weights userdata?      case weights, all above 0
---@field ratings userdata?      by the rule `as_is`
---@field levels userdata?      a column of texts
---@field groups userdata?       such a column, of the rows that stay in one fold
---@field groupings Groups[]?    of the formula's grouping terms
---@field censored userdata?     the column that tells where the target is a lower bound
---@field block Block?           the measures, from which poly and factor learn; nil without these

---@class Design
---@field data Dataset
---@field response string        the column of the target
---@field weights string?        the column of case weights, or the text of the sum of two counts
---@field counted Formula?       the formula whose left side is two counts
---@field formula Formula?       settled and learned: the one to fit
---@field as_is Rule?            rates the rows without refitting
---@field group string?          the column of groups
---@field censored string?       the column that tells which targets are lower bounds
---@field drops_unrated boolean? leaves out the rows that `as_is` cannot rate
---@field numbers string[]       all columns that must be complete numbers
---@field measures string[]      those of them that a user's formula names
---@field texts string[]         columns that must be complete text
---@field ranges table<string, { [1]: number, [2]: number }>   of the formula's measures in the last pass
---@field targets table<string, { [1]: number, [2]: number }>   range of the target in the last pass
---@field omitted integer        rows left out in the last pass because a value was missing
---@field weightless integer     rows left out in the last pass because their weight was 0
local Design = {}
Design.__index = Design

---@alias Pass fun(design: Design, f: function, ...): ...   calls f(...), which makes a pass over the design

--- The Pass that only calls f; the one of the command line reports the rows that were left out.
---@type Pass
function design.pass(_, f, ...) return f(...) end

local function append(list, more) table.move(more or {}, 1, #(more or {}), #list + 1, list) end

---@param options { response: string, weights: string?, formula: Formula?, as_is: Rule?, who: string, also: string[]?,
--- also_texts: string[]?, group: string?, censored: string?, is_made: boolean?, is_learned: boolean? }   `who` names, in
--- messages, what needs the columns; rows with a missing value in columns of `also`, numbers, or `also_texts` are left out;
--- `is_made`: no user wrote the formula; `is_learned`: the formula keeps the bases that it has
---@return Design
function design.new(data, options)
  if not options.response then
    fault.at(options.who, "no target", "a left side of the formula, a field 'predicts' or --target COLUMN")
  end
  local self = setmetatable({ data = data, response = options.response, weights = options.weights, as_is = options.as_is,
    group = options.group, censored = options.censored, omitted = 0, weightless = 0, ranges = {}, targets = {} }, Design)
  if not self.as_is and options.formula and options.formula.rule then -- rates to find the rows that it can rate
    self.as_is, self.drops_unrated = options.formula.rule, true
  end
  local given = options.formula or self.as_is and self.as_is.formula
  local targets, weights = { self.response }, self.weights
  if given and given.counts then
    if weights and weights ~= given.trials then
      fault.at(options.who, ("the weights '%s'"):format(weights), ("none: %s weighs the rows"):format(given.trials))
    end
    self.counted, self.weights, targets, weights = given, given.trials, given.targets, nil
  end
  data:expect(targets, options.who .. " needs the target")
  if weights then data:expect({ weights }, options.who .. " needs the weights") end
  if self.censored then data:expect({ self.censored }, options.who .. " needs the marks of censored rows") end
  local formula = options.formula
  if formula and not options.is_learned then formula = formula:settled(data, self.weights) end
  self.groupings = formula and formula.groupings or {}
  local varying = grouped.measures(self.groupings)
  data:expect(formula and formula.variables or {}, options.who .. " needs the measure")
  data:expect(varying, options.who .. " needs the measure")
  self.numbers, self.texts, self.measures = lists.copy(targets), {}, {}
  append(self.numbers, { weights })
  append(self.numbers, { self.censored })
  append(self.measures, formula and formula:numbers())
  append(self.measures, varying)
  append(self.measures, self.as_is and self.as_is:measures(data))
  append(self.measures, options.also)
  append(self.numbers, self.measures)
  if options.is_made then self.measures = {} end
  append(self.texts, formula and formula.texts)
  append(self.texts, options.also_texts)
  if self.group then data:expect({ self.group }, options.who .. " needs the groups") end
  append(self.texts, { self.group })
  for _, grouping in ipairs(self.groupings) do
    data:expect(grouping.columns, options.who .. " needs the groups")
    append(self.texts, grouping.columns)
  end
  -- from complete rows; R also takes rows without another measure, which gives other polynomials of the same span
  self.formula = options.is_learned and formula or formula and formula:learned(function() return self:complete_blocks {} end)
  return self
end

--- Leaves out the rows with a missing value (as R's na.omit) and those of weight 0.
function Design:complete(block)
  local used = {}
  for _, column in ipairs(self.numbers) do table.insert(used, block.numbers[column]) end
  for _, column in ipairs(self.texts) do table.insert(used, block:present(column)) end
  local rows = vector.complete(used)
  if rows then
    self.omitted = self.omitted + block.rows - #rows
    block = block:select(rows)
  end
  if self.counted then self.counted:count(block) end
  local weights = self.weights and block.numbers[self.weights]
  if not weights then return block end
  block:check_not_negative(self.weights, "a weight")
  local positive = weights:positive()
  if not positive then return block end
  self.weightless = self.weightless + block.rows - #positive
  return block:select(positive)
end

--- Iterates over blocks of complete rows, a pass over the dataset.
---@param wanted { texts: string[]?, levels: boolean? }   beside the columns that must be complete
---@return fun(): Block?
function Design:complete_blocks(wanted)
  self.omitted, self.weightless = 0, 0
  local texts = {}
  append(texts, self.texts)
  append(texts, wanted.texts)
  local next_block = self.data:blocks { numbers = self.numbers, measures = self.measures, texts = texts,
    levels = wanted.levels }
  local rows = 0
  return function()
    local block = next_block()
    if not block then
      if rows == 0 and self.weightless > 0 then
        fault.at(("%s: column '%s'"):format(self.data.name, self.weights), "no weight above 0", "at least one")
      elseif rows == 0 then
        fault.at(self.data.name, "no complete row", "at least one without a missing value")
      end
      return nil
    end
    block = self:complete(block)
    rows = rows + block.rows
    return block
  end
end

--- The place of one of the complete rows, for messages. Makes a pass.
function Design:place(row) return dataset.place_in(self:complete_blocks {}, row) end

--- Iterates over frames, a pass over the dataset.
---@param with_levels boolean?
---@return fun(): Frame?
function Design:blocks(with_levels)
  local as_is, formula = self.as_is, self.formula
  local texts = as_is and as_is:texts(self.data)
  local next_block = self:complete_blocks { texts = texts,
    levels = with_levels or as_is and as_is.rating ~= nil } -- faults of a Lua function name the level
  local first = 0
  self.ranges, self.targets = {}, {}
  return function()
    local block = next_block()
    if not block then return nil end
    local ratings = as_is and as_is:rate(block)
    local rated = self.drops_unrated and vector.complete { ratings }
    if rated then
      self.omitted = self.omitted + block.rows - #rated
      block, ratings = block:select(rated), ratings:gather(rated)
    end
    if formula then ranges.widen(self.ranges, block, formula:numbers()) end
    ranges.widen(self.targets, block, { self.response })
    local frame = { rows = block.rows, first = first, columns = {}, target = block.numbers[self.response],
      weights = self.weights and block.numbers[self.weights], ratings = ratings,
      levels = with_levels and block.levels or nil, groups = self.group and block.texts[self.group] }
    frame.response = frame.target
    frame.censored = self.censored and block.numbers[self.censored]
    frame.groupings = lists.map(self.groupings, function(grouping) return grouped.rows(grouping, block) end)
    if formula then
      frame.block = #formula.based > 0 and block or nil
      formula:encode(block)
      frame.columns, frame.offset = formula:finite_columns(block), formula:offset(block)
      frame.response = formula:left_side(block)
      if frame.offset then frame.response = frame.response - frame.offset end
    end
    first = first + block.rows
    return frame
  end
end

--- Frames in memory. The fields of all rows are those of one Frame, and are computed when they are first used.
---@class StoredFrame: Frame
---@field frames Frame[]
---@field formula Formula?     of its columns
---@field design Design?       of which these are all rows
local StoredFrame = {}

--- The place of a row; nil of chosen rows.
function StoredFrame:place(row) return self.design and self.design:place(row) end

--- The elements of parts, vectors or columns of texts. A single part is not copied.
local function whole(type_of_parts, parts) return parts[2] and type_of_parts.concat(parts) or parts[1] end

function StoredFrame:__index(field)
  if StoredFrame[field] then return StoredFrame[field] end
  local parts = lists.map(self.frames, function(frame) return frame[field] end)
  if field == "target" and parts[1] and parts[1] == self.frames[1].response then
    self.target = self.response -- the same vectors
  elseif field == "columns" then
    self.columns = {}
    for i in ipairs(parts[1]) do
      self.columns[i] = whole(vector, lists.map(parts, function(columns) return columns[i] end))
    end
  elseif field == "groupings" then
    self.groupings = {}
    for i in ipairs(parts[1] or {}) do self.groupings[i] = grouped.merged(lists.field(parts, i)) end
  elseif field == "block" and parts[1] then
    self.block = dataset.merged(parts)
  elseif (field == "levels" or field == "groups") and parts[1] then
    self[field] = whole(text_column, parts)
  elseif parts[1] then
    self[field] = whole(vector, parts)
  end
  return rawget(self, field)
end

--- Keeps all frames in memory. Collects garbage at times: where rows are left out there is as much garbage as frames, and at
--- Lua's pace memory would double.
---@param with_levels boolean?
function Design:keep(with_levels)
  local kept, collect_at = setmetatable({ rows = 0, frames = {}, formula = self.formula or false, design = self },
    StoredFrame), 16
  for frame in self:blocks(with_levels) do
    if frame.rows > 0 then table.insert(kept.frames, frame) end
    kept.rows = kept.rows + frame.rows
    if #kept.frames >= collect_at then
      collectgarbage()
      collect_at = #kept.frames + math.max(16, #kept.frames // 16)
    end
  end
  return kept
end

--- Keeps the vectors of all rows alone, no longer beside those of each block.
function StoredFrame:join()
  local one = { rows = self.rows, first = 0 }
  for _, field in ipairs { "columns", "response", "target", "weights", "ratings", "offset", "censored", "levels", "groups",
    "groupings", "block" } do
    one[field] = self[field]
  end
  self.frames = { one }
end

--- The rows of some numbers.
---@return StoredFrame
function StoredFrame:select(rows)
  local chosen = { rows = #rows, first = 0, columns = {} }
  for i, column in ipairs(self.columns) do chosen.columns[i] = column:gather(rows) end
  for _, field in ipairs { "response", "weights", "ratings", "offset", "censored" } do
    chosen[field] = self[field] and self[field]:gather(rows)
  end
  chosen.target = self.target == self.response and chosen.response or self.target:gather(rows)
  for _, field in ipairs { "levels", "groups" } do
    chosen[field] = self[field] and self[field]:gather(rows)
  end
  chosen.groupings = lists.map(self.groupings, function(groups) return grouped.select(groups, rows) end)
  chosen.block = self.block and self.block:select(rows)
  return setmetatable({ rows = #rows, frames = { chosen }, formula = self.formula }, StoredFrame)
end

--- The same rows with the columns of a formula that has learned from other rows: NaN for values of factors that these lack.
---@param formula Formula   of the same measures
function StoredFrame:coded(formula)
  formula:encode(self.block)
  local coded = self:merged(formula:columns(self.block.numbers, self.rows))
  coded.formula, coded.frames[1].offset = formula, self.offset
  return coded
end

--- The same rows with the columns of a formula that learns from them alone.
---@param where string   names these rows in messages
function StoredFrame:learned(formula, where)
  self.block.name = where
  return self:coded(formula:learned(function()
    local block = self.block
    return function()
      local given = block
      block = nil
      return given
    end
  end))
end

--- The same rows with other columns, and optionally another response, which a function computes for each frame.
---@param columns_of fun(frame: Frame): userdata[], userdata?
function StoredFrame:with(columns_of)
  local frames = {}
  for i, frame in ipairs(self.frames) do
    local columns, response = columns_of(frame)
    frames[i] = { rows = frame.rows, first = frame.first, columns = columns, response = response or frame.response,
      target = frame.target, weights = frame.weights, groupings = frame.groupings, censored = frame.censored }
  end
  return setmetatable({ rows = self.rows, frames = frames, formula = false }, StoredFrame)
end

--- The same rows in one frame, with other columns, vectors of all rows.
function StoredFrame:merged(columns)
  local frame = { rows = self.rows, first = 0, columns = columns, response = self.response, target = self.target,
    weights = self.weights, groupings = self.groupings, censored = self.censored }
  return setmetatable({ rows = self.rows, frames = { frame }, formula = false }, StoredFrame)
end

--- The same rows with some of its columns, given by their numbers.
function StoredFrame:pick(columns)
  return self:with(function(frame)
    return lists.pick(frame.columns, columns)
  end)
end

--- The weighted mean of the targets.
function StoredFrame:mean()
  if not self.weights then return self.target:sum() / self.rows end
  return (self.target * self.weights):sum() / self.weights:sum()
end

--- Refuses targets that are all the same: every fit would predict them.
local function expect_variety(low, high, rows, column, where)
  if low == high then
    fault.at(("%s: column '%s'"):format(where, column),
      ("%s in all %s"):format(fault.show(low), number.count(rows, "row")), "values that differ")
  end
end

--- Refuses targets that are all the same.
---@param column string   the target
---@param where string    names the data in messages
function StoredFrame:expect_variety(column, where)
  local low, high = self.target:range()
  expect_variety(low, high, self.rows, column, where)
end

--- Refuses targets that were all the same in the last pass.
---@param rows integer   of that pass
function Design:expect_variety(rows)
  local low, high = table.unpack(self.targets[self.response] or {})
  if rows > 1 and low then expect_variety(low, high, rows, self.response, self.data.name) end
end

--- Iterates over its frames.
---@return fun(): Frame?
function StoredFrame:blocks()
  local i = 0
  return function()
    i = i + 1
    return self.frames[i]
  end
end

return design
