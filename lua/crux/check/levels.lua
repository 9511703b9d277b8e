--- Mistakes in level files: levels that cannot be read, duplicates, and levels without solution.
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local jobs = require "crux.run.jobs"
local levels = require "crux.game.levels"
local missing = require "crux.base.missing"
local number = require "crux.base.number"
local script = require "crux.script.script"
local file_system = require "libcrux.files"

local check = {}

--- Tells whether a game reads every level of an input.
local function reads(game, input)
  local ok = pcall(function()
    for entry in game:entries { input } do
      if entry.problem then error(entry.problem, 0) end
      game:level(entry)
    end
  end)
  return ok
end

--- Tells whether files of an input have the extension of a game's level files.
local function may_be(game, input)
  local ok, paths = pcall(levels.files, input, game.files)
  if not ok then return false end
  for _, extension in ipairs(game.files.extensions) do
    if paths[1]:sub(-#extension - 1) == "." .. extension then return true end
  end
  return false
end

--- The name of crux's own game for an input: the only one with its extension, or that reads its levels.
---@return string
function check.game_of(input)
  local named, reading = {}, {}
  if input ~= "-" and file_system.is_regular(input) == nil then
    fault.raise(input .. ": No such file or directory" .. missing.hint(input))
  end
  for _, name in ipairs(script.names "game") do
    local game = games.load(name)
    if may_be(game, input) then table.insert(named, game) end
  end
  for _, game in ipairs(#named > 1 and named or {}) do
    if reads(game, input) then table.insert(reading, game) end
  end
  if #named == 1 then return named[1].name end
  if #reading == 1 then return reading[1].name end
  fault.raise(("%s: cannot tell which game's levels these are, expected --game GAME or a game script, too"):format(input), 2)
end

--- The first levels of inputs that can be read.
---@param inputs string[]
---@param limit integer
---@return LevelText[]
function check.samples(game, inputs, limit)
  local list = {}
  for _, input in ipairs(inputs) do
    fault.catch(function()
      for entry in game:entries { input } do
        if #list < limit and not entry.problem and pcall(game.level, game, entry) then table.insert(list, entry) end
      end
    end)
  end
  return list
end

--- Warns of a level whose text or name is that of an earlier one.
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

--- Checks the levels of an input.
---@param name string       of the game, or its script's path
---@param count integer?    of jobs
---@param findings Findings
---@param limits SolveOptions
---@return string? content   in words
function check.run(input, name, count, findings, limits)
  local game = findings:try(input, games.load, name)
  if not game then return nil end
  local seen, read, unknown = { texts = {}, names = {} }, 0, 0
  local asked = { game = game.path, solve = true, options = limits }
  findings:try(input, function()
    for entry, finding, lost in jobs.map(count, "crux.run.worker.examine", asked, game:entries { input }) do
      local problem = lost and { message = levels.at(entry, ("level '%s': %s"):format(entry.name, lost)) } or finding.problem
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
  return ("%s of '%s'%s"):format(number.count(read, "level"), game.name,
    unknown > 0 and (", %s not solved within the limits"):format(number.count(unknown)) or "")
end

return check
