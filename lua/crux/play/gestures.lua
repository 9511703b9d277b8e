--- What a finger or the mouse does on a board, as inputs that pages send: squares, keys, and "drop" for what the cursor holds.
local gestures = {}

--- The inputs of a gesture, which may each have the milliseconds since the one before behind them: "1,1 space 2,1+80 drop".
---@return string[]
function gestures.inputs(value)
  local list = {}
  for input in value:gmatch "%S+" do table.insert(list, input:match "^(.+)%+%d+$" or input) end
  return list
end

function gestures.is_square(input) return input:find "^%d%d?%d?,%d%d?%d?$" ~= nil end

--- Makes an input: points to a square, drops what the cursor holds, or presses a key.
---@param press fun(key: string)
function gestures.make(session, rules, input, press)
  if gestures.is_square(input) then
    session:point(tonumber(input:match "^%d+"), tonumber(input:match "%d+$"))
  elseif input ~= "drop" then
    press(input)
  elseif session:holds() then
    press(rules.click)
  end
end

return gestures
