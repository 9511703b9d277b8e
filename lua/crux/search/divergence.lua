--- The line at which a step with symbolic values takes another branch than with plain values.
local budget = require "libcrux.budget"
local file_system = require "libcrux.files"

local divergence = {}

--- Metamethods that the instruction itself calls; the others take an instruction of their own.
local direct = { index = true, newindex = true, call = true, concat = true, unm = true, bnot = true, len = true, eq = true,
  lt = true, le = true, close = true }

--- The instructions of a script that a call runs, as { line, count } for each stretch on one line, without those that only some
--- kinds of values need.
local function stretches_of(script, call)
  local list, last = {}, nil
  local function watch(event)
    local info = debug.getinfo(2, event == "count" and "Sl" or "n")
    if event ~= "count" then
      if last and info.namewhat == "metamethod" and not direct[info.name] then last[2] = last[2] - 1 end
    elseif info.short_src == script then
      if not last or last[1] ~= info.currentline then
        last = { info.currentline, 0 }
        table.insert(list, last)
      end
      last[2] = last[2] + 1
    end
  end
  debug.sethook(watch, "c", 1)
  pcall(call)
  debug.sethook()
  budget.rearm()
  return list
end

local choosing = { ["if"] = true, ["elseif"] = true, ["and"] = true, ["or"] = true, ["not"] = true, ["while"] = true,
  ["until"] = true }

--- True if a line can branch. The number of instructions of other lines may depend on the kinds of values without a branch.
local function chooses(line)
  for word in line:gmatch "%a+" do
    if choosing[word] then return true end
  end
  return line:find("[=~]=") ~= nil
end

--- The line at which two calls of one function branch differently: that of a condition, or the last line before they run
--- different lines. If both run the same instructions, it is the last line that can branch.
---@param f function       of a script in a file
---@param plain fun()      calls f with plain values
---@param symbolic fun()   calls f with symbolic values
---@return integer?
function divergence.line(f, plain, symbolic)
  local info, lines = debug.getinfo(f, "S"), {}
  local file <close> = file_system.open_input(info.source:sub(2))
  if file then
    for line in file:lines() do table.insert(lines, line) end
  end
  local first, second, last = stretches_of(info.short_src, plain), stretches_of(info.short_src, symbolic), nil
  for i = 1, math.max(#first, #second) do
    local one, other = first[i] or {}, second[i] or {}
    if one[1] ~= other[1] then return first[math.max(1, i - 1)][1] end
    if chooses(lines[one[1]] or "") then
      if one[2] ~= other[2] then return one[1] end
      last = one[1]
    end
  end
  return last
end

return divergence
