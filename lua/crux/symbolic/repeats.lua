--- Loops that do in a move what they did in an earlier one: their results are taken from there.
---
--- While a move has written to no table and made no function, a loop depends on nothing but the variables that it names.
local paths = require "crux.symbolic.paths"

local run, ALL <const> = paths.run, paths.ALL

--- Adds to a list the variables that a tree names and does not declare.
---@return boolean   false if the tree makes functions or has further arguments
local function add_variables(list, node)
  if node.kind == "function" or node.kind == "varargs" then return false end
  for _, variable in ipairs(node.variables or {}) do list[variable] = true end
  local named = node.kind == "variable" and node.variable
  if named and not list[named] then
    table.insert(list, named)
    list[named] = true
  end
  for key, part in next, node do
    if type(part) == "table" and key ~= "variable" and key ~= "variables" and key ~= "target" then
      if not add_variables(list, part) then return false end
    end
  end
  return true
end

---@class Repeat
---@field before any[]       values of the variables
---@field after any[]
---@field mask integer       of the path behind it
---@field killed integer[]   masks of the states in which it ends with an error

--- True in a move that runs in all states that are alive and has changed nothing but variables.
local function is_plain() return run.writes == 0 and paths.is_none(run.mask ~ 1) end

--- The values of variables; nil if one that is assigned to does not exist in all states.
local function values_of(variables, fn, frame)
  local values = {}
  for i = 1, #variables do
    local variable = variables[i]
    local v = (variable.owner == fn and frame or frame.up)[variable]
    if variable.is_assigned then
      if v.birth ~= ALL then return nil end
      v = v.v
    end
    values[i] = v
  end
  return values
end

local function are_same(n, before, now)
  for i = 1, n do
    local a, b = before[i], now[i]
    if not rawequal(a, b) or math.type(a) ~= math.type(b) then return false end
  end
  return true
end

--- A loop of a function, as a function of a frame, that is run once for moves in which its variables begin alike.
---@param s table               node of the loop
---@param fn FunctionNode
---@param loop fun(frame: table)
return function(s, fn, loop)
  local variables = {}
  if not add_variables(variables, s) then return loop end
  local n = #variables
  return function(frame)
    local now = run.alive == ALL and is_plain() and values_of(variables, fn, frame)
    local known = now and run.repeats[s]
    if known and are_same(n, known.before, now) then
      for i = 1, n do
        if variables[i].is_assigned then frame[variables[i]].v = known.after[i] end
      end
      for _, mask in ipairs(known.killed) do paths.kill(mask) end
      run.mask = known.mask
      return
    end
    loop(frame)
    local after = now and is_plain() and values_of(variables, fn, frame)
    for i = 1, after and n or 0 do
      if type(after[i]) == "table" and not rawequal(after[i], now[i]) then return end
    end
    local killed = table.move(run.killed, 1, #run.killed, 1, {})
    run.repeats[s] = after and { before = now, after = after, mask = run.mask, killed = killed }
  end
end
