--- A question: its answer is an integer of a scale, or one that an item of an interview allows. Uses no terminal.
local interview = require "crux.play.interview"

---@class Question
---@field text string
---@field low integer
---@field high integer
---@field item Item?       says which answers are allowed, in place of the scale; "" is no answer
---@field typed string
local Question = {}
Question.__index = Question

---@param low integer    at least 0
---@return Question
function Question.new(text, low, high) return setmetatable({ text = text, low = low, high = high, typed = "" }, Question) end

---@return Question
function Question.about(item)
  return setmetatable({ text = item.label, low = 0, high = -1, item = item, typed = "" }, Question)
end

--- Takes a key: a digit or backspace. Other keys, and digits that lead beyond the scale, do nothing.
function Question:press(key)
  local typed = self.typed .. key
  if key == "backspace" then
    self.typed = self.typed:sub(1, -2)
  elseif key:find "^%d$" and tonumber(typed) <= self.high and not typed:find "^0%d" and (typed ~= "0" or self.low == 0) then
    self.typed = typed
  end
end

--- The typed answer; nil while it is not allowed.
---@return integer|string|nil
function Question:answer()
  if self.item then return interview.value(self.item, self.typed) end
  local value = math.tointeger(self.typed)
  return value and value >= self.low and value <= self.high and value or nil
end

--- Takes a whole answer. Returns false, and keeps what was typed, if it is not allowed.
function Question:take(text)
  local before = self.typed
  self.typed = text
  local answer = self:answer()
  if answer and tostring(answer) == text then return true end
  self.typed = before
  return false
end

--- The line that the player sees.
function Question:__tostring() return ("%s %s"):format(self.text, self.typed) end

return Question
