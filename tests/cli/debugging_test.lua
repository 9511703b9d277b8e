--- crux measure --trace and --profile: how a level is searched, and which function takes the time.
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local Debugging = {}

--- By hand: the ball can only go down, twice right and up. Of the four moves of each of the first three places one leads on; at the
--- fourth the first one wins.
function Debugging.test_trace()
  local level = shell.file("trace.txt", "; Rock\na # A\n. . .\n\n; Other\na A\n")
  luaunit.assertEquals(shell.printed("measure move --trace Rock " .. level), [[
Rock
a # A
. . .

solved: 4 states found; of 13 moves tried 9 led to known ones, 0 lost, 0 were too far off

States by depth

depth  states
    0       1
    1       1
    2       1
    3       1

The state after each move from the start, estimate 2

U: nothing changes

L: nothing changes

D, estimate 3
. # A
a . .

R: nothing changes

The solution: 4 moves

start, estimate 2, 4 to go
a # A
. . .

1. D, estimate 3, 3 to go
. # A
a . .

2. R, estimate 2, 2 to go
. # A
. a .

3. R, estimate 1, 1 to go
. # A
. . a

4. U, estimate 0, 0 to go
.  #  aA
.  .  .
]])
end

function Debugging.test_trace_of_a_level_that_is_not_there()
  local level = shell.file("trace.txt", "; Rock\na # A\n. . .\n")
  local result = shell.crux("measure move --trace Rick " .. level)
  luaunit.assertEquals({ result.err, result.status }, { "found the unknown level 'Rick'; did you mean 'Rock'?\n", 1 })
end

--- A game with a solver of its own shows what that says, and its drawing.
function Debugging.test_trace_of_a_solver()
  local out = shell.printed("measure flow --trace f " .. shell.file("f.txt", "AB\n..\nAB\n"))
  luaunit.assertStrContains(out, "\nsolutions  1\n")
  luaunit.assertStrContains(out, "\nstatus     solved\n")
end

--- A level without a solution has no way.
function Debugging.test_trace_without_a_solution()
  local out = shell.printed("measure move --trace no " .. shell.file("no.txt", "a # A\n"))
  luaunit.assertStrContains(out, "unsolvable: 1 state found; of 4 moves tried 4 led to known ones")
  luaunit.assertNil(out:find "The solution")
end

--- Rows of the profile by hook: engine and calls, which the number of levels gives.
local function profile(line)
  local result, rows = shell.crux(line), {}
  for row in result.err:gmatch "[^\n]+" do
    local hook, engine, rest = row:match "^(.-)  +(%a+) +(.*)$"
    if hook and rest then rows[hook] = { engine, rest:match "^(%d+) +%d+%.%d+ +%d+%.%d$" } end
  end
  return rows, result.out
end

function Debugging.test_profile()
  long.only()
  local line = "measure move datasets/levels/move --format csv"
  for _, jobs in ipairs { 1, 2 } do
    local rows, out = profile(("%s --profile --jobs %d"):format(line, jobs))
    luaunit.assertEquals(out, shell.printed(line))
    luaunit.assertEquals(rows.parse, { "Lua", "80" })
    luaunit.assertEquals(rows["measure counterintuitive"], { "Lua", "80" })
    luaunit.assertNil(rows["measure directions"]) -- is computed only when it is named
    luaunit.assertEquals(rows["search: steps"], { "native" })
    luaunit.assertEquals(rows["crux: tracing and the rest"], { "both" })
  end
  luaunit.assertEquals(profile "measure flow datasets/levels/flow --profile".solve, { "both", "38" })
end

--- Messages name the script's lines, though functions are wrapped.
function Debugging.test_profile_keeps_places()
  local script = shell.file("wrong.lua", (shell.read "games/move.lua":gsub("informed = false,", ""):gsub("return farthest",
    "return farthest - 100")))
  local level = shell.file("trace.txt", "a # A\n. . .\n")
  local plain, watched = shell.crux(("measure %s %s"):format(script, level)), shell.crux(("measure %s %s --profile"):format(script, level))
  luaunit.assertStrMatches(plain.err, ".*wrong%.lua:%d+: heuristic: found %-.*")
  luaunit.assertStrContains(watched.err, plain.err:match "^[^\n]*\n")
end

--- An error of the caller, which crux is, is one of the script, wherever crux called it from.
function Debugging.test_errors_of_the_caller()
  long.leave_out()
  local level = shell.file("trace.txt", "a # A\n. . .\n")
  for _, head in ipairs { "function%(level%)", "step = function%(.-%)", "local function distance%(.-%)" } do
    local script = shell.file("caller.lua", (shell.read "games/move.lua":gsub(head, "%0 error('no caller', 2)", 1)))
    for _, option in ipairs(long.some(2, { "", "--jobs 2", "--profile" })) do
      local said = shell.crux(("measure %s %s %s"):format(script, level, option)).err
      luaunit.assertStrMatches(said, "[^\n]*caller%.lua[^\n]*: no caller\n.*")
    end
  end
end

--- A traceback of a deep stack is not made: its frames are too many to walk.
function Debugging.test_deep_tracebacks()
  local script = shell.file("deep.lua", "return crux.rule { formula = function(m)\n"
    .. "  local function f(n) return n == 0 and m.none or 1 + f(n - 1) end\n  return f(1000)\nend }\n")
  local said = shell.crux(("rate %s datasets/flow.csv --debug"):format(script)).err
  luaunit.assertStrContains(said, "deep.lua needs the measure 'none', ")
  luaunit.assertStrContains(said, "stack traceback:\n\tmore than 200 calls\n")
end

return { Debugging = Debugging }
