--- What is wrong with levels: those that cannot be read, that come twice, and that have no solution.
local fault = require "crux.base.fault"
local game = require "crux.game.game"
local jobs = require "crux.run.jobs"
local levels = require "crux.game.levels"
local number = require "crux.base.number"
local script = require "crux.script.script"
local system = require "libcrux.system"

local check = {}

--- Whether a game reads every level of an input.
local function reads(self, input)
  local ok = pcall(function()
    for entry in self:entries { input } do
      if entry.problem then error(entry.problem, 0) end
      self:level(entry)
    end
  end)
  return ok
end

--- Whether files of an input may be a game's, by their names.
local function may_be(self, input)
  local ok, paths = pcall(levels.files, input, self.files)
  if not ok then return false end
  for _, extension in ipairs(self.files.extensions) do
    if paths[1]:sub(-#extension - 1) == "." .. extension then return true end
  end
  return false
end

--- The name of crux's own game whose levels an input holds: the only one whose files are called so, or that reads them.
---@return string
function check.game_of(input)
  local named, reading = {}, {}
  if input ~= "-" and system.is_regular(input) == nil then fault.raise(input .. ": No such file or directory") end
  for _, name in ipairs(script.names "game") do
    local self = game.load(name)
    if may_be(self, input) then table.insert(named, self) end
  end
  for _, self in ipairs(#named > 1 and named or {}) do
    if reads(self, input) then table.insert(reading, self) end
  end
  if #named == 1 then return named[1].name end
  if #reading == 1 then return reading[1].name end
  fault.raise(("%s: cannot tell which game's levels these are, expected --game GAME or a game script, too"):format(input), 2)
end

--- Levels of inputs that can be read, at most so many.
---@param inputs string[]
---@param most integer
---@return LevelText[]
function check.samples(self, inputs, most)
  local list = {}
  for _, input in ipairs(inputs) do
    local ok, problem = pcall(function()
      for entry in self:entries { input } do
        if #list < most and not entry.problem and pcall(self.level, self, entry) then table.insert(list, entry) end
      end
    end)
    if not ok and not fault.is(problem) then error(problem, 0) end
  end
  return list
end

--- Notes what two levels have in common.
local function compare(entry, seen, findings)
  local place = ("%s:%d"):format(entry.path, entry.lines[1])
  local text, name = entry.text, entry.name
  if seen.texts[text] then
    findings:warn(entry.path, entry.lines[1], ("level '%s' is the same as that of %s"):format(name, seen.texts[text]))
  elseif seen.names[name] then
    findings:warn(entry.path, entry.lines[1], ("level '%s' has the name of that of %s"):format(name, seen.names[name]))
  end
  seen.texts[text], seen.names[name] = seen.texts[text] or place, seen.names[name] or place
end

--- Looks at the levels of an input.
---@param name string       of the game, or its script's path
---@param count integer?    of jobs
---@param findings Findings
---@param limits SolveOptions
---@return string? holds    in words
function check.run(input, name, count, findings, limits)
  local self = findings:try(input, game.load, name)
  if not self then return nil end
  local seen, read, unknown = { texts = {}, names = {} }, 0, 0
  local asked = { game = self.path, solve = true, options = limits }
  findings:try(input, function()
    for entry, finding, lost in jobs.map(count, "crux.run.worker.examine", asked, self:entries { input }) do
      local problem = lost and { message = ("level '%s': %s"):format(entry.name, lost) } or finding.problem
      if entry.lines then compare(entry, seen, findings) end
      if problem then
        findings:fault(input, problem)
      else
        read = read + 1
        unknown = unknown + (finding.solution.status == "unknown" and 1 or 0)
        if finding.solution.status == "unsolvable" then
          findings:warn(entry.path, entry.lines[1], ("level '%s': no solution exists"):format(entry.name))
        end
      end
    end
  end)
  return ("%s of '%s'%s"):format(number.count(read, "level"), self.name,
    unknown > 0 and (", %s not solved within the limits"):format(number.count(unknown)) or "")
end

return check
