--- Limits on scripts and Ctrl-C, beside what tests/limits/attacks_test.lua tries: signals, files that are left, options.
local attacks = require "attacks"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local Limits = {}

local levels = shell.file("limited.txt", "xx\n")

local function attack(name) return ("%s/%s.lua"):format(attacks.folder, name) end

--- Runs a command line of crux, to which one signal is sent after two seconds, in a new folder; expects that nothing is left there.
local function signalled(signal, line)
  local folder = shell.folder "signalled"
  local result = shell.run(("cd %s && timeout --foreground --preserve-status -s %s 2 %s %s"):format(folder, signal, shell.quote(shell.program), line))
  luaunit.assertEquals(shell.output("ls " .. folder), "")
  return result
end

function Limits.test_signals()
  long.leave_out()
  for signal, status in pairs(long.choose({ INT = 130 }, { INT = 130, TERM = 143, HUP = 129 })) do
    local result = signalled(signal, ("solve %s %s --jobs 1 -o result"):format(attack "catches", levels))
    luaunit.assertEquals(result.status, status)
    luaunit.assertStrMatches(result.err, "[^\n]*catches%.lua:%d+: the script: interrupted\n")
    luaunit.assertEquals(result.out, "")
  end
end

--- A script that does not yield, workers, and the engine's own loop.
function Limits.test_signals_elsewhere()
  long.only()
  for _, line in ipairs { ("solve %s %s --jobs 1 -o result"):format(attack "pattern", levels),
    ("solve %s %s --jobs 3 -o result"):format(attack "catches", levels),
    ("generate %s --count 1000000000 --jobs 1 -o result"):format(attack "honest"),
    ("generate %s --count 1000000000 --jobs 3 -o result"):format(attack "honest") } do
    local result = signalled("INT", line)
    luaunit.assertEquals(result.status, 130, line)
    luaunit.assertStrMatches(result.err, "[^\n]*: interrupted\n")
  end
end

--- When the process must be ended its temporary files go with it.
function Limits.test_no_file_is_left()
  long.leave_out()
  local folder = shell.folder "unyielding"
  local result = shell.crux(("solve %s %s --limit-time 0.2 -o result"):format(attack "pattern", levels), { folder = folder })
  luaunit.assertStrContains(result.err, "does not yield")
  luaunit.assertEquals(result.status, 1)
  luaunit.assertEquals(shell.output("ls " .. folder), "")
end

--- The process takes at most 10 % more memory than the limit, beside what it takes for a script that takes none: text that grows
--- by concatenation, by gsub and in a buffer of rep, and text after many small tables, which malloc would keep.
function Limits.test_memory_of_the_process()
  long.only()
  if shell.run("command -v python3").out == "" then luaunit.skip "python3 is missing" end
  if shell.program:find("/sanitize/", 1, true) then luaunit.skip "sanitizers keep freed memory" end
  local function peak(body)
    local folder = shell.folder("grows", { ["honest.lua"] = shell.read(attack "honest"),
      ["grows.lua"] = ("local game = require 'honest'\nfunction game.parse() %s return { size = 7 } end\nreturn game\n"):format(body) })
    local result = shell.run(("python3 -c 'import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=2); "
      .. "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' %s measure %s %s --jobs 1 --limit-memory 64"):format(
      shell.quote(shell.program), folder .. "/grows.lua", levels))
    return tonumber(result.out) / 1024, result.err
  end
  local least, printed = peak ""
  luaunit.assertStrContains(printed, "limited")
  for _, body in ipairs { "local text = 'x' for _ = 1, 60 do text = text .. text end",
    "local _ = ('x'):rep(1e6):gsub('x', ('y'):rep(1e6))", "local _ = ('x'):rep(1000):rep(6e4)",
    "local list = {} for i = 1, 4e5 do list[i] = { i } end list = nil for i = 1, 60 do list = (list or 'xx') .. (list or 'xx') end" } do
    local megabytes, message = peak(body)
    luaunit.assertStrContains(message, "the script took more than 64 MB")
    luaunit.assertTrue(megabytes - least <= 1.1 * 64, ("%s: %.1f MB beside %.1f"):format(body, megabytes, least))
  end
  local _, message = peak "for i = 1, 8 do local _ = #('x'):rep(1000):rep(15000 + i) end" -- garbage alone
  luaunit.assertStrContains(message, "limited")
end

--- A search may take longer than a step of it.
function Limits.test_searches_are_not_callbacks()
  long.only()
  local path = shell.file("long.lua", [[
local game = crux.game "long"
function game.parse() return {} end
game.search = { moves = { "on" }, state = function() return { at = crux.integer(0, 9000000) } end,
  start = function() return { at = 0 } end, step = function(state) state.at = state.at + 1 return crux.ge(state.at, 9000000) end }
return game
]])
  for _, limit in ipairs { "--limit-time 0.3 --seconds 0.9", "--limit-instructions 0.1 --seconds 0.5" } do
    local result = shell.crux(("check --game %s %s --jobs 1 %s"):format(path, levels, limit))
    luaunit.assertStrContains(result.out, "unknown")
    luaunit.assertEquals(result.status, 0, result.err)
  end
end

function Limits.test_options()
  local help = shell.printed "help limits"
  for _, option in ipairs { "--limit-time SECONDS", "--limit-memory MB", "--limit-run SECONDS", "--limit-instructions MILLIONS" } do
    luaunit.assertStrContains(help, option)
    local flag = option:match "%S+"
    for _, value in ipairs { "x", "-1", "inf", "nan", "1e999" } do
      local result = shell.crux(("rate flow datasets/flow.csv %s=%s"):format(flag, value))
      luaunit.assertEquals(result.status, 2)
      luaunit.assertStrContains(result.err, ("%s: found '%s', expected a number of at least 0 (0: no limit)\n"):format(flag, value))
    end
    luaunit.assertEquals(shell.printed(("rate flow datasets/flow.csv %s 0"):format(flag)),
      shell.printed "rate flow datasets/flow.csv")
  end
  luaunit.assertNotStrContains(shell.printed "help rate", "--limit")
end

return { Limits = Limits }
