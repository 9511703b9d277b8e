--- A question that is answered with an integer of a scale, typed digit by digit. No terminal.
---@class Question
---@field text string
---@field low integer
---@field high integer
---@field typed string
local Question = {}
Question.__index = Question

---@param text string
---@param low integer    the scale, from 0 on
---@param high integer
---@return Question
function Question.new(text, low, high) return setmetatable({ text = text, low = low, high = high, typed = "" }, Question) end

--- A key is pressed: a digit, or backspace; others do nothing, nor do digits that lead beyond the scale.
---@param key string
function Question:press(key)
  local typed = self.typed .. key
  if key == "backspace" then
    self.typed = self.typed:sub(1, -2)
  elseif key:find "^%d$" and tonumber(typed) <= self.high and not typed:find "^0%d" and (typed ~= "0" or self.low == 0) then
    self.typed = typed
  end
end

--- What has been typed; nil while it is no answer.
---@return integer?
function Question:answer()
  local value = math.tointeger(self.typed)
  return value and value >= self.low and value or nil
end

--- What a player sees.
function Question:__tostring() return ("%s %s"):format(self.text, self.typed) end

return Question
