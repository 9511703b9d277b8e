--- Scripts that try to break out, to go on for ever or to spoil what is not theirs (tests/support/attacks.lua), each run as a user
--- would. Several run at a time, each in a folder of its own.
local attacks = require "attacks"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local Attacks = {}

--- Seconds after which an attack has succeeded, far more than any needs.
local PATIENCE <const> = 60

local folder = shell.folder "attacks"

local inputs = {
  levels = shell.file("attacks/levels.txt", "xx\n\nxxx\n"),
  data = shell.file("attacks/data.csv", "level,x,y\na,1,1\nb,2,3\nc,4,2\nd,5,6\ne,7,5\nf,9,8\n"),
  rule = shell.file("attacks/honest-rule.lua", "return crux.rule { formula = \"y ~ x\" }\n"),
}

--- What follows the script on a command line.
local operands = { measure = inputs.levels, solve = inputs.levels, check = inputs.levels, generate = "", rate = inputs.data,
  fit = inputs.data, compare = ("%s %s"):format(inputs.rule, inputs.data) }

--- A command line with a script, on which attacks end soon.
local function line_of(command, path)
  local limits = command:find "%-%-limit%-" and "" or "--limit-time 0.2 --limit-memory 200"
  if not command:find "%-%-jobs" and operands[command:match "%S+"] ~= inputs.data and not command:find "compare" then
    limits = limits .. " --jobs 1"
  end
  return ("%s %s %s %s %s"):format(shell.quote(shell.program), command:gsub(" .*", ""):gsub("check", "check --game"), path, operands[command:match "%S+"],
    command:match " .*" or "") .. " " .. limits
end

--- Runs command lines by name, four at a time, each in a folder `NAME` with a folder `NAME.temporary` for temporary files.
local function run_all(lines)
  local names = {}
  for name, line in pairs(lines) do
    shell.file(("attacks/%s.sh"):format(name), ([[
mkdir %s %s.temporary && cd %s || exit
TMPDIR=../%s.temporary timeout -k 1 %d %s < /dev/null > ../%s.out 2> ../%s.err
echo $? > ../%s.status
]]):format(name, name, name, name, PATIENCE, line, name, name, name))
    table.insert(names, name)
  end
  shell.file("attacks/names", table.concat(names, "\n") .. "\n")
  shell.output(("cd %s && xargs -P 4 -I NAME sh NAME.sh < names"):format(folder))
end

local function result_of(name)
  local function text(ending) return shell.read(("%s/%s.%s"):format(folder, name, ending)) end
  local err = text "err":gsub("[^\n]*: searched in Lua: [^\n]*\n", "") -- a remark that check makes before
  return { status = tonumber(text "status"), out = text "out", err = err }
end

--- What is wrong with how an attack ended, if anything is.
local function problem_of(attack)
  local result = result_of(attack.name)
  if attack.expected == "as honest" then
    local honest = result_of("honest-" .. attack.name)
    local same = result.status == honest.status and result.out == honest.out
    return not (same and honest.status == 0) and "other results" or nil
  end
  local is_stop = attack.expected:find "; %-%-limit"
  local first = result.err:match "^[^\n]*"
  local is_late = is_stop and first:find("does not yield; --limit", 1, true) -- on a busy machine
  if not (is_late or first:find(attack.expected, 1, true)) then return "another line" end
  if is_stop and (result.err ~= first .. "\n" or result.out ~= "") then return "more than a line" end
  local is_named = first:find(attack.name, 1, true) or first:find "limit%-run"
  if is_stop and not is_named then return "no script named" end
  if result.status ~= (attack.expected:find "not solved" and 0 or 1) then return "another exit status" end
end

function Attacks.test_all()
  long.leave_out()
  local all, list, lines, problems = attacks.list, {}, {}, {}
  luaunit.assertTrue(#all == 116)
  for i = 1, #all, long.choose(29, 1) do table.insert(list, all[i]) end
  for _, attack in ipairs(list) do
    lines[attack.name] = line_of(attack.command, attack.path)
    if attack.expected == "as honest" then
      local honest = attacks.folder .. "/honest.lua"
      if attack.command == "compare" then
        honest = shell.file(("attacks/%s.lua"):format(attack.name), "return crux.rule { formula = \"y ~ x\" }\n")
      end
      lines["honest-" .. attack.name] = line_of(attack.command, honest)
    end
  end
  run_all(lines)
  for _, attack in ipairs(list) do
    local problem = problem_of(attack)
    if problem then
      local result = result_of(attack.name)
      table.insert(problems, ("%s: %s: status %d: %s%s"):format(attack.name, problem, result.status, result.out, result.err))
    end
  end
  luaunit.assertEquals(table.concat(problems, "\n"), "")
  luaunit.assertEquals(shell.output(("find %s -mindepth 2"):format(folder)), "") -- no files are left,
  luaunit.assertNotStrContains(shell.run("readlink /proc/[0-9]*/cwd").out, folder .. "/") -- and no processes
end

return { Attacks = Attacks }
