--- Questions of study scripts to players: "age: 1..120", or { "age: 1..120", label = "How old are you?", required = true,
--- right = "18..120", wrong = "end" }; and what their answers lead to.
local fault = require "crux.base.fault"
local fields = require "crux.serve.fields"
local interview = require "crux.play.interview"
local json = require "crux.base.json"
local lists = require "crux.base.lists"

local questions = {}

--- What follows a wrong answer: the study ends for this player (screening), the page is shown again (a check whether it was
--- understood), or it is noted alone (a check of attention).
local consequences = { "end", "again", "note" }

local known = {
  { "label", fields.is_text, "a text" },
  { "required", fields.is_flag, "true or false", false },
  { "right", fields.is_text, "LOW..HIGH, or CHOICE, CHOICE" },
  fields.choice("wrong", consequences, "note"),
}

function questions.is_one(value) return fields.is_text(value) or type(value) == "table" and fields.is_text(value[1]) end

questions.expected = "a list of NAME, NAME: LOW..HIGH and NAME: CHOICE, CHOICE"

--- The items of a field.
---@param list (string|table)[]
---@param where string                    begins messages
---@param labels table<string, string>    words of the questions without a `label`, by name
---@param taken string[]                  names that no question may have
---@return Item[]
function questions.read(list, where, labels, taken)
  local names = lists.map(list, function(one) return type(one) == "table" and one[1] or one end)
  local items = interview.parse(table.concat(names, "; "), where)
  if #items ~= #list then fault.at(where, "a question with ';'", "none") end
  for i, item in ipairs(items) do
    if lists.contains(taken, item.name) then
      fault.at(where, fault.show(item.name), "a name that no other question and no column of an export has")
    end
    local given = type(list[i]) == "table" and lists.merge(list[i]) or {}
    given[1] = nil
    local place = ("%s: question '%s'"):format(where, item.name)
    given = fields.checked(given, known, place)
    item.label, item.wrong = given.label or labels[item.name] or item.name, given.wrong
    item.right = given.right and interview.parse(item.name .. ": " .. given.right, place .. ": field 'right'")[1]
    item.required = given.required or item.right ~= nil
  end
  return items
end

--- The answers to some items; nil if one is not as asked for.
---@param given table<string, string>
---@param is_lenient boolean?   answers that are required may be missing
---@return table<string, string>?
function questions.answers(items, given, is_lenient)
  local answers = {}
  for _, item in ipairs(items) do
    local text = given[item.name] or ""
    answers[item.name] = (text ~= "" or not is_lenient) and interview.value(item, text) or is_lenient and "" or nil
    if not answers[item.name] then return nil end
  end
  return answers
end

--- The names of the items with wrong answers, with "+" between, and the worst that follows; "note" if none is wrong.
---@return string names
---@return "end"|"again"|"note"
function questions.wrong(items, answers)
  local names, worst = {}, #consequences
  for _, item in ipairs(items) do
    if item.right and not interview.value(item.right, answers[item.name]) then
      table.insert(names, item.name)
      for i, consequence in ipairs(consequences) do worst = consequence == item.wrong and math.min(i, worst) or worst end
    end
  end
  return table.concat(names, "+"), consequences[worst]
end

--- An item for the page.
---@return table   json.object
function questions.shown(item)
  return json.object { { "name", item.name }, { "label", item.label }, { "low", item.low }, { "high", item.high },
    { "choices", item.choices }, { "required", item.required } }
end

--- What the database keeps of a question: when it is asked, its name, words and values; the block and what is right only where
--- there are some, so that studies without them are described as by former versions of crux.
---@param block string
---@return table   json.object
function questions.described(asked, name, label, values, block, right)
  local row = { { "asked", asked }, { "name", name }, { "label", label }, { "values", values } }
  if block ~= "" then table.insert(row, { "block", block }) end
  if right then table.insert(row, { "right", right }) end
  return json.object(row)
end

return questions
