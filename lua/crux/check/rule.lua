--- Mistakes in a rule script: its fields, the measures that it names, and the result of its function.
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local lists = require "crux.base.lists"
local nearest = require "crux.base.nearest"
local params = require "crux.rule.params"
local rules = require "crux.rule.rule"

local check = {}

--- The message about a name that is no measure of a game.
local function unknown(name, game)
  return ("game '%s': %s"):format(game.name, nearest.unknown("measure", name, lists.field(game.measures)))
end

--- The line of a name in the formula of a script.
local function line_of(text, name)
  local line = text:field "formula" or 1
  for number = line, #text.lines do
    if (" " .. text.lines[number] .. " "):find("%f[%w_]" .. name:gsub("%p", "%%%0") .. "%f[^%w_]") then return number end
  end
  return line
end

--- Reports measures of the formula that neither the game nor the given datasets have.
---@param has table<string, boolean>   columns of the datasets
local function check_names(rule, path, game, has, findings)
  local text = findings:source(path)
  for _, name in ipairs(rule.formula.variables) do
    if not game.measures[name] and not has[name] then
      findings:error(path, line_of(text, name), unknown(name, game))
    end
  end
end

--- Measures for a rule's function, each with the value 1.
local function stand_in(game, has)
  return setmetatable({}, { __metatable = false, __index = function(_, name)
    if not game.measures[name] and not has[name] then error(unknown(tostring(name), game), 2) end
    return 1
  end, __newindex = function() error("found an assignment to a measure, expected none", 2) end })
end

--- Calls the function of a rule with measures of 1, and checks its results.
local function check_function(rule, path, game, has)
  local rating, parts = fault.guard(path, rule.rating, stand_in(game, has), rule.params and params.view(rule.params))
  if not math.type(rating) then fault.at(path .. ": formula", fault.show(rating), "a number") end
  local ok, problem = pcall(rule.check_parts, rule, parts)
  if not ok then fault.raise(("%s: formula: %s"):format(path, problem.message)) end
end

--- Loads the rule's game; reports a failure as an error of the game script, or of the rule that names it.
local function load_game(rule, path, findings)
  if not rule.game then return nil end
  local ok, game = pcall(games.load, rule.game)
  if ok then
    local is_known, problem = pcall(game.expect_path, game, rule.path)
    if not is_known then findings:error(path, findings:source(path):field "path" or 1, problem.message) end
    return game
  end
  if findings:source(rule.game) then
    findings:fault(rule.game, game)
  else
    findings:error(path, findings:source(path):field "game" or 1, game.message)
  end
end

--- Checks a rule script.
---@param has table<string, boolean>   columns of the given datasets
---@return string? content   in words, if it could be loaded
function check.run(path, has, findings)
  local rule = findings:try(path, rules.load, path)
  if not rule then return nil end
  local game = load_game(rule, path, findings)
  if game and rule.rating then findings:try(path, check_function, rule, path, game, has) end
  if game and not rule.rating then check_names(rule, path, game, has, findings) end
  local content = rule.rating and "a function" or rule.coefficients and "a fitted formula" or "a formula to fit"
  return content .. (rule.game and (" for the game '%s'"):format(rule.game) or "; measures not checked: it names no game")
end

return check
