--- Mistakes in level files: levels that cannot be read, duplicates, and levels without solution.
local fault = require "crux.base.fault"
local level_formats = require "crux.format.level_formats"
local games = require "crux.game.game"
local jobs = require "crux.run.jobs"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"
local missing = require "crux.base.missing"
local number = require "crux.base.number"
local script = require "crux.script.script"
local file_system = require "libcrux.files"

local check = {}

--- Tells whether files of an input have the extension of a game's level files.
local function is_named_for(game, input)
  local ok, paths = pcall(levels.files, input, game.files)
  return ok and levels.has_extension(paths[1], game.files)
end

--- The names of crux's own games that read the levels of an input: of several, those with its extension.
function check.readers(input)
  local reading, named = {}, {}
  for _, name in ipairs(script.names "game") do
    local game = games.load(name)
    if game:reads(input) then
      table.insert(reading, name)
      if is_named_for(game, input) then table.insert(named, name) end
    end
  end
  return #named > 0 and named or reading
end

--- The name of crux's own game for an input: the only one that reads its levels, else the only one with its extension.
function check.game_of(input)
  if input ~= "-" and not level_formats.is_address(input) and file_system.is_regular(input) == nil then
    local is_game = lists.contains(script.names "game", input)
    fault.raise(input .. ": No such file or directory" .. (is_game and ("; --game %s names crux's own game"):format(input)
      or missing.hint(input)))
  end
  local names = check.readers(input)
  if #names == 0 then
    names = lists.select(script.names "game", function(name) return is_named_for(games.load(name), input) end)
  end
  if #names == 1 then return names[1] end
  fault.raise(("%s: cannot tell which game's levels these are%s, expected --game GAME or a game script, too"):format(input,
    names[1] and ", of " .. table.concat(names, " or ") or ""), 2)
end

--- The first levels of inputs that can be read.
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
---@param limits SolveOptions
---@return string? content   in words
function check.run(input, name, count, findings, limits)
  local game = findings:try(input, games.load, name)
  if not game then return nil end
  local seen, read, unknown = { texts = {}, names = {} }, 0, {}
  local asked = { game = game.path, solve = true, options = limits }
  findings:try(input, function()
    for entry, finding, lost in jobs.map(count, "crux.run.worker.examine", asked, game:entries { input }) do
      local problem = lost and { message = levels.at(entry, ("level '%s': %s"):format(entry.name, lost)) } or finding.problem
      if entry.lines then compare(entry, seen, findings) end
      if problem then
        findings:fault(input, problem)
      else
        read = read + 1
        if finding.solution.status == "unknown" then table.insert(unknown, ("'%s'"):format(entry.name)) end
        if finding.solution.status == "unsolvable" then
          findings:warn(entry.path, entry.lines[1], ("level '%s': no solution exists"):format(entry.name))
        end
      end
    end
  end)
  return ("%s of '%s'%s"):format(number.count(read, "level"), game.name,
    unknown[1] and (", %s not solved within the limits: %s"):format(number.count(#unknown), lists.ten(unknown)) or "")
end

return check
