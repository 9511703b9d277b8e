--- Attempts of players at levels: a study of a row an attempt becomes one of a row a play, that of a player at a level.
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local study = require "crux.data.study"

local attempts = {}

---@class Play
---@field player string
---@field level string
---@field place string              of the last row
---@field texts table<string, string>   the last row, by column
---@field attempts integer
---@field solved boolean
---@field skipped boolean           neither: the player has not gone on
---@field tutorial boolean
---@field position number?          in the player's order; NaN or nil if it is not known, as all numbers
---@field rating number
---@field time number?              seconds, as all sums those of all attempts
---@field moves_used number?
---@field losses number?
---@field causes table<string, integer>   number of attempts by the cause of their last loss

--- Columns whose values are summed over the attempts, and other columns of numbers.
local sums, numbers = { "time", "moves_used", "losses" }, { "position", "rating" }

--- The plays of a study, in the order of their first rows.
---@param data Dataset   columns player, level, rating; with `solved`, a row an attempt, in their order, else a row a play
function attempts.plays(data)
  data:expect({ "player", "level", "rating" }, "a player study needs the column")
  local function is_there(column) return data.has[column] end
  local summed, by_attempt, plays, known = lists.select(sums, is_there), data.has.solved, {}, {}
  local single = lists.select(numbers, is_there)
  for block in data:blocks { numbers = lists.concat(summed, single), texts = data.columns } do
    study.check_counts(block)
    for row = 1, block.rows do
      local place, texts = block:place(row), {}
      for column, values in pairs(block.texts) do texts[column] = values[row] end
      local key = texts.player .. "\0" .. texts.level
      local play = known[key]
      if not play then
        play = { player = texts.player, level = texts.level, attempts = 0, solved = false, causes = {} }
        for _, column in ipairs(summed) do play[column] = 0 end
        known[key] = play
        table.insert(plays, play)
      elseif not by_attempt or play.solved or play.skipped then
        fault.at(place, ("player '%s' and level '%s' again, as in %s"):format(play.player, play.level, play.place),
          by_attempt and "no row behind that of the level solved or skipped" or "one row for each")
      end
      play.place, play.texts, play.attempts = place, texts, play.attempts + 1
      play.skipped, play.tutorial = study.is_marked(block, row, "skipped"), study.is_marked(block, row, "tutorial")
      play.solved = not play.skipped and (not by_attempt or study.is_marked(block, row, "solved"))
      for _, column in ipairs(summed) do play[column] = play[column] + block.numbers[column][row] end
      for _, column in ipairs(single) do play[column] = block.numbers[column][row] end
      local cause = texts.lost_by or ""
      if cause ~= "" then play.causes[cause] = (play.causes[cause] or 0) + 1 end
    end
  end
  return plays
end

--- A dataset with a row for each of some plays: sums of times, moves and losses, the number of attempts as column `attempts`,
--- and the other columns as in the last row.
---@param data Dataset           their source
---@param dropped table<string, boolean>   columns that the dataset does not have
local function of_plays(data, plays, dropped)
  if #plays == 0 then fault.at(data.name, "no play that has ended", "at least one") end
  local columns = lists.select(data.columns, function(column) return column ~= "attempt" and not dropped[column] end)
  local counts = data.has.attempt and not data.has.attempts
  if counts then table.insert(columns, "attempts") end
  return dataset.of_texts(data.name, columns, lists.map(plays, function(play)
    local texts = lists.merge(play.texts, counts and { attempts = number.exact(play.attempts) } or {})
    for _, column in ipairs(sums) do texts[column] = texts[column] and number.exact(play[column]) end
    return { place = play.place, texts = texts }
  end))
end

--- The plays of a study that solved a level that is no tutorial's, without the columns `solved` and `skipped`.
---@return Dataset
function attempts.solved(data)
  local solved = lists.select(attempts.plays(data), function(play) return play.solved and not play.tutorial end)
  return of_plays(data, solved, lists.merge(lists.set { "solved", "skipped", "lost_by", "tutorial" }, study.about_plays(data)))
end

--- The rows of a study that are not of a level which the player left.
---@param data Dataset   with a column `abandoned`
---@return Dataset
---@return integer abandoned   number of the other rows
function attempts.kept(data)
  local rows, abandoned = {}, 0
  for block in data:blocks { texts = data.columns } do
    for i = 1, block.rows do
      local texts = {}
      for column, values in pairs(block.texts) do texts[column] = values[i] end
      if study.is_marked(block, i, "abandoned") then
        abandoned = abandoned + 1
      else
        table.insert(rows, { place = block:place(i), texts = texts })
      end
    end
  end
  return dataset.of_texts(data.name, data.columns, rows), abandoned
end

--- A study with a row a play instead of a row an attempt. One with a row a play remains as it is.
---@return Dataset
---@return integer unfinished   number of plays left out: neither solved nor skipped
---@return { attempts: integer, plays: integer }? joined   if a play has several attempts
function attempts.merged(data)
  if not data.has.solved then return data, 0 end
  local plays = attempts.plays(data)
  local finished = lists.select(plays, function(play) return play.solved or play.skipped end)
  local count = 0
  for _, play in ipairs(plays) do count = count + play.attempts end
  return of_plays(data, finished, lists.set { "solved", "lost_by" }), #plays - #finished,
    count > #plays and { attempts = count, plays = #plays } or nil
end

return attempts
