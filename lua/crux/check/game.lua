--- Mistakes in a game script: its fields, and the results of its functions on some levels.
local controls = require "crux.play.controls"
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local keys = require "crux.play.keys"
local levels = require "crux.game.levels"
local generator = require "crux.game.generator"
local lists = require "crux.base.lists"
local loss = require "crux.search.loss"
local maker = require "crux.game.maker"
local moves = require "crux.search.moves"
local nearest = require "crux.base.nearest"
local number = require "crux.base.number"
local play = require "crux.play.play"
local Problem = require "crux.search.problem"
local random = require "libcrux.random"
local script = require "crux.script.script"
local states = require "crux.search.state"

local check = {}

--- Levels made if none are given, changes for each, varied levels that are checked, and states from which each step is taken
--- twice.
local MADE <const>, CHANGES <const>, VARIED <const>, STATES <const> = 3, 5000, 20, 50

--- The known fields of tables in game scripts.
---@type table<string, string[]>
check.known = {
  measure = { "kind", "doc", "optional", "count", "each", "search" },
  option = { "doc", "length", "measure", "share", "square", "tile" },
  path = { "level", "priority" },
  pen = { "at_once", "doc" },
  play = { "keys", "start", "step", "done", "draw", "cursor", "square", "click", "holds", "hand", "pad", "hint", "told" },
  walk = { "moves", "back", "finish" },
}

local known = check.known

---@class GameCheck
---@field game Game
---@field path string
---@field findings Findings
---@field text ScriptSource
---@field limits SolveOptions
---@field measured table<string, boolean>   measures that had a value
---@field is_untraced boolean?  a warning about a slow step was given
local Check = {}
Check.__index = Check

--- Reports unknown fields of a table.
---@param kind string   key of `known`
function Check:fields(kind, given, from)
  local is_known = lists.set(known[kind])
  for name in pairs(type(given) == "table" and given or {}) do
    if not is_known[name] and type(name) == "string" then
      self.findings:error(self.path, self.text:field(name, from) or from or 1,
        ("%s: %s"):format(kind, nearest.unknown("field", name, known[kind])))
    end
  end
end

--- Reports a name that is no measure of the game.
function Check:expect_measure(name, from)
  if self.game.measures[name] then return end
  self.findings:error(self.path, self.text:field(name, from) or from or 1,
    nearest.unknown("measure", name, lists.field(self.game.measures)))
end

--- Checks the rows of measures in the script.
function Check:measure_rows(rows)
  local seen = {}
  for _, row in ipairs(lists.select(rows, function(row) return not row.is_added end)) do
    local name = row[1]
    local line = self.text:row(name) or 1
    self:fields("measure", row, line)
    if seen[name] then
      self.findings:error(self.path, self.text:string(name, line + 1) or line,
        ("measure '%s': found it a second time, expected different names"):format(name))
    elseif not name:find "^[%a_][%w_]*$" or name == "level" then
      self.findings:error(self.path, line,
        ("measure '%s': found a name that no column can have, expected letters, digits and _"):format(name))
    end
    seen[name] = true
  end
end

local function is_range(value)
  return type(value) == "table" and math.type(value[1]) and math.type(value[2]) and value[1] <= value[2]
end

function Check:option_rows(rows)
  for i, row in ipairs(rows) do
    if type(row) ~= "table" or type(row[1]) ~= "string" or not (math.type(row[2]) or is_range(row[2])) then
      self.findings:error(self.path, self.text:field "options" or 1, ("options[%d]: found no name and default, expected "
        .. "{ \"name\", NUMBER or { LEAST, GREATEST }, doc = ... }"):format(i))
    else
      self:fields("option", row, self.text:row(row[1]))
    end
  end
end

--- Checks the tables of a script whose fields are not checked when it is loaded.
function Check:tables()
  local spec = script.load("game", self.path)
  self:fields("play", spec.play, self.text:field "play")
  self:fields("walk", spec.walk, self.text:field "walk")
  self:measure_rows(spec.measures)
  self:option_rows(spec.options or {})
  for _, path in pairs(spec.paths or {}) do self:fields("path", path, self.text:field "paths") end
  for _, pen in ipairs(spec.pens or {}) do self:fields("pen", pen, self.text:field "pens") end
  for name in pairs(spec.requires or {}) do self:expect_measure(name, self.text:field "requires") end
end

--- Describes the first line in which two texts differ.
local function difference(a, b)
  local later, at = b:gmatch "([^\n]*)\n", 0
  for line in a:gmatch "([^\n]*)\n" do
    local other = later()
    at = at + 1
    if line ~= other then return ("line %d is %s, then %s"):format(at, fault.show(line), fault.show(other)) end
  end
  return "it has more lines then"
end

--- The measures of a game's script for which a condition holds.
---@param holds (fun(measure: Measure): boolean)?   all unless given
local function measures_of(game, holds)
  return lists.select(game.measures, function(measure) return not measure.is_added and (not holds or holds(measure)) end)
end

local function initial(game)
  return measures_of(game, function(measure) return measure.kind == "initial" and not measure.optional end)
end

--- Checks that parse reads the text of format as the same level.
function Check:round_trip(level, name)
  local subject, line = self.game, self.text:field "format" or 1
  local text = subject:text(level)
  local ok, again = pcall(fault.guard, self.path, subject.parse, text, {})
  if not ok then
    return self.findings:error(self.path, line, ("format: parse refuses what it writes of %s: %s"):format(name,
      (again.message:gsub("^.-: (line %d)", "%1"))))
  end
  local second = subject:text(again)
  if second ~= text then
    return self.findings:error(self.path, line,
      ("format: what it writes of %s is read as another level: %s"):format(name, difference(text, second)))
  end
  local before, after = subject:measure(level, initial(subject), {}), subject:measure(again, initial(subject), {})
  for measure, value in pairs(before) do
    if value ~= after[measure] then
      self.findings:error(self.path, line, ("format: what it writes of %s is read as another level: %s is %s, then %s")
        :format(name, measure, fault.show(value), fault.show(after[measure])))
    end
  end
end

--- The result of a move from a state.
local function outcome(spec, state, move, level)
  local after = states.copy(state)
  local won, lost = spec.step(after, move, level)
  return { won = won == true, lost = loss.cause(lost), state = after }
end

local function is_same(a, b)
  return a.won == b.won and a.lost == b.lost and (a.won or a.lost or states.same(a.state, b.state))
end

--- Takes each step from the first states twice, in two orders. Returns a move with two results, if there is one.
local function steps_twice(spec, level)
  local first = spec.start(level)
  local queue, done = { first }, {}
  for _, state in ipairs(queue) do
    for _, move in ipairs(moves.of(spec, level)) do
      local after = outcome(spec, state, move, level)
      table.insert(done, { from = state, move = move, after = after })
      if #queue < STATES and not after.won and not after.lost then table.insert(queue, after.state) end
    end
  end
  for i = #done, 1, -1 do
    local once = done[i]
    if not is_same(once.after, outcome(spec, once.from, once.move, level)) then return once.move end
  end
end

--- Checks step on a level, and compares its searches in C and in Lua.
function Check:search(level)
  local spec = self.game.search
  local label = Problem.label(spec, "step")
  local move = fault.guard(label, steps_twice, spec, level)
  if move then
    fault.at(("%s with move '%s'"):format(label, move), "another result when it is taken again from the same state",
      "the same result: step may use its arguments alone")
  end
  local result = self.game:check(level, self.limits)
  local reason = result.untraced or result.alone
  if not reason or self.is_untraced then return end
  self.is_untraced = true -- the next level would only show the same
  local line = tonumber(reason:match "%.lua:(%d+): ")
  local what = result.untraced and "levels are searched slowly, in Lua: " or "each level takes a program of its own: "
  self.findings:warn(self.path, line or self.text:field "search" or 1, what .. reason:gsub("^.-%.lua:%d+: ", ""))
end

--- Measures and draws a level, and checks that measures have the same value twice.
function Check:measure(level, name)
  local subject = self.game
  local measures = measures_of(subject)
  local once, solution = subject:measure(level, measures, self.limits)
  local again = subject:measure(level, measures, self.limits)
  for measure, value in pairs(once) do
    self.measured[measure] = true
    if value ~= again[measure] then
      fault.at(("%s: measure '%s'"):format(self.path, measure), ("%s of %s, then %s"):format(fault.show(value), name,
        fault.show(again[measure])), "the same number each time")
    end
  end
  solution = solution or subject:solution(level, self.limits)
  subject:drawing(level)
  subject:drawing(level, solution)
  local start = subject.search and subject.search.start(level)
  if start then subject:drawing(level, nil, start) end
  if start and subject.pick then controls.try_picks(subject, start, level) end
  return solution.status
end

--- Tries all functions of the game on a level. A text that parse refuses is an error of the level file.
---@param entry LevelText
function Check:level(entry)
  local findings, path = self.findings, self.path
  local name = entry.path == "<generated>" and entry.name or ("level '%s'"):format(entry.name)
  local ok, level = pcall(self.game.level, self.game, entry)
  if not ok then
    local said = level.message:match "^<generated>:%d+: (.*)$"
    if not said or said:find "%.lua:%d+: " then return findings:fault(path, level) end
    local message = ("format: parse refuses what it writes of %s: %s"):format(name, said)
    return findings:error(path, self.text:field "format" or 1, message)
  end
  if self.game.format then findings:try(path, self.round_trip, self, level, name) end
  if self.game.search then findings:try(path, self.search, self, level) end
  self.is_solved = findings:try(path, self.measure, self, level, name) == "solved" or self.is_solved
  self.tried = self.tried + 1
end

local function defaults(game)
  local options = {}
  for _, option in ipairs(game.options) do options[option[1]] = option[2] end
  return options
end

--- Makes levels by the game's generator.
---@return LevelText[]
local function make_levels(game, limits)
  local tasks, list = {}, {}
  game:expect({ "format" }, "generate")
  for i = 1, MADE do tasks[i] = { name = "generated level " .. i, stream = i } end
  local production = { game = game.path, options = defaults(game), seed = 1, changes = CHANGES, measures = {},
    limits = limits }
  local products = generator.new(production)(tasks)
  for _, product in ipairs(products) do
    if product.text then
      local entries = levels.split(product.text, "<generated>", game.files)
      entries[1].name = product.name
      table.insert(list, entries[1])
    end
  end
  if #list == 0 then
    fault.at(game.path .. ": generate", ("no level in %d tries (%s)"):format(MADE, products[1].reason), "one")
  end
  return list
end

--- Varies a generated level repeatedly, and checks that parse reads each.
function Check:vary()
  local subject, rng = self.game, random.new(1)
  local aim = maker.aim { game = subject, options = defaults(subject), wishes = {}, limits = self.limits }
  local draft = maker.draft(aim, rng)
  local level = draft.level
  for _ = 1, level and VARIED or 0 do
    local changed = fault.guard(self.path, subject.vary, level, rng, draft.options)
    local ok, problem = pcall(function()
      return changed and fault.guard(self.path, subject.parse, subject:text(changed), {})
    end)
    if not ok then fault.raise(("%s: vary: found a level that cannot be read again: %s"):format(self.path, problem.message)) end
    level = changed or level
  end
end

--- Checks a game script.
---@param entries LevelText[]?   the levels that can be read of those beside it; without any, its generator makes some
---@param limits SolveOptions
---@return string? content   in words, if it could be loaded
function check.run(path, entries, findings, limits)
  local game = findings:try(path, games.load, path)
  if not game then return nil end
  local checking = setmetatable({ game = game, path = path, findings = findings, text = findings:source(path), limits = limits,
    measured = {}, tried = 0 }, Check)
  checking:tables()
  if game.play or game.search then findings:try(path, play.rules, game) end
  local missing = game.search and not game.pick and select(2, keys.moves(game))
  if missing then
    findings:warn(path, checking.text:field "moves" or 1,
      ("search.moves: no key is left for '%s': players choose from a list, unless the game has keys or pick"):format(missing))
  end
  local given, before = entries or {}, #findings.list
  local made = game.generate and findings:try(path, make_levels, game, limits)
  if made and game.vary then findings:try(path, checking.vary, checking) end
  local from = #findings.list + 1
  local function is_right() return findings:count(from) == 0 end
  for _, entry in ipairs(#given > 0 and given or made or {}) do
    if is_right() then checking:level(entry) end -- the next level would only show the same
  end
  for _, measure in ipairs(checking.tried > 0 and is_right() and measures_of(game) or {}) do
    if not checking.measured[measure.name] and (checking.is_solved or measure.kind == "initial") then
      findings:warn(path, checking.text:row(measure.name) or 1,
        ("measure '%s' has no value on any level that was tried"):format(measure.name))
    end
  end
  local tried = number.count(checking.tried, (#given == 0 and "generated " or "") .. "level")
  return ("%s; %s"):format(number.count(#measures_of(game), "measure"), checking.tried > 0 and "tried on " .. tried
    or entries and "no level beside it can be read" or #findings.list > before and "no level could be tried"
    or "no level to try it on: give some beside it")
end

return check
