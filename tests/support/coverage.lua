--- Appends PATH:LINE of each line of Lua that runs to the file that CRUX_COVERAGE names, once for each Lua state.
local seen = {}
local file = assert(io.open(os.getenv "CRUX_COVERAGE", "a"))
file:setvbuf "line" -- so that processes do not mix their lines

local function note(_, line)
  local source = debug.getinfo(2, "S").source
  local lines = seen[source] or {}
  seen[source] = lines
  if not lines[line] and source:sub(1, 1) == "@" then file:write(source:sub(2), ":", line, "\n") end
  lines[line] = true
end

debug.sethook(note, "l")
local create = coroutine.create
function coroutine.create(f)
  local made = create(f)
  debug.sethook(made, note, "l")
  return made
end
