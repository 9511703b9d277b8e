--- The fields of rule scripts: what they must be, and how they are written.
local fault = require "crux.base.fault"
local nearest = require "crux.base.nearest"
local number = require "crux.base.number"

local rule_script = {}

--- The fields of a rule script, in the order in which they are written, and what each must be.
rule_script.fields = {
  { name = "name", kind = "string" },
  { name = "doc", kind = "string" },
  { name = "game", kind = "string" },
  { name = "predicts", kind = "string" },
  { name = "scale", kind = "table" },
  { name = "weights", kind = "string" },
  { name = "formula", kind = "string", also = "function" },
  { name = "params", kind = "table" },
  { name = "fit", kind = "string" },
  { name = "bases", kind = "table" },
  { name = "coefficients", kind = "table" },
  { name = "parameters", kind = "table" },
  { name = "aliased", kind = "table" },
  { name = "ranges", kind = "table" },
  { name = "intervals", kind = "table" },
}

--- Refuses fields that are unknown, or not of their kind.
---@param spec table    what a rule script gave to crux.rule
---@param where string   names the script in messages
function rule_script.check(spec, where)
  local names, known = {}, {}
  for i, field in ipairs(rule_script.fields) do
    names[i], known[field.name] = field.name, true
    local kind = type(spec[field.name])
    if kind ~= "nil" and kind ~= field.kind and kind ~= field.also then
      fault.at(("%s: field '%s'"):format(where, field.name), "a " .. kind,
        "a " .. field.kind .. (field.also and " or a " .. field.also or ""))
    end
  end
  for key in pairs(spec) do
    if not known[key] then
      fault.raise(("%s: found the unknown field '%s'; %s"):format(where, tostring(key), nearest.hint(tostring(key), names)))
    end
  end
  if not spec.formula then fault.at(where, "no formula", "a field 'formula'") end
  local low, high = table.unpack(spec.scale or { 1, 10 })
  if not (math.type(low) and math.type(high) and (low < high or high < low)) or spec.scale and #spec.scale ~= 2 then
    fault.at(where .. ": field 'scale'", "something else", "two different numbers, that of the easiest level first")
  end
  for _, term in ipairs(spec.aliased or {}) do
    if type(term) ~= "string" then fault.at(where .. ": field 'aliased'", fault.show(term), "the names of terms") end
  end
end

--- Refuses coefficients that do not belong to the terms, and terms without one.
local function check_coefficients(self, where)
  if not self.coefficients then return end
  if self.formula.has_dot then
    fault.at(where .. ": coefficients", "'.' in the formula", "the measures by name, as coefficients belong to them")
  end
  if #self.formula.based > 0 and not self.formula.bases then
    fault.at(where, "no bases", ("a field 'bases' with what '%s' has learned, as crux fit -o writes it"):format(
      self.formula.based[1].name))
  end
  local expected, names, aliased = {}, {}, {}
  for _, name in ipairs(self.aliased or {}) do aliased[name] = true end
  for i, term in ipairs(self.formula.terms) do
    expected[term.name], names[i] = true, term.name
    if not self.coefficients[term.name] and not aliased[term.name] then
      fault.raise(("%s: coefficients: found none for the term '%s', expected a number"):format(where, term.name))
    end
  end
  for term, value in pairs(self.coefficients) do
    if not expected[term] then
      fault.raise(("%s: coefficients: found '%s', which is no term of the formula; %s"):format(where, tostring(term),
        nearest.hint(tostring(term), names)))
    end
    if not number.is_finite(value) then
      fault.at(("%s: coefficient '%s'"):format(where, term), fault.show(value), "a finite number")
    end
  end
end

--- Refuses parameters that are neither numbers nor lists of numbers, and coefficients without those that they need.
local function check_parameters(self, where)
  for _, name in ipairs(self.coefficients and self.method.fit.parameters or {}) do
    if not (self.parameters or {})[name] then
      fault.raise(("%s: parameters: found no '%s', expected it as crux fit -o writes it"):format(where, name))
    end
  end
  for name, value in pairs(self.parameters or {}) do
    for _, element in ipairs(type(value) == "table" and value or { value }) do
      if not number.is_finite(element) then
        fault.at(("%s: parameter '%s'"):format(where, tostring(name)), fault.show(element), "a number or a list of numbers")
      end
    end
  end
end

--- Refuses the numbers of a rule with a formula that do not belong to it.
---@param self Rule
function rule_script.check_numbers(self, where)
  check_coefficients(self, where)
  check_parameters(self, where)
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

local function list_of(values)
  local words = {}
  for i, value in ipairs(values) do words[i] = literal(value) end
  return ("{ %s }"):format(table.concat(words, ", "))
end

--- A list behind a key, over several lines if it is long.
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

--- The lines of a table of numbers, or lists of them, by name.
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

local function sorted_names(values)
  local names = {}
  for name in pairs(values) do table.insert(names, name) end
  table.sort(names)
  return names
end

--- What a formula has learned, as lines of a rule script.
local function insert_bases(lines, learned)
  if not learned.bases or #learned.based == 0 then return end
  table.insert(lines, "  bases = {")
  for _, variable in ipairs(learned.based) do
    local words = {}
    for i, field in ipairs(learned.bases[variable.name]:fields()) do
      words[i] = ("%s = %s"):format(field[1], list_of(field[2]))
    end
    table.insert(lines, ("    %s = { %s },"):format(key(variable.name), table.concat(words, ", ")))
  end
  table.insert(lines, "  },")
end

--- Fields that are tables of numbers, or lists of them, by name.
local numbers_by_name = { coefficients = true, parameters = true, ranges = true, intervals = true }

--- A rule with a formula as a script.
---@param self Rule
---@param remark string   the first line: where the numbers come from
---@return string
function rule_script.write(self, remark)
  local lines = { "-- " .. remark:gsub("%c", " "), "return crux.rule {" }
  for _, field in ipairs(rule_script.fields) do
    local value = self[field.name]
    if field.name == "formula" then
      value = literal(self.formula.text)
    elseif field.name == "bases" then
      insert_bases(lines, self.formula)
    elseif value and numbers_by_name[field.name] then
      local names = field.name ~= "coefficients" and sorted_names(value) or {}
      for i, term in ipairs(field.name == "coefficients" and self.formula.terms or {}) do names[i] = term.name end
      table_lines(lines, field.name, names, value)
      value = nil
    elseif value then
      value = type(value) == "table" and list_of(value) or literal(value)
    end
    if value then table.insert(lines, ("  %s = %s,"):format(field.name, value)) end
  end
  table.insert(lines, "}\n")
  return table.concat(lines, "\n")
end

return rule_script
