--- What is wrong with a game script: its fields, and what its functions do with some levels.
local fault = require "crux.fault"
local game = require "crux.game"
local levels = require "crux.levels"
local make = require "crux.worker.make"
local nearest = require "crux.nearest"
local play = require "crux.play"
local Problem = require "crux.search.problem"
local script = require "crux.script"
local states = require "crux.state"

local check = {}

--- Levels that are made where none are given, changes that are tried for each, and states of which each step is taken twice.
local MADE <const>, ATTEMPTS <const>, STATES <const> = 3, 5000, 50

--- The fields of tables that crux reads nothing else from.
---@type table<string, string[]>
check.known = {
  measure = { "kind", "doc", "optional", "count" },
  option = { "doc" },
  play = { "keys", "start", "step", "done", "draw", "cursor", "hint" },
  walk = { "moves", "back", "finish" },
}

local known = check.known

---@class GameCheck
---@field game Game
---@field path string
---@field findings Findings
---@field text Source
---@field limits SolveOptions
---@field measured table<string, boolean>   measures that had a value
local Check = {}
Check.__index = Check

--- Warns of fields of a table that nothing reads.
---@param kind string   key of `known`
function Check:fields(kind, given, from)
  local is_known = {}
  for _, name in ipairs(known[kind]) do is_known[name] = true end
  for name in pairs(type(given) == "table" and given or {}) do
    if not is_known[name] and type(name) == "string" then
      self.findings:error(self.path, self.text:field(name, from) or from or 1,
        ("%s: found the unknown field '%s'; %s"):format(kind, name, nearest.hint(name, known[kind])))
    end
  end
end

--- Looks at the rows of measures and options as the script wrote them.
function Check:rows()
  local spec, seen = script.load("game", self.path), {}
  self:fields("play", spec.play, self.text:field "play")
  self:fields("walk", spec.walk, self.text:field "walk")
  for _, row in ipairs(spec.measures) do
    local line = self.text:row(row[1]) or 1
    self:fields("measure", row, line)
    if seen[row[1]] then
      self.findings:error(self.path, self.text:string(row[1], line + 1) or line, ("measure '%s': found it a second time, "
        .. "expected different names"):format(row[1]))
    elseif not row[1]:find "^[%a_][%w_]*$" or row[1] == "level" then
      self.findings:error(self.path, line,
        ("measure '%s': found a name that no column can have, expected letters, digits and _"):format(row[1]))
    end
    seen[row[1]] = true
  end
  for i, row in ipairs(spec.options or {}) do
    local default = type(row) == "table" and row[2]
    local is_range = type(default) == "table" and math.type(default[1]) and math.type(default[2]) and default[1] <= default[2]
    if type(row) ~= "table" or type(row[1]) ~= "string" or not (math.type(default) or is_range) then
      self.findings:error(self.path, self.text:field "options" or 1, ("options[%d]: found no name and default, expected "
        .. "{ \"name\", NUMBER or { LEAST, GREATEST }, doc = ... }"):format(i))
    else
      self:fields("option", row, self.text:string(row[1]))
    end
  end
  for name in pairs(spec.requires or {}) do self:expect_measure(name, self.text:field "requires") end
end

function Check:expect_measure(name, from)
  if self.game.measures[name] then return end
  local names = {}
  for i, measure in ipairs(self.game.measures) do names[i] = measure.name end
  self.findings:error(self.path, self.text:field(name, from) or from or 1,
    ("found '%s', which is no measure of the game; %s"):format(name, nearest.hint(name, names)))
end

--- The first line in which two texts differ, as words.
local function difference(a, b)
  local later = b:gmatch "([^\n]*)\n"
  local number = 0
  for line in a:gmatch "([^\n]*)\n" do
    number = number + 1
    local other = later()
    if line ~= other then return ("line %d is %s, then %s"):format(number, fault.show(line), fault.show(other)) end
  end
  return "it has more lines then"
end

local function initial(self)
  local list = {}
  for _, measure in ipairs(self.measures) do
    if measure.kind == "initial" and not measure.optional then table.insert(list, measure) end
  end
  return list
end

--- What format writes must be read again, as the same level.
function Check:round_trip(level, name)
  local self_game, line = self.game, self.text:field "format" or 1
  local text = self_game:text(level)
  local ok, again = pcall(fault.guard, self.path, self_game.parse, text, {})
  if not ok then
    return self.findings:error(self.path, line, ("format: parse refuses what it writes of %s: %s"):format(name,
      (again.message:gsub("^.-: (line %d)", "%1"))))
  end
  local second = self_game:text(again)
  if second ~= text then
    return self.findings:error(self.path, line,
      ("format: what it writes of %s is read as another level: %s"):format(name, difference(text, second)))
  end
  local before, after = self_game:measure(level, initial(self_game), {}), self_game:measure(again, initial(self_game), {})
  for measure, value in pairs(before) do
    if value ~= after[measure] then
      self.findings:error(self.path, line, ("format: what it writes of %s is read as another level: %s is %s, then %s")
        :format(name, measure, fault.show(value), fault.show(after[measure])))
    end
  end
end

--- What a move makes of a state.
local function outcome(spec, state, move, level)
  local after = states.copy(state)
  local won, lost = spec.step(after, move, level)
  return { won = won == true, lost = lost == true, state = after }
end

local function is_same(a, b)
  return a.won == b.won and a.lost == b.lost and (a.won or a.lost or states.same(a.state, b.state))
end

--- Whether step does the same with the first states when they come again, in another order.
local function steps_twice(spec, level)
  local first = spec.start(level)
  local queue, done = { first }, {}
  for _, state in ipairs(queue) do
    for _, move in ipairs(spec.moves) do
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

--- Searches a level in every way.
function Check:search(level)
  local spec = self.game.search
  local label = Problem.label(spec, "step")
  local move = fault.guard(label, steps_twice, spec, level)
  if move then
    fault.at(("%s with move '%s'"):format(label, move), "something else when it is taken again from the same state",
      "the same: step may use nothing but its arguments")
  end
  self.game:check(level, self.limits)
end

--- Measures and draws a level.
function Check:measure(level, name)
  local self_game = self.game
  local once, solution = self_game:measure(level, self_game.measures, self.limits)
  local again = self_game:measure(level, self_game.measures, self.limits)
  for measure, value in pairs(once) do
    self.measured[measure] = true
    if value ~= again[measure] then
      fault.at(("%s: measure '%s'"):format(self.path, measure), ("%s of %s, then %s"):format(fault.show(value), name,
        fault.show(again[measure])), "the same number each time")
    end
  end
  solution = solution or self_game:solution(level, self.limits)
  if self_game.draw then
    self_game:drawing(level)
    self_game:drawing(level, solution)
    if self_game.search then self_game:drawing(level, nil, (self_game.search.start(level))) end
  end
  return solution.status
end

--- Does with a level all that crux does with levels. What parse refuses is the level's fault.
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

--- Some levels that the game's generator makes.
---@return LevelText[]
local function make_levels(self, limits)
  local own, tasks, list = {}, {}, {}
  self:expect({ "format" }, "generate")
  for _, option in ipairs(self.options) do own[option[1]] = option[2] end
  for i = 1, MADE do tasks[i] = { name = "generated level " .. i, stream = i } end
  local production = { game = self.path, options = own, seed = 1, attempts = ATTEMPTS, measures = {}, limits = limits }
  local products = make(production)(tasks)
  for _, product in ipairs(products) do
    if product.text then
      local entries = levels.split(product.text, "<generated>", self.files)
      entries[1].name = product.name
      table.insert(list, entries[1])
    end
  end
  if #list == 0 then
    fault.at(self.path .. ": generate", ("no level in %d attempts (%s)"):format(MADE, products[1].reason), "one")
  end
  return list
end

--- Looks at a game script.
---@param path string
---@param entries LevelText[]   levels to try it on; where there are none, its generator makes some
---@param findings Findings
---@param limits SolveOptions
---@return string? holds    in words, if it could be loaded
function check.run(path, entries, findings, limits)
  local self = findings:try(path, game.load, path)
  if not self then return nil end
  local new = setmetatable({ game = self, path = path, findings = findings, text = findings:source(path), limits = limits,
    measured = {}, tried = 0 }, Check)
  new:rows()
  if self.play or self.search and self.draw then findings:try(path, play.rules, self) end
  local made = self.generate and findings:try(path, make_levels, self, limits)
  local before = #findings.list
  for _, entry in ipairs(#entries > 0 and entries or made or {}) do
    if #findings.list == before then new:level(entry) end -- the next level would only show the same
  end
  for _, measure in ipairs(new.tried > 0 and #findings.list == before and self.measures or {}) do
    if not new.measured[measure.name] and (new.is_solved or measure.kind == "initial") then
      findings:warn(path, new.text:row(measure.name) or 1,
        ("measure '%s' has no value on any level that was tried"):format(measure.name))
    end
  end
  return ("%d measures; %s"):format(#self.measures, new.tried > 0 and ("tried on %d %slevels"):format(new.tried,
    #entries == 0 and "generated " or "") or "no level to try it on: give some beside it")
end

return check
