--- Solving a level step by step as people do, by techniques in order of grade, and what the steps say about the level.
---
--- Candidates are a table of boards: by value the cells that may have it, `open`, the cells whose value is not known yet, and
--- `outside`, cells that have no value, if there are any.
--- A deduction is a table of boards, too: what it takes away from the boards of these names. docs/lua-api.md describes the rows
--- of techniques, as crux.Technique.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"

local deduction = {}

local common = { "last", "naked", "hidden", "fish", "colours" }

---@class Technique
---@field [1] string
---@field grade number
---@field late boolean?
---@field further boolean?   assumes a value, and tries all techniques that do not
---@field trial integer?   the rounds of a technique that assumes a value
---@field is_of_sequences boolean?   finds what `settle` of the rules finds
---@field find fun(now: table, level: table, wants_all: boolean?): table[]   with `wants_all`, more than the easiest

--- The function of a row for a common technique.
local function finder(row, kind)
  local size = math.tointeger(row[kind]) or 1
  return function(now, level)
    local groups = row.units and {}
    for group in (row.units or ""):gmatch "%S+" do table.insert(groups, level.groups[group]) end
    return level.units:find(now, level.values, kind, size, groups)
  end
end

--- The function of a row whose own returns the cells that lose a value, each of which is a deduction.
local function remover(row)
  return function(now, level)
    local found = {}
    for x, y in (row.find(now, level) & now[row.removes]):cells() do
      table.insert(found, { [row.removes] = (now.open - now.open):with(x, y) })
    end
    return found
  end
end

--- The function of a row, without the deductions that take nothing away.
local function filtered(row)
  return function(now, level, wants_all)
    local found = {}
    for _, taken in ipairs(row.find(now, level, wants_all)) do
      local is_new = false
      for name, board in pairs(taken) do is_new = is_new or (now[name] & board):any() end
      if is_new then table.insert(found, taken) end
    end
    return found
  end
end

--- Raises an error if a row is no technique.
local function check(row, before, values, groups)
  local function refuse(found, expected)
    error(("crux.kits.deduce: technique %s: found %s, expected %s"):format(fault.show(row[1]), found, expected), 0)
  end
  local kinds = { row.find and "find" }
  for _, kind in ipairs(common) do
    if row[kind] then table.insert(kinds, kind) end
  end
  if type(row[1]) ~= "string" then refuse("no name", "a text") end
  if not math.type(row.grade) or row.grade <= 0 then refuse("grade = " .. fault.show(row.grade), "a number above 0") end
  if before and before.grade > row.grade then refuse("a lower grade than that before it", "the order of grades") end
  if #kinds ~= 1 then
    refuse(kinds[1] and table.concat(kinds, " and ") or "none", "one of find, " .. table.concat(common, ", "))
  end
  if row.removes and not lists.contains(values, row.removes) then refuse("removes = " .. fault.show(row.removes), "a value") end
  for group in (lists.contains(common, kinds[1]) and (row.units or "?") or ""):gmatch "%S+" do
    if not next(groups) or row.units and not groups[group] then refuse("no units of " .. group, "a group of units") end
  end
end

--- The techniques of rows.
---@param values string[]
---@param groups table<string, any>   of units
function deduction.techniques(rows, values, groups)
  local list = {}
  for i, row in ipairs(rows) do
    check(row, rows[i - 1], values, groups)
    local find = row.removes and remover(row) or row.find and filtered(row)
    for _, kind in ipairs(common) do find = find or row[kind] and finder(row, kind) end
    list[i] = { row[1], grade = row.grade, late = row.late, find = find, trial = row.trial, further = row.further,
      is_of_sequences = row.is_of_sequences }
  end
  return list
end

--- The cells with at least one candidate, and those with several.
local function counted(now, values)
  local once, several = now.outside or now.open - now.open, now.open - now.open
  for _, value in ipairs(values) do once, several = once | now[value], several | once & now[value] end
  return once, several
end

--- Tells whether a cell has no candidate.
function deduction.is_contradiction(now, values) return (~(counted(now, values))):any() end

--- The candidates after a deduction. Without units, a cell is known when one candidate is left.
function deduction.after(now, found, values, level)
  local after = lists.merge(now)
  for name, board in pairs(found) do after[name] = after[name] - board end
  if not level.units then after.open = after.open & select(2, counted(after, values)) end
  return after
end

--- The candidates after some cells got a value.
---@param given table<string, userdata>   by value
function deduction.given(now, given, values, level)
  local after, cells = lists.merge(now), now.open - now.open
  for value, board in pairs(given) do
    cells = cells | board
    for _, other in ipairs(values) do
      if other ~= value then after[other] = after[other] - board end
    end
  end
  return deduction.after(after, level.units and level.units:place(after, values, cells) or {}, values, level)
end

---@class Deduced
---@field technique Technique
---@field taken table<string, userdata>   the deduction

--- All different deductions that are open, the easiest first.
---@return Deduced[]
function deduction.open(now, level, techniques, values)
  local found, seen = {}, {}
  for _, technique in ipairs(techniques) do
    if technique.late and found[1] then break end
    for _, taken in ipairs(technique.find(now, level)) do
      local key = taken.open and taken.open:key()
      if not key then
        key = table.concat(lists.map(values, function(value) return taken[value] and taken[value]:key() or "" end), ",")
      end
      if not seen[key] then table.insert(found, { technique = technique, taken = taken }) end
      seen[key] = true
    end
  end
  return found
end

--- The candidates when techniques of at most a grade find nothing more.
---@param rules Rules?   which find what follows from sequences
---@return table now
---@return boolean? failed   at a contradiction
function deduction.settle(now, level, techniques, values, most, rules)
  local moved, failed = true, nil
  while moved and now.open:any() do
    if rules then now, failed = rules:settle(now, level, most) end
    if failed then return now, true end
    moved = false
    for _, technique in ipairs(techniques) do
      local is_new = technique.grade <= most and not (rules and technique.is_of_sequences)
      local found = is_new and technique.find(now, level, true) or {}
      for _, taken in ipairs(found) do now = deduction.after(now, taken, values, level) end
      moved = found[1] ~= nil
      if moved then break end
    end
  end
  return now
end

--- The open cell with the fewest candidates, the first of several: its column, row and candidates.
---@return integer x
---@return integer y
---@return string[] candidates
function deduction.scarcest(now, values)
  local best_x, best_y, best
  for x, y in now.open:cells() do
    local candidates = lists.select(values, function(value) return now[value]:has(x, y) end)
    if not best or #candidates < #best then best_x, best_y, best = x, y, candidates end
  end
  return best_x, best_y, best
end

--- The value of an answer in the open cell with the fewest candidates.
local function guess(now, values, answer)
  local x, y = deduction.scarcest(now, values)
  for _, value in ipairs(values) do
    if answer[value]:has(x, y) then return { [value] = (now.open - now.open):with(x, y) } end
  end
end

--- A step: the first of the easiest deductions that are open, or a guess. Raises an error if a technique takes a value of the
--- answer away.
---@param answer table<string, userdata>
---@return table now
---@return Deduced[] found   the deductions that were open; none for a guess
function deduction.step(now, level, techniques, values, answer)
  local found = deduction.open(now, level, techniques, values)
  if not found[1] then return deduction.given(now, guess(now, values, answer), values, level), found end
  for _, value in ipairs(values) do
    local x, y = (answer[value] & (found[1].taken[value] or answer[value] - answer[value])):first()
    if x then
      error(("technique '%s': takes '%s' from column %d, row %d, which has it in a solution"):format(found[1].technique[1],
        value, x, y), 0)
    end
  end
  return deduction.after(now, found[1].taken, values, level), found
end

---@class DeductionRecord                what the steps of a level say about it
---@field steps integer         deductions and guesses
---@field hardest number        the greatest grade that was needed
---@field grades number         sum of the grades of all steps (the score of HoDoKu, hodoku.sourceforge.net)
---@field guesses integer       steps at which no technique found anything
---@field open number           mean number of deductions that are open at a step
---@field fewest integer        the fewest
---@field narrow integer        the most steps in a row with the fewest
---@field effort number         sum over the steps of the mean time to find the first of the open deductions, if each is found
---                             at a rate of 1 / grade, times the share of cells that are not known yet
---@field uses table<string, integer>   steps by technique

--- Solves a level step by step.
---@param answer table<string, userdata>
---@param guessing number   the grade of a guess
---@return DeductionRecord
function deduction.follow(now, level, techniques, values, answer, guessing)
  local record = { steps = 0, hardest = 0, grades = 0, guesses = 0, effort = 0, uses = {}, open = 0, narrow = 0 }
  local cells, run = #~(now.outside or now.open - now.open), 0
  while now.open:any() do
    local share, rate = #now.open / cells, 0
    local after, found = deduction.step(now, level, techniques, values, answer)
    now = after
    for _, one in ipairs(found) do rate = rate + 1 / one.technique.grade end
    local technique = found[1] and found[1].technique or { "guess", grade = guessing }
    local name, grade = technique[1], technique.grade
    record.steps, record.uses[name] = record.steps + 1, (record.uses[name] or 0) + 1
    record.hardest, record.grades = math.max(record.hardest, grade), record.grades + grade
    record.guesses = record.guesses + (found[1] and 0 or 1)
    record.effort = record.effort + share * (found[1] and 1 / rate or guessing)
    record.open = record.open + #found
    if not record.fewest or #found < record.fewest then record.fewest, record.narrow, run = #found, 0, 0 end
    run = #found == record.fewest and run + 1 or 0
    record.narrow = math.max(record.narrow, run)
  end
  record.open, record.fewest = record.open / math.max(1, record.steps), record.fewest or 0
  return record
end

return deduction
