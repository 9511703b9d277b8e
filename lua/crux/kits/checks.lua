--- Checks of levels of tiles, by a table of what they must have:
---
---     man = 1            one square with a man
---     switch = { 0, 3 }  at most three squares with a switch
---     box = "goal"       as many squares with a box as with a goal, and at least one
---     closed = "man"     walls all around the squares that the man can reach, on which all things above are but those
---                        that are together, such as a box on its goal
local squares = require "crux.kits.squares"

local checks = {}

--- The names of the rules, sorted; functions without a name are for the caller.
local function names_of(rules)
  local names = {}
  for name in pairs(rules) do
    if type(name) == "string" then table.insert(names, name) end
  end
  table.sort(names)
  return names
end

---@class LevelProblem
---@field found string
---@field expected string
---@field x integer?
---@field y integer?

--- The name of several things: "box" becomes "boxes".
function checks.plural(kind)
  if kind:find "[^aeiou]y$" then return kind:sub(1, -2) .. "ies" end
  return kind .. ((kind:find "[sx]$" or kind:find "[cs]h$") and "es" or "s")
end

--- The problem if a number of squares with a thing is not from least to most.
local function miscounted(planes, kind, least, most, characters)
  local count = #planes[kind]
  if count >= least and count <= most then return nil end
  if count == 0 then return { found = "no " .. kind, expected = characters[kind] } end
  local x, y
  if count > most then x, y = planes[kind]:nth(most + 1) end
  if most == 1 then return { found = "a second " .. kind, expected = "one", x = x, y = y } end
  return { found = ("%d %s"):format(count, count == 1 and kind or checks.plural(kind)),
    expected = least == most and tostring(least) or ("%d to %d"):format(least, most), x = x, y = y }
end

--- The problem if there are not as many squares with a thing as with another one, or none.
local function unpaired(planes, kind, other, characters)
  local count, wanted = #planes[kind], #planes[other]
  if count == wanted and count > 0 then return nil end
  if count == 0 then return { found = "no " .. kind, expected = characters[kind] } end
  local more, less = kind, other
  if wanted > count then more, less = other, kind end
  local x, y = planes[more]:nth(math.min(count, wanted) + 1)
  return { found = ("more %s than %s"):format(checks.plural(more), checks.plural(less)), expected = "as many", x = x, y = y }
end

--- The problem if a thing is not shut in by walls, or another one is not with it.
local function open(planes, rules)
  local reach = squares.reach(planes, rules.closed)
  local gap = reach & squares.edge(reach)
  if gap:any() then
    local x, y = gap:first()
    return { found = "an opening", expected = "walls all around the " .. rules.closed, x = x, y = y }
  end
  for _, kind in ipairs(names_of(rules)) do
    local things = planes[kind]
    if type(rules[kind]) == "string" and kind ~= "closed" then
      local out = (things ~ planes[rules[kind]]) - reach
      local x, y = out:first()
      if x then
        local left = things:has(x, y) and kind or rules[kind]
        return { found = ("a %s out of reach"):format(left), expected = "it inside the walls", x = x, y = y }
      end
    end
  end
end

--- The first problem of a level; nil if there is none.
---@param planes table<string, userdata>
---@param rules table<string, integer|integer[]|string>
---@param characters table<string, string>   of each thing, for messages
---@return LevelProblem?
function checks.problem(planes, rules, characters)
  local names = names_of(rules)
  for _, kind in ipairs(names) do
    local rule = rules[kind]
    local range = math.type(rule) and { rule, rule } or type(rule) == "table" and rule
    local problem = range and miscounted(planes, kind, range[1], range[2], characters)
    if problem then return problem end
  end
  for _, kind in ipairs(names) do
    local other = kind ~= "closed" and type(rules[kind]) == "string" and rules[kind]
    local problem = other and unpaired(planes, kind, other, characters)
    if problem then return problem end
  end
  return rules.closed and open(planes, rules) or nil
end

return checks
