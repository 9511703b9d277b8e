--- Profiles a game: calls and seconds of each of its functions, without the functions that they call.
local Problem = require "crux.search.problem"
local process = require "libcrux.process"
local sources = require "crux.symbolic.sources"

---@class Profile
---@field private rows ProfileRow[]
---@field private inner number[]   for each running call, the seconds of the calls in it
---@field private began number
local Profile = {}
Profile.__index = Profile

---@class ProfileRow
---@field hook string
---@field engine "Lua"|"native"|"both"
---@field calls integer?
---@field seconds number

local profile = {}

--- A function that calls f and adds its time to a new row of the profile.
local function timed(profiled, hook, f, engine)
  local row, inner = { hook = hook, engine = engine or "Lua", calls = 0, seconds = 0 }, profiled.inner
  table.insert(profiled.rows, row)
  local function finish(began, ...)
    local took = process.seconds() - began
    row.calls, row.seconds = row.calls + 1, row.seconds + took - table.remove(inner)
    if #inner > 0 then inner[#inner] = inner[#inner] + took end
    return ...
  end
  local function call(...)
    table.insert(inner, 0)
    return finish(process.seconds(), f(...))
  end
  Problem.stands_for(call, f)
  sources.stands_for(call, f)
  return call
end

--- Begins to profile a game; replaces its functions.
function profile.new(game)
  local self = setmetatable({ rows = {}, inner = {} }, Profile)
  for _, name in ipairs { "parse", "notation", "draw" } do
    if game[name] then game[name] = timed(self, name, game[name]) end
  end
  if game.solve then game.solve = timed(self, "solve", game.solve, "both") end
  for name, make in pairs(game.variants) do game.variants[name] = timed(self, "variant " .. name, make) end
  local search = {}
  for name, field in pairs(game.search or {}) do
    search[name] = type(field) == "function" and timed(self, "search." .. name, field) or field
  end
  game.search = game.search and search
  for _, measure in ipairs(game.measures) do
    measure.of = timed(self, "measure " .. measure.name, measure.of)
    measure.each = measure.each and timed(self, ("measure %s.each"):format(measure.name), measure.each)
  end
  return self
end

function Profile:start()
  for _, row in ipairs(self.rows) do row.calls, row.seconds = 0, 0 end
  for i = #self.inner, 1, -1 do self.inner[i] = nil end -- left by calls that raised
  self.began = process.seconds()
end

--- The rows since start().
---@param searches SearchRecord[]
function Profile:take(searches)
  local rows, rest = {}, process.seconds() - self.began
  local step, set = 0, 0
  for _, record in ipairs(searches) do step, set = step + (record.step_seconds or 0), set + (record.set_seconds or 0) end
  if #searches > 0 then
    table.insert(rows, { hook = "search: steps", engine = "native", seconds = step })
    table.insert(rows, { hook = "search: set of states", engine = "native", seconds = set })
  end
  for _, row in ipairs(self.rows) do
    if row.calls > 0 then
      table.insert(rows, { hook = row.hook, engine = row.engine, calls = row.calls, seconds = row.seconds })
    end
  end
  for _, row in ipairs(rows) do rest = rest - row.seconds end
  table.insert(rows, { hook = "crux: tracing and the rest", engine = "both", seconds = math.max(0, rest) })
  return rows
end

return profile
