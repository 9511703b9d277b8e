--- A player's participation in a study: plays the levels of a plan in order and asks questions about each. Uses no terminal.
---
--- A level may be skipped after a minute (Mutser 2014, section 5.3) or after two losses (Biemer and Cooper, section 3.3); a
--- solved level has to be rated. There are no hints, and names of levels, which may be hints, are not shown.
local fault = require "crux.base.fault"
local Question = require "crux.play.question"
local Session = require "crux.play.session"

---@class Participation
---@field session Session       of the current level
---@field index integer         number of the current level; above the number of levels when all are done
---@field question Question?    to answer
---@field visible boolean       the player sees the board
---@field private rules Rules
---@field private levels { name: string, level: table, tutorial: boolean }[]
---@field private planned Planned
---@field private record Record
---@field private asked string      the column of the question
---@field private answers table<string, integer>   by column
---@field private offered boolean   the player was told that the level may be skipped
local Participation = { skip_seconds = 60, skip_losses = 2 }
Participation.__index = Participation

--- The columns of a study by plan beside those of every record.
---@param planned Planned
---@return string[]
function Participation.columns(planned) return planned.enjoyment and { "enjoyment", "tutorial" } or { "tutorial" } end

--- Raises a fault unless the rows of a record are the first levels of the player's plan.
local function check_record(rows, player, levels, planned)
  for i, row in ipairs(rows) do
    if row.player ~= player then fault.at(row.place, "player " .. fault.show(row.player), fault.show(player) .. " alone") end
    if not levels[i] then fault.at(row.place, "a level more", ("the %d of the plan"):format(#levels)) end
    if row.level ~= levels[i].name then
      fault.at(row.place, "level " .. fault.show(row.level),
        ("%s, as in %s"):format(fault.show(levels[i].name), levels[i].place))
    end
    if row.rating < planned.low or row.rating > planned.high then
      fault.at(row.place .. ": column 'rating'", fault.show(row.rating), ("%d to %d"):format(planned.low, planned.high))
    end
  end
end

--- Begins with the first level that is not recorded.
---@param rules Rules
---@param planned Planned
---@param levels table[]    of plan.levels
---@param record Record
---@return Participation
function Participation.new(rules, planned, levels, record)
  check_record(record.rows, record.player, levels, planned)
  local self = setmetatable({ rules = rules, planned = planned, levels = levels, record = record, visible = true },
    Participation)
  self:begin(#record.rows + 1)
  return self
end

function Participation:is_over() return self.index > #self.levels end

--- Begins the level with this number, if there is one.
function Participation:begin(index)
  self.index, self.offered, self.answers = index, false, {}
  if self:is_over() then return end
  self.session = Session.new(self.rules, self.levels[index].level)
  self:look()
end

function Participation:may_skip()
  return self.session.seconds >= Participation.skip_seconds or self.session.losses >= Participation.skip_losses
end

--- Asks the questions if the level is solved; tells the player when it may be skipped.
function Participation:look()
  local session = self.session
  if session:done() then
    self:ask()
  elseif self:may_skip() and not self.offered then
    self.offered = true
    session:say_first "x skips this level now"
  end
end

--- The questions in order: the column of the answer, and the text.
local questions = {
  { "rating", "Solved. How hard was it, from %d (very easy) to %d (very hard)?" },
  { "enjoyment", "How enjoyable was it, from %d (not at all) to %d (very)?" },
}

--- Asks the first question that is not answered; if there is none, finishes the level. A level of a tutorial is not rated.
function Participation:ask()
  local low, high = self.planned.low, self.planned.high
  if self.levels[self.index].tutorial then
    self.question = Question.new("Solved. Enter goes on", 0, -1)
    return
  end
  for i = 1, self.planned.enjoyment and 2 or 1 do
    local column, text = table.unpack(questions[i])
    if not self.answers[column] then
      self.asked, self.question = column, Question.new(text:format(low, high), low, high)
      return
    end
  end
  self:finish(false)
end

--- Records the level and begins the next one.
function Participation:finish(skipped)
  self.question = nil
  local session, entry = self.session, self.levels[self.index]
  self.record:append { level = entry.name, rating = self.answers.rating, enjoyment = self.answers.enjoyment,
    time = session.seconds, moves_used = session.moves, skipped = skipped, tutorial = entry.tutorial and 1 or 0 }
  self:begin(self.index + 1)
end

--- Takes a key while a question is asked.
function Participation:answer(key)
  local answer = self.question:answer()
  if key ~= "enter" then
    self.question:press(key)
  elseif self.levels[self.index].tutorial then
    self:finish(false)
  elseif answer then
    self.answers[self.asked] = answer
    self:ask()
  end
end

--- Takes a key. Returns false when the player quits or all levels are done.
---@param key string
function Participation:key(key)
  if key == "q" then return false end
  if self.question then
    self:answer(key)
  elseif key == "x" and self:may_skip() then
    self:finish(true)
  elseif self.visible and key ~= "?" then
    self.session:press(key)
    self:look()
  end
  return not self:is_over()
end

--- Adds to the player's time.
function Participation:pass(seconds)
  if self.question then return end
  self.session:pass(seconds)
  self:look()
end

--- The line above the board.
function Participation:title()
  local is_tutorial = self.levels[self.index].tutorial
  return ("level %d of %d%s"):format(self.index, #self.levels, is_tutorial and "  (to learn the game)" or "")
end

--- The keys that are not of the game.
function Participation:commands()
  return "u undo  r restart  " .. (self:may_skip() and "x skip  " or "") .. "q quit"
end

--- The message when the player quits or has finished.
function Participation:farewell()
  if self:is_over() then
    return ("Thank you! All %d levels are done; the record is %s"):format(#self.levels, self.record.path)
  end
  return ("%d of %d levels are done; go on with the same command"):format(self.index - 1, #self.levels)
end

return Participation
