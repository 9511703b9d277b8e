--- Statements as functions of a frame that change it and the current path.
---
--- A frame's `returns` lists the paths that have returned and their results, `broken` has the states that have left the
--- innermost loop by `break`, and under a label's node are the states that go to it.
local expressions = require "crux.symbolic.expressions"
local iteration = require "crux.symbolic.iteration"
local paths = require "crux.symbolic.paths"
local repeats = require "crux.symbolic.repeats"
local tables = require "crux.symbolic.tables"
local unions = require "crux.symbolic.unions"

local both, either, guard, is_none, living, run = paths.both, paths.either, paths.guard, paths.is_none, paths.living, paths.run
local compile, condition, declare = expressions.compile, expressions.condition, expressions.declare
local list_of = expressions.list_of
local NONE <const>, ALL <const> = paths.NONE, paths.ALL

--- The most rounds of a loop, or times that a label is gone back to, whose end depends on the state, also if states that go on
--- may be given up; and of all in a move.
local MOST_ROUNDS <const>, ROUNDS_BEFORE_LUA <const>, MOST_ROUNDS_OF_MOVE <const> = 300, 64, 3000

--- Gives up states that go on after the last round.
local function end_rounds(mask, at)
  local rounds = run.is_lenient and ROUNDS_BEFORE_LUA or MOST_ROUNDS
  local message = "found a loop that may go on for more than %d rounds, expected one whose end the ranges of its numbers show"
  paths.give_up(mask, { refused = message:format(rounds), at = at, is_local = true })
end

local function are_too_many(rounds)
  local most = run.is_lenient and ROUNDS_BEFORE_LUA or MOST_ROUNDS
  return run.rounds > most and (rounds > most or run.rounds > MOST_ROUNDS_OF_MOVE)
end

local S = {} -- by kind of node
local fn

--- Statements one after the other, while there are states on the path.
local function sequence(list)
  local n = #list
  if n == 1 then return list[1] end
  return function(frame)
    for i = 1, n do
      list[i](frame)
      if run.mask == NONE then return end
    end
  end
end

--- A block with labels: its parts between them, each run in the states that come to it.
local function labelled(parts, labels)
  return function(frame)
    local i, rounds, out = 1, 0, NONE
    while true do
      for j = i, #parts do
        local label = labels[j]
        if label and frame[label] then run.mask, frame[label] = living(either(run.mask, frame[label])), nil end
        if run.mask ~= NONE then guard(parts[j], frame) end
      end
      out, i = either(out, run.mask), nil
      for j = #parts, 1, -1 do
        if labels[j] and frame[labels[j]] and not is_none(frame[labels[j]]) then i = j end
      end
      if not i then break end
      run.mask, rounds, run.rounds = NONE, rounds + 1, run.rounds + 1
      if are_too_many(rounds) then end_rounds(frame[labels[i]], labels[i]) end
    end
    run.mask = living(out)
  end
end

local loops = { count = true, ["for"] = true, ["repeat"] = true, ["while"] = true }

--- The statements of a block as a function of a frame.
local function block(list)
  local parts, labels, current = {}, {}, {}
  for _, s in ipairs(list) do
    s.path = fn.path
    if s.kind == "label" then
      table.insert(parts, sequence(current))
      labels[#parts + 1], current = s, {}
    else
      local run_statement = S[s.kind](s)
      table.insert(current, loops[s.kind] and repeats(s, fn, run_statement) or run_statement)
    end
  end
  table.insert(parts, sequence(current))
  if not next(labels) then return parts[1] end
  return labelled(parts, labels)
end

S["do"] = function(s) return block(s.block) end

S["local"] = function(s)
  for _, variable in ipairs(s.variables) do
    if variable.attribute == "close" then paths.refuse("a variable to be closed", "none", s) end
  end
  local variables, n = s.variables, #s.variables
  if n == 1 and #s.list == 1 then
    local value, variable = compile(s.list[1]), variables[1]
    if not variable.is_assigned then return function(frame) frame[variable] = value(frame) end end
    return function(frame) declare(frame, variable, value(frame), run.mask) end
  end
  local values_of = list_of(s.list)
  return function(frame)
    local values = values_of(frame)
    for i = 1, n do declare(frame, variables[i], values[i], run.mask) end
  end
end

S["local function"] = function(s)
  local variable, make = s.variable, compile(s[1])
  return function(frame)
    declare(frame, variable, nil, run.mask)
    frame[variable].v = make(frame)
  end
end

--- Sets a variable on the current path.
local function assign(cell, variable, v, s)
  if cell.is_outer then
    paths.refuse_write(("a write to '%s', which outlives the call"):format(variable.name), "step to keep nothing", s)
  end
  if cell.birth == run.mask or tables.is_covered(cell.birth) then
    cell.v = v
    return
  end
  cell.v = unions.layer(run.mask, v, both(cell.birth, run.mask ~ 1), cell.v)
end

--- The target of an assignment as two functions: of a frame, that gives its table and key or its cell, and one that sets it.
local function target_of(e, s)
  e.path = fn.path
  local variable = e.variable
  if e.kind == "variable" then
    local cell_of, is_own = expressions.place(variable), variable.owner == fn
    return cell_of, function(cell, _, v)
      if not is_own then run.writes = run.writes + 1 end
      assign(cell, variable, v, s)
    end
  end
  local object, key = compile(e.object), compile(e.key)
  local is_global = e.object.variable and e.object.variable.name == "_ENV"
  return function(frame) return object(frame), key(frame) end, function(t, k, v)
    run.at = e
    if is_global and not run.born[t] then
      paths.refuse_write(("a write to the global '%s'"):format(k), "step to change nothing but the state; is 'local' missing?")
    end
    tables.put(t, k, v)
  end
end

function S.assign(s)
  local finds, sets, n = {}, {}, #s.targets
  for i, e in ipairs(s.targets) do finds[i], sets[i] = target_of(e, s) end
  if n == 1 and #s.list == 1 then
    local find, set, value, variable = finds[1], sets[1], compile(s.list[1]), s.targets[1].variable
    if variable and variable.owner == fn then
      return function(frame)
        local cell = find(frame)
        local v = value(frame)
        if cell.birth == run.mask then cell.v = v else assign(cell, variable, v, s) end
      end
    end
    return function(frame)
      local t, k = find(frame)
      local v = value(frame)
      set(t, k, v)
    end
  end
  local values_of = list_of(s.list)
  return function(frame)
    local places = {}
    for i = 1, n do places[2 * i - 1], places[2 * i] = finds[i](frame) end
    local values = values_of(frame)
    for i = n, 1, -1 do sets[i](places[2 * i - 1], places[2 * i], values[i]) end -- in Lua's order
  end
end

--- Calls f(...) on the current path. An error in all states need not be caught.
local function enter(f, ...)
  if run.mask == ALL then return f(...) end
  return guard(f, ...)
end

S["do call"] = function(s) return compile(s[1]) end

S["if"] = function(s)
  local conditions, blocks, n = {}, {}, #s
  for i, clause in ipairs(s) do conditions[i], blocks[i] = condition(clause.condition), block(clause.block) end
  local otherwise = s.otherwise and block(s.otherwise)
  return function(frame)
    local out = NONE
    for i = 1, n do
      local truth = i == 1 and conditions[1](frame) or i > 1 and guard(conditions[i], frame) or NONE
      local left = run.mask
      local taken = both(left, truth)
      if not is_none(taken) then
        run.mask = taken == left and left or living(taken)
        enter(blocks[i], frame)
        out = either(out, run.mask)
      end
      if truth ~= NONE then run.mask = living(both(left, truth ~ 1)) end
      if run.mask == NONE then break end
    end
    if otherwise and run.mask ~= NONE then enter(otherwise, frame) end
    run.mask = living(either(out, run.mask))
  end
end

--- A loop: `begin` tells for each round, counted from 1, in which states of the path there is one; run.waiting has those that
--- wait for a later one.
local function loop(s, frame, begin, body)
  local outer, out, rounds = frame.broken, NONE, 0
  frame.broken = NONE
  while run.mask ~= NONE do
    local truth = enter(begin, rounds + 1) or NONE
    local mask, waiting = run.mask, run.waiting or NONE
    local on = mask
    if truth ~= ALL then
      run.waiting, on = nil, both(mask, truth)
      out = either(out, both(mask, both(truth ~ 1, waiting ~ 1)))
      if is_none(on) and is_none(waiting) then break end
    end
    rounds = rounds + 1
    if mask ~= ALL or on ~= ALL then run.rounds = run.rounds + 1 end
    if are_too_many(rounds) then
      end_rounds(on, s)
      break
    end
    run.mask = on == ALL and ALL or living(on)
    if run.mask ~= NONE then enter(body, frame) end
    if waiting ~= NONE then run.mask = living(either(run.mask, waiting)) end
  end
  run.mask, frame.broken = living(either(out, frame.broken)), outer
end

S["while"] = function(s)
  local goes_on, body = condition(s.condition), block(s.block)
  return function(frame) loop(s, frame, function() return goes_on(frame) end, body) end
end

S["repeat"] = function(s)
  local body = block(s.block)
  local is_done = condition(s.condition)
  return function(frame)
    loop(s, frame, function(round) return round == 1 and ALL or is_done(frame) ~ 1 end, body)
  end
end

function S.count(s)
  local values_of, variable, body = list_of(s.list), s.variables[1], block(s.block)
  return function(frame)
    local values = values_of(frame)
    run.at = s
    local rounds_of = iteration.count(values[1], values[2], values.n > 2 and values[3] or 1)
    loop(s, frame, function(round)
      local truth, v = rounds_of(round)
      declare(frame, variable, v, both(run.mask, truth))
      return truth
    end, body)
  end
end

S["for"] = function(s)
  local values_of, variables, body = list_of(s.list), s.variables, block(s.block)
  local first, second, n = variables[1], variables[2], #variables
  return function(frame)
    local values = values_of(frame)
    run.at = s
    local rounds_of = iteration.each(values[1], values[2], values[3])
    loop(s, frame, function(round)
      run.at = s
      local truth, a, b, results = rounds_of(round)
      local mask = truth == ALL and run.mask or both(run.mask, truth)
      declare(frame, first, a, mask)
      if second then declare(frame, second, b, mask) end
      for i = 3, n do declare(frame, variables[i], results and results[i], mask) end
      return truth
    end, body)
  end
end

S["return"] = function(s)
  local values_of = list_of(s.list)
  return function(frame)
    local values, returns = values_of(frame), frame.returns
    returns[returns.n + 1], returns[returns.n + 2], returns.n = run.mask, values, returns.n + 2
    run.mask = NONE
  end
end

S["break"] = function()
  return function(frame) frame.broken, run.mask = either(frame.broken, run.mask), NONE end
end

S["goto"] = function(s)
  local label = s.target
  return function(frame) frame[label], run.mask = either(frame[label] or NONE, run.mask), NONE end
end

--- The body of a function as a function of a frame; turned when it is first called.
---@param node FunctionNode
return function(node)
  if node.compiled then return node.compiled end
  local outer, outer_fn = expressions.enter(node), fn
  fn = node
  local ok, result = pcall(block, node.body)
  fn = outer_fn
  expressions.enter(outer)
  if not ok then error(result, 0) end
  node.compiled = result
  return result
end
