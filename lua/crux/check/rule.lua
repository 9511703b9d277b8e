--- What is wrong with a rule script: its fields, the measures that it names, and what its function makes of them.
local fault = require "crux.base.fault"
local game = require "crux.game.game"
local nearest = require "crux.base.nearest"
local params = require "crux.rule.params"
local rule = require "crux.rule.rule"

local check = {}

local function names_of(self)
  local names = {}
  for i, measure in ipairs(self.measures) do names[i] = measure.name end
  return names
end

--- Where a name stands in a rule: within the formula.
local function line_of(text, name)
  local line = text:field "formula" or 1
  for number = line, #text.lines do
    if (" " .. text.lines[number] .. " "):find("%f[%w_]" .. name:gsub("%p", "%%%0") .. "%f[^%w_]") then return number end
  end
  return line
end

--- Refuses measures of the formula that neither the game nor the datasets beside it have.
---@param has table<string, boolean>   what the datasets have
local function check_names(self, path, owner, has, findings)
  local text, names = findings:source(path), names_of(owner)
  for _, name in ipairs(self.formula.variables) do
    if not owner.measures[name] and not has[name] then
      findings:error(path, line_of(text, name), ("found '%s', which is no measure of the game '%s'; %s"):format(name,
        owner.name, nearest.hint(name, names)))
    end
  end
end

--- Measures as the function of a rule sees them, each of them 1.
local function stand_in(owner, has)
  return setmetatable({}, { __metatable = false, __index = function(_, name)
    if not owner.measures[name] and not has[name] then
      error(("found '%s', which is no measure of the game '%s'; %s"):format(tostring(name), owner.name,
        nearest.hint(tostring(name), names_of(owner))), 2)
    end
    return 1
  end, __newindex = function() error("found an assignment to a measure, expected none", 2) end })
end

--- Calls the function of a rule with stand-ins.
local function check_function(self, path, owner, has)
  local rating, parts = fault.guard(path, self.rating, stand_in(owner, has), self.params and params.view(self.params))
  if not math.type(rating) then fault.at(path .. ": formula", fault.show(rating), "a number") end
  local ok, problem = pcall(self.check_parts, self, parts)
  if not ok then fault.raise(("%s: formula: %s"):format(path, problem.message)) end
end

--- The rule's game; where it cannot be loaded, that is an error of its script, or of the rule that names it.
local function load_game(self, path, findings)
  if not self.game then return nil end
  local ok, owner = pcall(game.load, self.game)
  if ok then return owner end
  if findings:source(self.game) then
    findings:fault(self.game, owner)
  else
    findings:error(path, findings:source(path):field "game" or 1, owner.message)
  end
end

--- Looks at a rule script.
---@param path string
---@param has table<string, boolean>   columns of datasets beside it
---@param findings Findings
---@return string? holds   in words, if it could be loaded
---@return Rule? self
function check.run(path, has, findings)
  local self = findings:try(path, rule.load, path)
  if not self then return nil end
  local owner = load_game(self, path, findings)
  if owner and self.rating then findings:try(path, check_function, self, path, owner, has) end
  if owner and not self.rating then check_names(self, path, owner, has, findings) end
  local holds = self.rating and "a function" or self.coefficients and "a fitted formula" or "a formula to fit"
  return holds .. (self.game and (" for the game '%s'"):format(self.game) or "; measures not checked: it names no game"), self
end

return check
