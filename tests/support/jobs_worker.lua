--- What the workers of jobs_test.lua do: the setup names it.
local fault = require "crux.base.fault"

local does = {}

function does.echo(item) return item end

--- Takes the longer the less the number is, so that later items are done before earlier ones.
function does.square(item)
  for _ = 1, 100000 // item do end
  return item * item
end

function does.kind(item) return math.type(item) or type(item) end

function does.only_odd(item) return item % 2 == 1 and item or nil end

--- Raises at 3, as the second word of the setup says.
function does.fail(item, how)
  if item ~= 3 then return item end
  if how == "fault" then fault.raise("level 3: found nothing, expected a level", 2) end
  if how == "guarded" then fault.guard("script.lua", function() error("boom", 0) end) end
  if how == "string" then error "boom" end
  if how == "table" then error(setmetatable({}, { __tostring = function() return "a table" end })) end
  if how == "memory" then error("not enough memory", 0) end -- for Lua, that is as if it were
  return { print }
end

--- Removes the file of that name, which also a worker behind the wall can do, then goes on for ever.
function does.spin(path)
  if path == "" then return path end
  assert(os.remove(path))
  while true do local _ = {} end -- allocates for the thread sanitizer's sake, which else holds the signal back
end

--- Ends the process with the status of the item, if that is above 0, after it has noted 7.
function does.exit(status)
  require("libcrux.process").note(7)
  if status > 0 then os.exit(status) end
  return status
end

--- What coroutine.wrap and coroutine.resume give.
function does.coroutines(item)
  local function say(...) return table.concat({ tostring(select("#", ...)), tostring((...)), tostring(select(2, ...)) }, " ") end
  local twice = coroutine.wrap(function(a, b)
    local c = coroutine.yield(a + b)
    coroutine.wrap(function() coroutine.yield() end)()
    error("at " .. c, item)
  end)
  local co = coroutine.create(function(a) coroutine.yield(a, coroutine.isyieldable()) error {} end)
  return { twice(1, 2), say(pcall(twice, "x")), say(pcall(twice)), say(coroutine.resume(co, 5)),
    (say(coroutine.resume(co)):gsub("0x%x+", "")), say(coroutine.resume(co)), say(pcall(coroutine.resume, 1)),
    say(pcall(coroutine.wrap, 1)), coroutine.status(co) }
end

return function(setup)
  local name, how = setup:match "^(%S+) ?(.*)$"
  local f = does[name]
  if not f then fault.raise(("found '%s', expected something to do"):format(setup)) end
  return function(item) return f(item, how) end
end
