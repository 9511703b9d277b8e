--- Rules that puzzles of deduction declare: what each finds among candidates, and which cells of an answer break it.
---
--- A row is { name, ... } with one of:
--- - `of`, a function of the level that returns sequences (lua/crux/kits/sequences.lua), which may name the cells of their
---   `numbers`, for pictures, or cells alone; what a sequence lacks is the row's;
--- - `beside`: the cells beside each number are such a sequence, with as many of the row's `count` as it says;
--- - `windows`, widths and heights of rectangles, each of which is such a sequence anywhere, with the row's `count`;
--- - `joints`, how many edges at a vertex may have the row's `count`;
--- - `unit`, a group of units, in which no value may be twice;
--- - `some`, a value that at least one cell has;
--- - `connected`, a value whose cells are one part; `loop`, a value of edges that make one loop;
--- - `blocks`, a function of a block (lua/crux/kits/blocks.lua) and the level that tells whether it breaks the rule;
--- - `parts`, a value, and `breaks`, such a function of a connected part of its cells;
--- - `breaks` alone, a function of the known cells and the level, which returns the cells that break the rule.
--- With a `grade` it is a technique, too. So are rows of techniques { name, rule = NAME, grade = ... }, with `open`, the most
--- open cells of the sequences that they look at; and { name, trial = ROUNDS, grade = ... }, which assumes a value.
local blocks = require "crux.kits.blocks"
local deduction = require "crux.kits.deduction"
local lists = require "crux.base.lists"
local sequences = require "crux.kits.sequences"

local rules = {}

---@class Rules
---@field private rows table[]
---@field private values string[]
---@field private rest string?   the value of cells that an answer leaves open
---@field private settles boolean    if a rule of sequences has a grade
---@field direct Technique[]      those that assume no value
local Rules = {}
Rules.__index = Rules

function rules.new(rows, values, rest) return setmetatable({ rows = rows, values = values, rest = rest }, Rules) end

--- The candidates of all cells as bits: bit k of a cell's number is set if it may have value k.
---@param absent integer   the number of cells without any
---@return integer[]   by cell in reading order
local function masks_of(boards, values, absent)
  local masks = {}
  for k, value in ipairs(values) do
    for _, _, cell in boards[value]:cells() do masks[cell] = (masks[cell] or 0) | 1 << k end
  end
  local width, height = boards[values[1] ]:size()
  for cell = 1, width * height do masks[cell] = masks[cell] or absent end
  return masks
end

local cached = setmetatable({}, { __mode = "k" }) -- of candidates

local function candidates_of(now, values)
  cached[now] = cached[now] or masks_of(now, values, 0)
  return cached[now]
end

--- A deduction: cells lose candidates.
---@param cells integer[]    in reading order
---@param gone integer[]     by cell its candidates that go, as bits
local function removed(now, cells, gone, values)
  local taken, width = {}, (now.open:size())
  for k, value in ipairs(values) do
    local board
    for _, cell in ipairs(cells) do
      if gone[cell] >> k & 1 == 1 then
        board = (board or now.open - now.open):with((cell - 1) % width + 1, (cell - 1) // width + 1)
      end
    end
    taken[value] = board
  end
  return taken
end

--- Tells whether a sequence has at most a number of open cells.
local function is_within(sequence, now, most)
  for _, cell in ipairs(most and sequence.cells or {}) do most = most - (now.open:has(cell[1], cell[2]) and 1 or 0) end
  return not most or most >= 0
end

---@param most integer?   open cells of a sequence
local function find_in_sequences(_, row, now, level, most)
  local masks, found = candidates_of(now, level.values), {}
  for _, sequence in ipairs(sequences.of(row, level)) do
    local kept, gone = is_within(sequence, now, most) and sequences.kept(sequence, level.values, masks), {}
    for i, mask in ipairs(kept or gone) do gone[sequence.places[i] ] = masks[sequence.places[i] ] & ~mask end
    if kept then table.insert(found, removed(now, sequence.places, gone, level.values)) end
  end
  return found
end

--- The sequences of all rules with a grade of at most `most`, as a list, and by cell those that have it.
function Rules:network(level, most)
  level.networks = level.networks or {}
  local network = level.networks[most]
  if not network then
    network = { all = {} }
    for _, row in ipairs(self.rows) do
      local is_used = (row.grade or math.huge) <= most and sequences.maker(row)
      for _, sequence in ipairs(is_used and sequences.of(row, level) or {}) do
        table.insert(network.all, sequence)
        for _, cell in ipairs(sequence.places) do
          network[cell] = network[cell] or {}
          table.insert(network[cell], sequence)
        end
      end
    end
    level.networks[most] = network
  end
  return network
end

--- Takes away the candidates that sequences leave no word for, in rounds: first of those in `queue`, then of those with cells
--- that have changed.
---@param masks integer[]   changes
---@return integer[] changed        cells in the order of their changes
---@return table<integer, integer> before   by cell its candidates before the first
---@return integer? failed          the round that came to a contradiction
function Rules:propagate(network, masks, queue, rounds)
  local changed, before = {}, {}
  for round = 1, rounds do
    local following, is_queued = {}, {}
    for _, sequence in ipairs(queue) do
      local kept = sequences.kept(sequence, self.values, masks)
      for i, mask in ipairs(kept or {}) do
        local cell = sequence.places[i]
        if mask == 0 then return changed, before, round end
        if mask ~= masks[cell] then
          if not before[cell] then
            table.insert(changed, cell)
            before[cell] = masks[cell]
          end
          masks[cell] = mask
          for _, other in ipairs(network[cell]) do
            if other ~= sequence and not is_queued[other] then
              is_queued[other] = true
              table.insert(following, other)
            end
          end
        end
      end
    end
    if not following[1] then break end
    queue = following
  end
  return changed, before
end

--- The candidates after all that follows from sequences of rules with a grade of at most `most`.
---@return table now
---@return boolean? failed   at a contradiction
function Rules:settle(now, level, most)
  if not self.settles then return now end
  local network, masks = self:network(level, most), masks_of(now, level.values, 0)
  local changed, before, failed = self:propagate(network, masks, network.all, math.huge)
  if failed then return now, true end
  if not changed[1] then return now end
  for cell, mask in pairs(before) do before[cell] = mask & ~masks[cell] end
  return deduction.after(now, removed(now, changed, before, level.values), level.values, level)
end

--- Values that cells cannot have: each leads, in a number of rounds, to a contradiction between sequences, or, with
--- `further`, at last to one that all techniques without assumptions find. One of those with the fewest rounds, or all of them.
function Rules:find_contradictions(row, now, level, wants_all)
  local network, masks, list, least = self:network(level, row.grade), masks_of(now, level.values, 0), {}, row.trial
  for x, y, cell in now.open:cells() do
    local mask = masks[cell]
    for k, value in ipairs(level.values) do
      if mask >> k & 1 == 1 then
        masks[cell] = 1 << k
        local changed, before, failed = self:propagate(network, masks, network[cell] or {}, wants_all and row.trial or least)
        for _, other in ipairs(changed) do masks[other] = before[other] end
        masks[cell] = mask
        local taken = { [value] = (now.open - now.open):with(x, y) }
        if not failed and row.further then
          local assumed = deduction.given(now, taken, level.values, level)
          local after, is_wrong = deduction.settle(assumed, level, self.direct, level.values, row.grade, self)
          failed = (is_wrong or deduction.is_contradiction(after, level.values)) and row.trial
        end
        if failed then table.insert(list, { taken = taken, rounds = failed }) end
        if failed then least = math.min(least, math.max(1, failed - 1)) end
        if failed == 1 and not wants_all then return { taken } end
      end
    end
  end
  lists.sort(list, function(one) return one.rounds end)
  return lists.map(wants_all and list or { list[1] }, function(one) return one.taken end)
end

--- Cells that the known ones cannot reach, and those without which they are in parts.
function Rules:find_connected(row, now, level)
  local value, found = row.connected, {}
  local known, nothing = now[value] - now.open, level.nothing
  local x, y = known:first()
  if not x then return found end
  local part = nothing:with(x, y):flood(now[value])
  if (known - part):any() then return { { [value] = known } } end -- no way between known cells: a contradiction
  if (now[value] - part):any() then table.insert(found, { [value] = now[value] - part }) end
  for cell_x, cell_y in (part & now.open):cells() do
    local cell = nothing:with(cell_x, cell_y)
    if (known - nothing:with(x, y):flood(part - cell)):any() then
      local taken = {} -- the other values lose the cell
      for _, other in ipairs(self.values) do taken[other] = other ~= value and now[other]:any() and cell or nil end
      table.insert(found, taken)
    end
  end
  return found
end

--- Edges that would close a loop which is no solution.
function Rules:find_loop(row, now, level)
  local value, found = row.loop, {}
  local known, nothing = now[value] - now.open, level.nothing
  local wires = known | level.vertex
  local function is_solution(edges)
    local answer = lists.merge(now, { [value] = edges })
    for _, other in ipairs(level.values) do
      if other ~= value then answer[other] = ~edges - now.outside end
    end
    return not self:verdict(answer, level)
  end
  for _, part in ipairs(wires:components()) do
    local edges = part & known
    if edges:any() and #edges == #(part & level.vertex) and not is_solution(edges) then return { { [value] = edges } } end
  end
  for x, y in (now.open & now[value]):cells() do
    local from, to = table.unpack((nothing:with(x, y):neighbours() & level.vertex):components())
    if (from:neighbours() & known):any() and (to:neighbours() & known):any() then
      local part = from:flood(wires)
      if (part & to):any() and ((known - part):any() or not is_solution(known:with(x, y))) then
        table.insert(found, { [value] = nothing:with(x, y) })
      end
    end
  end
  return found
end

--- The function of a technique that is a rule.
function Rules:finder(row, most)
  local find = sequences.maker(row) and find_in_sequences or row.connected and self.find_connected
    or row.loop and self.find_loop
    or error(("crux.kits.deduce: rule %s: found a grade, expected one that finds something"):format(row[1]), 0)
  return function(now, level) return find(self, row, now, level, most) end
end

--- The rows of techniques with those of rules, in order of grade.
function Rules:techniques(techniques)
  local by_name = {}
  for _, row in ipairs(self.rows) do by_name[row[1] ] = row end
  local rows = lists.select(self.rows, function(row) return row.grade end)
  self.settles = rows[1] ~= nil
  rows = rows[1] and lists.sort(lists.concat(rows, techniques), function(row) return row.grade end) or techniques
  local list = {}
  for i, row in ipairs(rows) do
    local rule = row.rule and by_name[row.rule] or row
    if row.rule and rule == row then
      error(("crux.kits.deduce: technique %s: no rule '%s'"):format(row[1], row.rule), 0)
    end
    local is_rule = row.rule or by_name[row[1] ] == row
    local is_of_sequences = is_rule and sequences.maker(rule) ~= nil
    list[i] = is_rule and lists.merge(row, { find = self:finder(rule, row.open), is_of_sequences = is_of_sequences })
      or row.trial and lists.merge(row, { late = true, find = function(now, level, wants_all)
        return self:find_contradictions(row, now, level, wants_all)
      end }) or row
  end
  return list
end

--- The `cells`, or the `numbers`, of the sequences of a rule that no word has, or that some word has.
local function cells_of(row, known, level, field, is_broken)
  local any, found = 0, level.nothing
  for k in ipairs(level.values) do any = any | 1 << k end
  local masks = masks_of(known, level.values, any)
  for _, sequence in ipairs(sequences.of(row, level)) do
    local kept = sequences.kept(sequence, level.values, masks)
    local is_wanted = (kept and kept[1] == 0) == is_broken
    for _, cell in ipairs(is_wanted and sequence[field] or {}) do found = found:with(cell[1], cell[2]) end
  end
  return found
end

--- The cells of the numbers whose sequences are met, if open cells have the value `rest`; none without known values.
function Rules:met(known, level)
  local met, full = level.nothing, known and self:full(known, level)
  for _, row in ipairs(full and self.rows or {}) do
    met = row.of and met | cells_of(row, full, level, "numbers", false) or met
  end
  return met
end

--- All but the largest part.
local function smaller_parts(parts, nothing)
  local all, largest = nothing, nothing
  for _, part in ipairs(parts) do all, largest = all | part, #part > #largest and part or largest end
  return all - largest
end

--- Cells of sets that have a value which another cell of the set has.
local function twice(known, sets, values, nothing)
  local broken = nothing
  for _, set in ipairs(sets) do
    for _, value in ipairs(values) do
      if #(known[value] & set) > 1 then broken = broken | known[value] & set end
    end
  end
  return broken
end

local function broken_by(row, known, level)
  local nothing = level.nothing
  if sequences.maker(row) then return cells_of(row, known, level, "cells", true) end
  if row.connected then return smaller_parts(known[row.connected]:components(), nothing) end
  if row.unit then return twice(known, level.sets[row.unit], level.values, nothing) end
  if row.some then return known[row.some]:any() and nothing or ~nothing - level.start.outside end
  if row.blocks or row.parts then
    local broken, is_wrong = nothing, row.blocks or row.breaks
    for _, part in ipairs(row.parts and known[row.parts]:components() or blocks.of(known, level.values)) do
      broken = is_wrong(part, level) and broken | (row.parts and part or part.cells) or broken
    end
    return broken
  end
  if row.breaks then return row.breaks(known, level) end
  local lines = lists.select((known[row.loop] | level.vertex):components(), function(part) return #part > 1 end)
  return smaller_parts(lines, nothing) & known[row.loop]
end

--- The cells that break rules of units and sequences, whatever the open cells are.
function Rules:marks(known, level)
  local broken = level.nothing
  for _, row in ipairs(self.rows) do
    if sequences.maker(row) or row.unit then broken = broken | broken_by(row, known, level) end
  end
  return broken
end

--- The known cells, and with `rest` the open ones as cells of that value; and the open ones.
function Rules:full(known, level)
  local open = level.start.open
  for _, value in ipairs(level.values) do open = open - known[value] end
  return self.rest and lists.merge(known, { [self.rest] = known[self.rest] | open }) or known, open
end

--- The name of the first rule that an answer breaks and the cells that do; nil if it is a solution. Open cells have the value
--- `rest` if there is one, else they break the rule "open".
---@param known table<string, userdata>   by value
---@return string?
---@return userdata?
function Rules:verdict(known, level)
  local full, open = self:full(known, level)
  for _, row in ipairs(self.rows) do
    local broken = broken_by(row, full, level)
    if broken:any() then return row[1], broken end
  end
  if not self.rest and open:any() then return "open", open end
end

return rules
