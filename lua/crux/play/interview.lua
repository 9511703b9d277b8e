--- The questions to players about themselves before a study: items of a plan, and checks of the answers. Uses no terminal.
---
--- A plan's cell has items separated by ";": `NAME` takes any answer, `NAME: LOW..HIGH` a number, `NAME: CHOICE, CHOICE, ...`
--- one of the choices. An empty answer is no answer.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"

local interview = {}

---@class Item
---@field name string          the column of the answer
---@field label string?        the words of the question, in a study in browsers
---@field hint string          the allowed answers, in words; "" for any answer
---@field low number?
---@field high number?
---@field choices string[]?
---@field required boolean?    an empty answer is none that is allowed
---@field right Item?          says which answers are right, if some are wrong
---@field wrong "end"|"again"|"note"|nil   what follows a wrong answer, on a page of a study in browsers

local function trimmed(text) return text:match "^%s*(.-)%s*$" end

--- Reads the items of a cell.
---@param where string   begins messages
function interview.parse(text, where)
  local items, known = {}, { player = true, consent = true }
  for part in text:gmatch "[^;]+" do
    local name, hint = part:match "^%s*([%a_][%w_]*)%s*:%s*(.-)%s*$"
    name, hint = name or part:match "^%s*([%a_][%w_]*)%s*$", hint or ""
    local low, high = hint:match "^(.-)%.%.(.*)$"
    low, high = tonumber(low), tonumber(high)
    if not name or known[name] or low and high and low > high then
      fault.at(where, fault.show(trimmed(part)), "a new NAME, NAME: LOW..HIGH or NAME: CHOICE, CHOICE")
    end
    known[name] = true
    local item = { name = name, hint = hint, low = low, high = high }
    if hint ~= "" and not (low and high) then
      item.choices = {}
      for choice in hint:gmatch "[^,]+" do table.insert(item.choices, trimmed(choice)) end
    end
    table.insert(items, item)
  end
  return items
end

function interview.prompt(item) return ("%s%s: "):format(item.name, item.hint ~= "" and (" (%s)"):format(item.hint) or "") end

--- The most bytes of an answer.
local LONGEST <const> = 400

--- The value of an answer, "" for none; nil for an answer that the item does not allow.
---@return string?
function interview.value(item, answer)
  answer = trimmed(answer)
  local value = tonumber(answer)
  if #answer > LONGEST or not utf8.len(answer) then return nil end
  if answer == "" and item.required then return nil end
  if answer == "" or not item.low and not item.choices then return answer end
  if item.low then return value and value >= item.low and value <= item.high and answer or nil end
  return lists.contains(item.choices, answer) and answer or nil
end

return interview
