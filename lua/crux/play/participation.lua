--- A player's participation in a study: plays the levels of a plan in order and asks questions about each. Uses no terminal.
---
--- A level may be skipped after a minute (Mutser 2014, section 5.3) or after two losses (Biemer and Cooper 2024, section 3.3),
--- a level of the tutorial at once. There are no hints, and names of levels, which may be hints, are not shown.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local Question = require "crux.play.question"
local Session = require "crux.play.session"

---@class Participation
---@field session Session       of the current level
---@field index integer         number of the current level; above the number of levels when all are done
---@field question Question?    to which the player has to give an answer
---@field visible boolean       the player sees the board
---@field private rules Rules
---@field private levels { name: string, level: table, tutorial: boolean }[]
---@field private planned Planned
---@field private plays Plays
---@field asked string?     the column of the question; nil if it only asks to go on
---@field outcome "Solved"|"Skipped"   of the level that the questions are about
---@field private answers table<string, integer|string>   by column
---@field skip_seconds number   a level may be skipped after this time,
---@field skip_losses integer   or after this number of losses
---@field private offered boolean   the player was told that the level may be skipped
local Participation = { skip_seconds = 60, skip_losses = 2 }
Participation.__index = Participation

--- The number of the first level of the plan that the rows of a record do not finish. Raises a fault unless the rows are about
--- the first levels of the player's plan, in its order.
local function next_index(rows, player, levels, planned)
  local index, finished = 1, 0
  for _, row in ipairs(rows) do
    if row.player ~= player then fault.at(row.place, "player " .. fault.show(row.player), fault.show(player) .. " alone") end
    if finished >= planned.before then
      if not levels[index] then fault.at(row.place, "a level more", ("the %d of the plan"):format(#levels)) end
      if row.level ~= levels[index].name then
        fault.at(row.place, "level " .. fault.show(row.level),
          ("%s, as in %s"):format(fault.show(levels[index].name), levels[index].place))
      end
      if row.rating < planned.low or row.rating > planned.high then
        fault.at(row.place .. ": column 'rating'", fault.show(row.rating), ("%d to %d"):format(planned.low, planned.high))
      end
      index = index + (row.finished and 1 or 0)
    end
    finished = finished + (row.finished and 1 or 0)
  end
  if finished < planned.before then
    fault.at(levels[1].place, ("position %d"):format(planned.before + 1),
      ("%d, behind the levels in the record of player %s"):format(finished + 1, fault.show(player)))
  end
  return index
end

--- Begins a participation at the first level that the record does not finish.
---@param levels table[]    of plan.levels
function Participation.new(rules, planned, levels, plays)
  local self = setmetatable({ rules = rules, planned = planned, levels = levels, plays = plays, visible = true,
    skip_seconds = planned.skip_seconds, skip_losses = planned.skip_losses }, Participation)
  self:begin(next_index(plays.rows, plays.record.player, levels, planned))
  return self
end

function Participation:is_over() return self.index > #self.levels end

--- Begins the level with this number, if there is one.
function Participation:begin(index)
  self.index, self.offered, self.asked, self.answers = index, false, nil, {}
  if self:is_over() then return end
  self.session = Session.new(self.rules, self.levels[index].level, function() self:add {} end)
  self:look()
end

function Participation:is_tutorial() return self.levels[self.index].tutorial end

--- Tells whether the level may be skipped, now or in some seconds.
---@param seconds number?
function Participation:may_skip(seconds)
  local played, most = self.session.seconds + (seconds or 0), self.planned.level_seconds
  return self:is_tutorial() or played >= self.skip_seconds or most ~= nil and played >= most
    or self.session.losses >= self.skip_losses
end

--- The seconds that are left for the level, after some more; nil if there may be any number.
---@param seconds number?
---@return number?
function Participation:time_left(seconds)
  local most = self.planned.level_seconds
  return most and math.max(0, most - self.session.seconds - (seconds or 0))
end

--- Asks the questions if the level is solved; tells the player when it may be skipped.
function Participation:look()
  local session = self.session
  if session:done() then
    self:ask "Solved"
  elseif self:may_skip() and not self.offered then
    self.offered = true
    session:say_first(("x skips this level %s"):format(self:is_tutorial() and "if you know the game" or "now"))
  end
end

--- The columns of ratings, and the questions.
local ratings = {
  { "rating", "How hard was it, from %d (very easy) to %d (very hard)?" },
  { "enjoyment", "How enjoyable was it, from %d (not at all) to %d (very)?" },
}

--- The columns that are asked about this level after its outcome, in order, and the questions.
---@return { [1]: string, [2]: Question }[]
function Participation:questions()
  local planned, is_asked, list = self.planned.questions, self.outcome == "Solved", {}
  if self:is_tutorial() then
    is_asked = is_asked and planned.tutorial
  else
    is_asked = is_asked or planned.skipped
  end
  if not is_asked then return list end
  local low, high = self.planned.low, self.planned.high
  for i = 1, planned.enjoyment and 2 or 1 do
    local column, text = table.unpack(ratings[i])
    list[i] = { column, Question.new(((i == 1 and self.outcome .. ". " or "") .. text):format(low, high), low, high) }
  end
  for _, item in ipairs(self.planned.ask_after or {}) do table.insert(list, { item.name, Question.about(item) }) end
  return list
end

--- Asks the first question that is not answered; if there is none, finishes the level, or waits until the player goes on where
--- the plan lets them change answers until then.
---@param outcome "Solved"|"Skipped"
function Participation:ask(outcome)
  self.outcome = outcome
  for _, row in ipairs(self:questions()) do
    if not self.answers[row[1]] then
      self.asked, self.question = table.unpack(row)
      return
    end
  end
  local waits = outcome == "Solved" and not self.asked or self.asked and self.planned.may_change
  self.asked = nil
  if not waits then return self:finish() end
  self.question = Question.new(outcome .. ". Enter goes on", 0, -1)
end

--- The columns and questions that were answered before the one that is asked.
---@return { [1]: string, [2]: Question }[]
function Participation:answered()
  local list = {}
  for _, row in ipairs(self:questions()) do
    if row[1] == self.asked then break end
    table.insert(list, row)
  end
  return list
end

--- Asks the question before again; its answer stays until another is given.
function Participation:back()
  local before = self:answered()
  self.asked, self.question = table.unpack(before[#before])
end

--- Records the attempt that ends.
---@param row { solved: boolean?, skipped: boolean?, rating: integer?, enjoyment: integer? }   and answers by column
function Participation:add(row)
  row.level, row.tutorial = self.levels[self.index].name, self:is_tutorial()
  self.plays:add(self.session, row)
end

--- What is known about the attempt that goes on: the outcome, and the answers so far.
function Participation:result()
  return lists.merge(self.answers, { solved = self.outcome == "Solved", skipped = self.outcome == "Skipped" })
end

--- Records the level and begins the next one.
function Participation:finish()
  self.question = nil
  self:add(self:result())
  self:begin(self.index + 1)
end

--- Takes a key while a question is asked.
function Participation:answer(key)
  local answer = self.question:answer()
  if key ~= "enter" then
    self.question:press(key)
  elseif not self.asked then
    self:finish()
  elseif answer then
    self.answers[self.asked] = answer
    self:ask(self.outcome)
  end
end

--- Takes a key. Returns false when the player quits or all levels are done. Who quits at a question has finished the level:
--- what has been typed is kept, other answers are missing.
function Participation:key(key)
  if key == "q" then
    if self.asked then self.answers[self.asked] = self.question:answer() end
    if self.question then self:finish() end
    return false
  end
  if self.question then
    self:answer(key)
  elseif key == "x" and self:may_skip() then
    self:ask "Skipped"
  elseif self.visible and key ~= "?" then
    self.session:press(key)
    self:look()
  end
  return not self:is_over()
end

function Participation:pass(seconds)
  if self.question then return end
  self.session:pass(seconds)
  self:look()
end

--- The number of the level in the study, and of the last one.
function Participation:place() return self.planned.before + self.index, self.planned.before + #self.levels end

--- The line above the board.
function Participation:title()
  local number, count = self:place()
  return ("level %d of %d%s"):format(number, count, self:is_tutorial() and "  (to learn the game)" or "")
end

--- The keys of commands, beside those of the game.
function Participation:commands()
  return "u undo  r restart  " .. (self:may_skip() and "x skip  " or "") .. "q quit"
end

--- The message when the player quits or has finished.
function Participation:farewell()
  local number, count = self:place()
  if self:is_over() then
    return ("Thank you! All %d levels are done; the record is %s"):format(count, self.plays.record.path)
  end
  return ("%d of %d levels are done; go on with the same command"):format(number - 1, count)
end

return Participation
