--- Two small games to play, and a terminal to play them on.
local luaunit = require "luaunit"
local shell = require "shell"

local playing = {}

--- A game with `search`: from @ to the exit O; ^ loses, # is a wall; `wait` does nothing.
local walk = [==[
local game = crux.game "walk"
local by = { U = -100, L = -1, D = 100, R = 1, wait = 0 }

function game.parse(text)
  local level, y = { cells = {}, width = 0 }, 0
  for line in text:gmatch "[^\n]+" do
    for x = 1, #line do
      local c = line:sub(x, x)
      if not c:find "[.#^O@]" then error(("line %d, column %d: found '%s', expected one of . # ^ O @"):format(y + 1, x, c), 0) end
      if c == "@" then level.at, c = y * 100 + x, "." end
      level.cells[y * 100 + x] = c
    end
    y, level.width = y + 1, #line
  end
  level.height = y
  return level
end

game.search = {
  moves = { "U", "L", "D", "R", "wait" },
  state = function(level) return { at = crux.array(1, crux.integer(0, 100 * level.height)), tired = crux.flag } end,
  start = function(level) return { at = { level.at }, tired = false } end,
  step = function(state, move, level)
    local to = level.cells[state.at[1] + by[move]]
    if to and to ~= "#" then state.at[1] = state.at[1] + by[move] end
    local here = level.cells[state.at[1]]
    return here == "O", here == "^"
  end,
}

game.colours = { ["@"] = "bright yellow", O = "green" }

function game.draw(level, _, state)
  local lines = {}
  for y = 0, level.height - 1 do
    local line = {}
    for x = 1, level.width do
      local i = y * 100 + x
      line[x] = i == (state and state.at[1] or level.at) and "@" or level.cells[i]
    end
    table.insert(lines, table.concat(line))
  end
  return table.concat(lines, "\n") .. "\n"
end

return game
]==]

--- A game without: all lights are to be switched on; `a` switches the whole row.
local lights = [==[
local game = crux.game "lights"

function game.parse(text) return { lights = text:match "[.*]+" or error("line 1: found no lights, expected . or *", 0) } end

function game.solve(level)
  if #level.lights > 8 then return { status = "unsolvable" } end
  return { status = "solved", lights = ("*"):rep(#level.lights) }
end

function game.draw(level) return level.lights end

local function switch(position, i)
  local c = position.lights:sub(i, i) == "*" and "." or "*"
  return { lights = position.lights:sub(1, i - 1) .. c .. position.lights:sub(i + 1), at = position.at }
end

game.play = {
  keys = { { "left right", "move" }, { "space", "switch" }, { "a", "all" } },
  start = function(level) return { lights = level.lights, at = 1 } end,
  step = function(position, key)
    if key == "space" then return switch(position, position.at) end
    if key == "a" then return { lights = position.lights:gsub("[.*]", { ["."] = "*", ["*"] = "." }), at = position.at } end
    local at = position.at + (key == "left" and -1 or 1)
    if at >= 1 and at <= #position.lights then return { lights = position.lights, at = at }, false end
  end,
  done = function(position) return not position.lights:find(".", 1, true) end,
  draw = function(position) return "┌" .. ("─"):rep(#position.lights) .. "┐\n " .. position.lights .. "\n" end,
  cursor = function(position) return position.at + 1, 2 end,
  hint = function(position, _, solution)
    if solution.lights ~= position.lights then return switch(position, position.lights:find(".", 1, true)) end
  end,
}

return game
]==]

--- The games' scripts, by name; `changes` replaces pieces of them.
---@param name "walk"|"lights"
---@param changes table<string, string>?
---@return string path
function playing.game(name, changes)
  local text = name == "walk" and walk or lights
  for from, to in pairs(changes or {}) do
    local first, last = text:find(from, 1, true)
    text = text:sub(1, assert(first, from) - 1) .. to .. text:sub(last + 1)
  end
  return shell.file(name .. ".lua", text)
end

local terminal = shell.quote(shell.output "realpath $CRUX_TEST_BUILD/tests/pseudo_terminal":gsub("\n", ""))

local checked, missing

--- Why there is no terminal to play on; nil where there is one.
---@return string?
function playing.missing()
  if not checked then
    local result = shell.run(terminal .. " true < /dev/null")
    checked, missing = true, result.status == 77 and result.out:match "[^\n]+" or nil
  end
  return missing
end

--- Leaves a test out where there is none.
function playing.expect()
  if playing.missing() then luaunit.skip(playing.missing()) end
end

--- Runs a command line on a terminal of 80 x 24, a VT52 unless the environment says another, and does what the steps say;
--- see tests/c/pseudo_terminal.c. Returns what that prints, with the times 0:00.
---@param steps string[]
---@param environment string?
function playing.run(command, steps, environment)
  playing.expect()
  local script = shell.file("steps", table.concat(steps, "\n") .. "\n")
  local result = shell.run(("env -u NO_COLOR TERM=vt52 LC_ALL=C %s %s %s < %s"):format(environment or "", terminal, command,
    script))
  return ((result.out .. result.err):gsub("time %d+:%d%d", "time 0:00"))
end

--- A command line that starts a game on a terminal and quits it.
function playing.quit(command)
  return ("printf 'type \\r\\nsee q quit\\ntype q\\nend\\n' | TERM=vt52 %s %s"):format(terminal, command)
end

return playing
