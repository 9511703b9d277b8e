--- A player's way through the levels of a plan: which is up, when it may be skipped, and what is asked about it. No terminal.
---
--- A level may be skipped after a minute (Mutser 2014, section 5.3) or when it was lost twice (Biemer and Cooper, section 3.3);
--- one that is solved has to be rated. There are no hints, and names of levels, which may tell too much, are not shown.
local fault = require "crux.base.fault"
local Question = require "crux.play.question"
local Session = require "crux.play.session"

---@class Sitting
---@field session Session       of the level that is played
---@field index integer         its number; above that of the levels when all is done
---@field question Question?    that is asked
---@field visible boolean       the board can be seen
---@field private rules Rules
---@field private levels { name: string, level: table, tutorial: boolean }[]
---@field private planned Planned
---@field private record Record
---@field private asked string      the column of the question
---@field private answers table<string, integer>   by column
---@field private offered boolean   the player knows that the level may be skipped
local Sitting = { skip_seconds = 60, skip_losses = 2 }
Sitting.__index = Sitting

--- The columns of a record that a study by plan has beside those of any other.
---@param planned Planned
---@return string[]
function Sitting.columns(planned) return planned.enjoyment and { "enjoyment", "tutorial" } or { "tutorial" } end

--- Refuses a record that is not the beginning of what is planned for the player.
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

--- Goes on with the first level that is not recorded.
---@param rules Rules
---@param planned Planned
---@param levels table[]    as plan.levels finds them
---@param record Record
---@return Sitting
function Sitting.new(rules, planned, levels, record)
  check_record(record.rows, record.player, levels, planned)
  local self = setmetatable({ rules = rules, planned = planned, levels = levels, record = record, visible = true }, Sitting)
  self:begin(#record.rows + 1)
  return self
end

function Sitting:is_over() return self.index > #self.levels end

--- Begins a level, if there is one of this number.
function Sitting:begin(index)
  self.index, self.offered, self.answers = index, false, {}
  if self:is_over() then return end
  self.session = Session.new(self.rules, self.levels[index].level)
  self:look()
end

function Sitting:may_skip()
  return self.session.seconds >= Sitting.skip_seconds or self.session.losses >= Sitting.skip_losses
end

--- Looks what has become of the level.
function Sitting:look()
  local session = self.session
  if session:done() then
    self:ask()
  elseif self:may_skip() and not self.offered then
    self.offered = true
    session.message = "x skips this level now" .. (session.message ~= "" and "; " .. session.message or "")
  end
end

--- The questions, in their order, by the column that gets the answer.
local questions = {
  { "rating", "Solved. How hard was it, from %d (very easy) to %d (very hard)?" },
  { "enjoyment", "How enjoyable was it, from %d (not at all) to %d (very)?" },
}

--- Asks the first question that is not answered; when there is none, the level is over. A level of a tutorial is not rated:
--- it is only seen that it is solved.
function Sitting:ask()
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

--- Records the level and goes on to the next.
function Sitting:finish(skipped)
  self.question = nil
  local session, entry = self.session, self.levels[self.index]
  self.record:append { level = entry.name, rating = self.answers.rating, enjoyment = self.answers.enjoyment,
    time = session.seconds, moves_used = session.moves, skipped = skipped, tutorial = entry.tutorial and 1 or 0 }
  self:begin(self.index + 1)
end

--- A key while a question is asked.
function Sitting:answer(key)
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

--- A key is pressed. Returns false when the player quits or has done all.
---@param key string
function Sitting:key(key)
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

--- Time goes by for the player.
function Sitting:pass(seconds)
  if self.question then return end
  self.session:pass(seconds)
  self:look()
end

--- What stands above the board.
function Sitting:title()
  local taught = self.levels[self.index].tutorial
  return ("level %d of %d%s"):format(self.index, #self.levels, taught and "  (to learn the game)" or "")
end

--- The keys that are not the game's.
function Sitting:commands()
  return "u undo  r restart  " .. (self:may_skip() and "x skip  " or "") .. "q quit"
end

--- What is said when the player leaves, whichever way.
function Sitting:farewell()
  if self:is_over() then
    return ("Thank you! All %d levels are done; the record is %s"):format(#self.levels, self.record.path)
  end
  return ("%d of %d levels are done; go on with the same command"):format(self.index - 1, #self.levels)
end

return Sitting
