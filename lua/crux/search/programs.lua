--- Programs of native searches, compiled from a script's step with symbolic values, each for as many levels as possible.
---
--- A program serves all levels on which step does the same operations (see libcrux.level_shape). If there are none, or step
--- does something that needs the values of a level's boards, each level gets a program of its own.
local best_first = require "libcrux.best_first"
local fault = require "crux.base.fault"
local level_shape = require "libcrux.level_shape"
local native_search = require "libcrux.native_search"
local paths = require "crux.symbolic.paths"
local sampling = require "crux.search.sampling"
local tracing = require "libcrux.trace"

local programs = {}

--- The most programs that are kept for a step, and of these for states with the same fields.
local MOST_PROGRAMS <const>, MOST_ALIKE <const> = 64, 8

---@class Program
---@field about table         operations, registers, lane_bits, is_shared, is_guarded, alone, reason (why Lua makes some moves);
---                            if times are measured, widest
---@field search userdata
---@field shape userdata?     of the levels that it serves, if there can be several
---@field trace userdata?     kept until the program is specialised
---@field families Families
---@field is_new boolean
---@field expanded integer    states, on all levels
---@field next integer        value of `expanded` at which the next state is tried in Lua

---@class ProgramFamily: Program[]   the programs for states with the same fields
---@field served integer      levels
---@field is_single boolean?  each level has a program of its own
---@field is_lenient boolean? step cannot be compiled for all states: Lua runs the others
---@field alone string?       why no program can serve several levels
---@field reason string?      why levels are searched in Lua

---@class Families
---@field count integer       of programs, at most
---@field tried integer       states that were tried in Lua
---@field alike table<StateField[], table<string, ProgramFamily>>   by the fields and the moves

--- Families by step, and then by heuristic or priority, or BLIND without one.
---@type table<function, table<function|table, Families>>
local known, BLIND <const> = setmetatable({}, { __mode = "k" }), {}

local function close(program)
  program.search:close()
  if program.trace then program.trace:close() end
end

--- Programs that serve one level are closed after it.
local Program = {}

function Program:__close()
  if not self.shape then close(self) end
end

local function close_all(family)
  for i, program in ipairs(family) do
    close(program)
    family[i] = nil
  end
end

---@param spec SearchSpec
---@return Families
local function families_of(spec)
  local of_step, guide = known[spec.step] or setmetatable({}, { __mode = "k" }), spec.heuristic or spec.priority or BLIND
  known[spec.step] = of_step
  of_step[guide] = of_step[guide] or { count = 0, tried = 0, alike = {} }
  return of_step[guide]
end

--- Closes all programs.
local function close_families(families)
  for _, by_moves in pairs(families.alike) do
    for _, family in pairs(by_moves) do close_all(family) end
  end
  families.count, families.alike = 0, {}
end

---@return ProgramFamily
local function family_of(problem)
  local prepared = problem.prepared
  local families, fields, key = prepared.families or families_of(prepared.spec), problem.fields, problem.key
  prepared.families = families
  if families.count >= MOST_PROGRAMS then close_families(families) end
  local by_moves = families.alike[fields] or {}
  local family = by_moves[key] or { served = 0 }
  families.alike[fields], by_moves[key] = by_moves, family
  return family
end

--- The first value that does not fit lanes of 16 bits, in words.
local function widest(problem, trace, node)
  local origin, low, high = trace:origin(node)
  if type(origin) == "number" then
    local word = 0
    for _, field in ipairs(problem.fields) do
      local words = field.kind == "board" and (field.width * field.height + 63) // 64 or 1
      word = word + words * (field.count or 1)
      if origin <= word then
        origin = ("field '%s'"):format(field.name)
        break
      end
    end
  end
  return ("%s: %d to %d"):format(origin or "a board", low, high)
end

---@param use "shared"|"single"   for several levels or one
---@return Program?               nil if there is no such program
local function record_step(problem, trace, use, is_lenient)
  local shape = use == "shared" and level_shape.new(trace, problem.level) or nil
  local reason, ranks = require("crux.search.recording").run(problem, trace, shape, is_lenient)
  if shape then shape:finish() end
  local search = ranks and best_first.new(trace, problem.set, #problem.moves, ranks.expressions, ranks.places)
    or native_search.new(trace, problem.set, #problem.moves)
  local operations, registers, lane_bits, node, is_guarded = search:program()
  local about = { operations = operations, registers = registers, lane_bits = lane_bits, is_shared = use == "shared",
    is_guarded = is_guarded, reason = reason,
    widest = problem.is_timed and (node or 0) ~= 0 and widest(problem, trace, node) or nil }
  local program = setmetatable({ search = search, about = about, trace = trace, is_new = true, expanded = 0,
    next = sampling.first, families = problem.prepared.families }, Program)
  if use == "single" then return program end
  program.shape = shape
  if search:bind(shape, problem.level) then return program end
  program.search:close()
end

--- Traces step.
---@return boolean ok
---@return any result   the program, nil if there is none of that use, or an error
local function trace_step(problem, use, is_lenient)
  local trace = tracing.new(problem.is_timed and paths.line)
  local ok, result = pcall(record_step, problem, trace, use, is_lenient)
  if not ok or not result then trace:close() end
  return ok, result
end

--- A new program for levels like this one; nil if there can be none.
---@return Program?
local function new_shared(problem, family)
  local ok, program = trace_step(problem, "shared", family.is_lenient)
  family.is_single = not ok or not program
  if family.is_single then
    family.alone = not ok and (fault.is(program) and program.message or tostring(program)) or nil
    return
  end
  local families = problem.prepared.families
  families.count = families.count + 1
  if #family == MOST_ALIKE then close(table.remove(family)) end
  table.insert(family, 1, program)
  return program
end

--- The program for a level. Keep it in a to-be-closed variable.
---@param problem SearchProblem   with its start
---@return Program?
---@return string? reason   why the script cannot be traced
function programs.of(problem)
  local family = family_of(problem)
  if family.reason then return nil, family.reason end
  for i = 1, #family do
    local program = family[i]
    if program.search:bind(program.shape, problem.level) then
      family.served = family.served + 1
      if i > 1 then table.insert(family, 1, table.remove(family, i)) end
      return program
    end
  end
  if #family == MOST_ALIKE and family.served < MOST_ALIKE then
    local found, at = family[1].shape:difference()
    family.is_single, family.alone = true, found and paths.place(at) .. found
    close_all(family)
  end
  local program = not family.is_single and new_shared(problem, family)
  if program then return program end
  local ok, result = trace_step(problem, "single", family.is_lenient)
  if ok then result.about.alone = family.alone end
  if ok then return result end
  if not family.is_lenient and paths.is_partial then
    family.is_lenient, family.is_single, family.alone = true, nil, nil
    return programs.of(problem)
  end
  return nil, fault.is(result) and result.message or tostring(result)
end

--- Lets levels like this one be searched in Lua from now on.
function programs.refuse(problem, reason)
  local family = family_of(problem)
  family.reason = reason
  close_all(family)
end

return programs
