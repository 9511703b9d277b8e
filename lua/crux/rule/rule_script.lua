--- The fields of rule scripts: checks and writes them.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local number = require "crux.base.number"

local rule_script = {}

--- The fields of a rule script, in the order of writing.
rule_script.fields = { "name", "doc", "game", "path", "predicts", "target", "scale", "weights", "formula", "params", "fit",
  "bases", "coefficients", "parameters", "players", "aliased", "ranges", "intervals", "front" }

--- Those that are texts, or for the formula a function; the others are tables.
local texts = lists.set { "name", "doc", "game", "path", "predicts", "weights", "formula", "fit" }

--- Refuses unknown fields, and fields of a wrong type.
---@param spec table    the argument of crux.rule
---@param where string   names the script in messages
function rule_script.check(spec, where)
  local known = lists.set(rule_script.fields)
  for _, name in ipairs(rule_script.fields) do
    local kind, expected = type(spec[name]), texts[name] and "string" or "table"
    if kind ~= "nil" and kind ~= expected and not (name == "formula" and kind == "function") then
      fault.at(("%s: field '%s'"):format(where, name), "a " .. kind,
        "a " .. expected .. (name == "formula" and " or a function" or ""))
    end
  end
  for key in pairs(spec) do
    if not known[key] then fault.unknown(where, "field", key, rule_script.fields) end
  end
  if not spec.formula then fault.at(where, "no formula", "a field 'formula'") end
  local low, high = table.unpack(spec.scale or { 1, 10 })
  if not (math.type(low) and math.type(high) and (low < high or high < low)) or spec.scale and #spec.scale ~= 2 then
    fault.at(where .. ": field 'scale'", "something else", "two different numbers, that of the easiest level first")
  end
  local target = spec.target
  if target and (type(target[1]) ~= "string" or type(target.falls) ~= "boolean" or spec.predicts) then
    fault.at(where .. ": field 'target'", spec.predicts and "also a field 'predicts'" or "something else",
      "{ \"COLUMN\", falls = true } and no field 'predicts'")
  end
  for _, term in ipairs(spec.aliased or {}) do
    if type(term) ~= "string" then fault.at(where .. ": field 'aliased'", fault.show(term), "the names of terms") end
  end
end

--- Refuses coefficients of unknown terms, and terms without a coefficient.
local function check_coefficients(rule, where)
  if not rule.coefficients then return end
  if rule.formula.has_dot then
    fault.at(where .. ": coefficients", "'.' in the formula", "the measures by name, as coefficients belong to them")
  end
  if #rule.formula.based > 0 and not rule.formula.bases then
    fault.at(where, "no bases", ("a field 'bases' with what '%s' has learned, as crux fit -o writes it"):format(
      rule.formula.based[1].name))
  end
  local names, aliased = lists.field(rule.formula.terms), lists.set(rule.aliased or {})
  local expected = lists.set(names)
  for _, term in ipairs(rule.formula.terms) do
    if not rule.coefficients[term.name] and not aliased[term.name] then
      fault.raise(("%s: coefficients: found none for the term '%s', expected a number"):format(where, term.name))
    end
  end
  for term, value in pairs(rule.coefficients) do
    if not expected[term] then fault.unknown(where .. ": coefficients", "term", term, names) end
    if not number.is_finite(value) then
      fault.at(("%s: coefficient '%s'"):format(where, term), fault.show(value), "a finite number")
    end
  end
end

--- Refuses values that are neither numbers nor lists of numbers.
local function check_values(values, where, noun)
  for name, value in pairs(values or {}) do
    if type(name) ~= "string" then fault.at(("%s: %s"):format(where, noun), fault.show(name), "a name") end
    for _, element in ipairs(type(value) == "table" and value or { value }) do
      if not number.is_finite(element) then
        fault.at(("%s: %s '%s'"):format(where, noun, tostring(name)), fault.show(element), "a number or a list of numbers")
      end
    end
  end
end

--- Refuses wrong parameters and effects of players, and coefficients of a fit without its parameters.
local function check_parameters(rule, where)
  for _, name in ipairs(rule.coefficients and rule.method.fit.parameters or {}) do
    if not (rule.parameters or {})[name] then
      fault.raise(("%s: parameters: found no '%s', expected it as crux fit -o writes it"):format(where, name))
    end
  end
  check_values(rule.parameters, where, "parameter")
  check_values(rule.players, where, "player")
  check_values(rule.front, where, "front")
  local grouping = rule.formula:grouping "player"
  if rule.players and not grouping then fault.at(where .. ": players", "some", "none, as no grouping term is by player") end
  for name, value in pairs(rule.players or {}) do
    local count = type(value) == "table" and #value or 1
    if count ~= #grouping.effects then
      fault.at(("%s: player '%s'"):format(where, tostring(name)), number.count(count, "number"),
        ("as many as (... | player) has effects, %d"):format(#grouping.effects))
    end
  end
end

--- Refuses wrong coefficients and parameters of a rule with a formula.
function rule_script.check_numbers(rule, where)
  check_coefficients(rule, where)
  check_parameters(rule, where)
end

local keywords = {}
for word in ("and break do else elseif end false for function goto if in local nil not or repeat return then true until while")
  :gmatch "%a+" do
  keywords[word] = true
end

local function key(name)
  return name:match "^[%a_][%w_]*$" and not keywords[name] and name or ("[%q]"):format(name)
end

local function literal(value)
  if type(value) == "string" then return ("%q"):format(value):gsub("\\\n", "\\n") end
  if math.abs(value) == math.huge then return value > 0 and "math.huge" or "-math.huge" end
  return (number.exact(value))
end

local function list_of(values) return ("{ %s }"):format(table.concat(lists.map(values, literal), ", ")) end

--- A list as the value of a field, on several lines if it is long.
local function long_list(values)
  local text = list_of(values)
  if #text < 100 then return text end
  local lines, line = { "{" }, "     "
  for _, value in ipairs(values) do
    local word = literal(value)
    if #line + #word > 118 then
      table.insert(lines, line)
      line = "     "
    end
    line = ("%s %s,"):format(line, word)
  end
  table.insert(lines, line)
  return table.concat(lines, "\n") .. "\n    }"
end

--- Adds the lines of a table of numbers, or lists of numbers, by name.
local function table_lines(lines, field, names, values)
  table.insert(lines, ("  %s = {"):format(field))
  for _, name in ipairs(names) do
    local value = values[name]
    if value then
      table.insert(lines, ("    %s = %s,"):format(key(name), type(value) == "table" and long_list(value) or literal(value)))
    end
  end
  table.insert(lines, "  },")
end

--- Adds the lines of the bases of a formula.
local function insert_bases(lines, learned)
  if not learned.bases or #learned.based == 0 then return end
  table.insert(lines, "  bases = {")
  for _, variable in ipairs(learned.based) do
    local words = lists.map(learned.bases[variable.name]:fields(), function(field)
      return ("%s = %s"):format(field[1], list_of(field[2]))
    end)
    table.insert(lines, ("    %s = { %s },"):format(key(variable.name), table.concat(words, ", ")))
  end
  table.insert(lines, "  },")
end

--- Fields that are tables of numbers, or lists of them, by name.
local numbers_by_name = { coefficients = true, parameters = true, players = true, ranges = true, intervals = true,
  front = true, params = true }

--- The script of a rule with a formula, or with the text of a Lua function, `in_lua`.
---@param remark string   the first line: the origin of the numbers
function rule_script.write(rule, remark)
  local lines = { "-- " .. remark:gsub("%c", " "), "return crux.rule {" }
  for _, name in ipairs(rule_script.fields) do
    local value = name == "game" and rule.written_game or rule[name]
    if name == "formula" then
      value = rule.in_lua or literal(rule.formula.text)
    elseif name == "target" then
      value = rule.target_falls and rule.predicts and ("{ %s, falls = true }"):format(literal(rule.predicts))
    elseif name == "bases" then
      insert_bases(lines, rule.formula)
    elseif value and numbers_by_name[name] then
      local keys = name == "coefficients" and lists.field(rule.formula.terms) or lists.keys(value)
      table_lines(lines, name, keys, value)
      value = nil
    elseif value then
      value = type(value) == "table" and list_of(value) or literal(value)
    end
    if name == "predicts" and rule.target_falls then value = nil end -- 'target' has it
    if value then table.insert(lines, ("  %s = %s,"):format(name, value)) end
  end
  table.insert(lines, "}\n")
  return table.concat(lines, "\n")
end

return rule_script
