--- Calls a function again after each change of the files or database that it uses, for crux watch and crux study watch.
local process = require "libcrux.process"
local sinks = require "crux.out.sinks"
local terminal = require "libcrux.terminal"

local watching = {}

--- Calls a function at once and after each change, until the program is ended; on a terminal with a clear screen.
---@param run fun(): string        returns the name of the watched files or database
---@param wait fun(): string       waits for a change and says in a sentence what has changed
function watching.forever(run, wait)
  local is_terminal = terminal.is_terminal(io.stdout)
  while true do
    if is_terminal then io.stdout:write "\27[H\27[2J\27[3J" end
    io.stdout:flush()
    local name = run()
    io.stdout:flush()
    sinks.say(("watching %s; Ctrl-C ends"):format(name))
    sinks.say("\n" .. wait())
  end
end

--- Calls a function at intervals until it returns a value, and returns that.
---@generic T
---@param pause number   seconds
---@param look fun(): T?
---@return T
function watching.until_true(pause, look)
  local found
  repeat
    process.sleep(pause)
    found = look()
  until found
  return found
end

return watching
