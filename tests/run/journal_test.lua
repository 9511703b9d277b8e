--- Tests of --resume: the same bytes from wherever a run was stopped, and no journal of anything else.
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

--- A game whose levels are numbers, and made at random; `n` is one of its measures.
local script = [[
local game = crux.game "numbers"
function game.parse(text)
  local n = tonumber(text)
  if not n then crux.refuse("a word", "a number", 1, 1) end
  return { n = n }
end
function game.format(level) return ("%d\n"):format(level.n) end
function game.solve(level)
  if level.n == 13 then return { status = "unknown", limit = "states" } end
  return { status = level.n % 2 == 0 and "solved" or "unsolvable", length = level.n, text = "x" }
end
function game.generate(random) return { n = random:integer(1, 1000) } end
game.measure { "n", kind = "initial", doc = "n", function(level) return level.n end }
game.measure { "moves", kind = "solution", doc = "moves", function(_, solution) return solution.length / 3 end }
return game
]]

local rule = 'return crux.rule { game = "numbers.lua", formula = function(v) return v.n / 7 end, predicts = "y" }\n'

local function levels(first, last, odd)
  local list = {}
  for i = first, last do table.insert(list, ("; level %d\n%s\n"):format(i, i == odd and "thirteen" or i)) end
  return table.concat(list, "\n")
end

local function data()
  math.randomseed(5)
  local lines = { "level,a,b,c,y" }
  for i = 1, 60 do
    local a, b, c = math.random(), math.random(), math.random()
    table.insert(lines, ("%d,%.3f,%.3f,%.3f,%.3f"):format(i, a, b, c, a + b / 2 + math.random()))
  end
  return table.concat(lines, "\n") .. "\n"
end

--- A new folder with all of it; returns its path.
local function folder()
  local path = shell.folder("resume", { ["numbers.lua"] = script, ["rule.lua"] = rule, ["data.csv"] = data(),
    ["like.csv"] = "level,n\na,3\nb,4\n", ["beside.lua"] = "require 'helper'\n" .. script })
  shell.folder("resume/levels", { ["1.txt"] = levels(1, 20, 7), ["2.txt"] = levels(21, 40, 25), ["3.txt"] = "no level" })
  return path
end

--- Runs crux in that folder.
local function crux(line) return shell.crux(line, { folder = shell.path "resume" }) end

local function journal() return shell.read(shell.path "resume/run.journal") end
local function put_journal(text) shell.file("resume/run.journal", text) end

---@type { [1]: string, [2]: integer, jobs: false? }[]   command lines, their exit status, and whether they take --jobs
local lines = {
  { "measure numbers.lua levels", 1 },
  { "solve numbers.lua levels/1.txt", 1 },
  { "solve numbers.lua levels/1.txt levels/2.txt --format json", 1 },
  { "check --game ./numbers.lua levels", 1 },
  { "rate ./rule.lua levels/2.txt data.csv levels/1.txt --game ./numbers.lua", 1 },
  { "measure numbers.lua - < levels/1.txt", 1 },
  { "generate ./numbers.lua --count 30 --seed 4", 0 },
  { "generate move --count 150 --side 3 --seed 4", 0 },
  { "generate move --select '2..3 x 3' --side 3 --seed 4", 0 },
  { "generate move --histogram --count 80 --side 3", 0 },
  { "compare 'y ~ a' 'y ~ a + b' --fit ols,lad data.csv --repeats 3", 0, jobs = false },
  { "compare 'y ~ a' data.csv --loo --group c --format json", 0, jobs = false },
  { "ablate data.csv --target y", 0, jobs = false },
  { "ablate data.csv --target y --format json", 0, jobs = false },
}

--- A command line with the journal, and maybe more.
local function with_journal(line, more) return ("%s --resume run.journal %s"):format(line, more or "") end

local Resume = {}

--- Cut off at some bytes, a journal brings the same output and messages as a run without one, for any number of workers.
function Resume.test_same_bytes()
  long.leave_out()
  folder()
  math.randomseed(1)
  for i = 1, #lines, long.choose(9, 1) do
    local row = lines[i]
    local line, status = table.unpack(row)
    local expected = crux(line)
    luaunit.assertEquals(expected.status, status, line .. "\n" .. expected.err)
    put_journal ""
    luaunit.assertEquals(crux(with_journal(line)), expected)
    local whole = journal()
    luaunit.assertEquals(crux(with_journal(line)), expected)
    luaunit.assertEquals(journal(), whole)
    for _ = 1, long.choose(1, 4) do
      put_journal(whole:sub(1, math.random(60, #whole - 1)))
      luaunit.assertEquals(crux(with_journal(line, row.jobs == nil and "--jobs " .. math.random(3))), expected)
      local again = journal()
      luaunit.assertEquals(crux(with_journal(line)), expected)
      luaunit.assertEquals(journal(), again)
    end
  end
end

--- What is in a journal is not computed again: a script that counts begins anew behind it.
function Resume.test_done_is_done()
  folder()
  shell.file("resume/counts.lua", (script:gsub("return level.n end", "count = (count or 0) + 1 return count end")))
  local line = "measure ./counts.lua levels/2.txt --measures n --jobs 1"
  local function counts()
    local list = {}
    for count in crux(with_journal(line)).out:gmatch ",(%d+)\n" do table.insert(list, tonumber(count)) end
    return list
  end
  local expected = {}
  for i = 1, 19 do expected[i] = i end
  luaunit.assertEquals(counts(), expected)
  put_journal(journal():sub(1, -2)) -- the last of 20 levels, one of which is bad
  expected[19] = 1
  luaunit.assertEquals(counts(), expected)
end

--- Runs a line that is refused with the journal of another line; the journal stays as it is.
local function expect_refusal(line, message)
  local before = journal()
  local result = crux(with_journal(line, "-o out.csv"))
  luaunit.assertEquals(result, { status = 1, out = "", err = "run.journal: " .. message .. "\n" })
  luaunit.assertEquals(journal(), before)
  luaunit.assertFalse(shell.exists(shell.path "resume/out.csv"))
end

function Resume.test_other_command_lines()
  long.only()
  folder()
  local made = "measure numbers.lua levels --states 1000"
  crux(with_journal(made))
  for _, case in ipairs {
    { "measure numbers.lua levels --states 2000", "made with --states 1000, now --states 2000" },
    { "measure numbers.lua levels", "made with --states 1000, now without --states" },
    { made .. " --seconds 5", "made without --seconds, now with --seconds 5" },
    { made .. " --trace-report", "made without --trace-report, now with --trace-report" },
    { made .. " levels/1.txt", "made with levels levels, now levels levels levels/1.txt" },
    { "solve numbers.lua levels --states 1000", "made with the command measure, now the command solve" },
    { "measure ./numbers.lua levels --states 1000", "made with game numbers.lua, now game ./numbers.lua" },
  } do
    expect_refusal(table.unpack(case))
  end
  for _, options in ipairs { "--jobs 2", "--format json", "-o out.csv" } do
    luaunit.assertEquals(crux(with_journal(made, options)), crux(made .. " " .. options))
  end
  os.remove(shell.path "resume/out.csv")
  put_journal((journal():gsub("1000", "1001", 2)))
  luaunit.assertStrContains(crux(with_journal(made)).err, "run.journal: damaged at byte ")
  put_journal ""
  crux(with_journal "solve numbers.lua levels/1.txt")
  expect_refusal("solve numbers.lua levels/1.txt --format csv", "made with draw true, now draw false")
  put_journal ""
  crux(with_journal "generate move --side 3 --select '2..3 x 1'")
  expect_refusal("generate move --side 4 --select '2..3 x 1'", "made with --side 3, now --side 4")
end

--- A journal of another version: only the first fact differs.
function Resume.test_other_version()
  folder()
  local primitive, version = require "libcrux.journal", require("libcrux.process").version
  local file = assert(primitive.open(shell.path "resume/run.journal", "crux 0.0.9"))
  assert(file:append(1, { facts = { { "crux", "0.0.9" }, { "the command", "solve" } } }))
  assert(file:close())
  expect_refusal("measure numbers.lua levels", "made with crux 0.0.9, now crux " .. version)
end

function Resume.test_changed_inputs()
  for _, case in ipairs(long.some(4, {
    { "measure numbers.lua levels", "levels/2.txt", levels(21, 41), "levels/2.txt has changed since" },
    { "measure numbers.lua levels", "levels/11.txt", levels(50, 51), "levels/11.txt is new since" },
    { "measure numbers.lua levels", "levels/3.txt", nil, "levels/3.txt is gone since" },
    { "measure numbers.lua levels/1.txt levels/3.txt", "levels/3.txt", nil, "levels/3.txt is gone since" },
    { "measure numbers.lua levels", "numbers.lua", script .. "-- more\n", "numbers.lua has changed since" },
    { "measure beside.lua levels", "helper.lua", "return { more = 0 }\n", "./helper.lua has changed since", "return {}\n" },
    { "rate ./rule.lua levels/1.txt --game ./numbers.lua", "rule.lua", rule .. "-- more\n", "./rule.lua has changed since" },
    { "generate move --like-dataset like.csv", "like.csv", "level,size\nx,9\n", "like.csv has changed since", "level,size\nx,16\n" },
    { "compare 'y ~ a' data.csv", "data.csv", data() .. "61,1,2,3,4\n", "data.csv has changed since" },
    { "compare 'y ~ a' data.csv --with like.csv", "like.csv", "level,n\n1,3\n2,3\n", "like.csv has changed since",
      "level,n\n3,1\n4,2\n5,1\n6,2\n7,8\n8,8\n" },
    { "ablate data.csv --target y", "data.csv", data() .. "61,1,2,3,4\n", "data.csv has changed since" },
    { "measure numbers.lua - < input", "input", levels(2, 3), "level 'level 2' has changed since", levels(1, 2):gsub("1", "2", 1) },
  })) do
    local line, path, text, message, before = table.unpack(case, 1, 5)
    folder()
    if before then shell.file("resume/" .. path, before) end
    local made = crux(with_journal(line))
    luaunit.assertTrue(#journal() > 0, made.err)
    if text then shell.file("resume/" .. path, text) else os.remove(shell.path("resume/" .. path)) end
    expect_refusal(line, message)
  end
end

--- Other files, and what nobody can read twice.
function Resume.test_no_journals()
  folder()
  local line = "measure numbers.lua levels/1.txt --resume "
  for _, case in ipairs {
    { line .. "levels/1.txt", "levels/1.txt: found something else, expected a journal of crux, or no file yet\n" },
    { line .. "levels", "levels: Is a directory\n" },
    { line .. "/dev/null", "/dev/null: found no plain file, expected one, or none yet\n" },
    { line .. "none/run.journal", "none/run.journal: No such file or directory\n" },
    { ("help > /dev/null; : | %s compare 'y ~ a' /dev/stdin --resume run.journal"):format(shell.quote(shell.program)),
      "/dev/stdin: found no plain file, expected one, as --resume has to tell whether it has changed\n" },
  } do
    local result = crux(case[1])
    luaunit.assertEquals({ result.err, result.status, result.out }, { case[2], 1, "" })
  end
  luaunit.assertEquals(shell.read(shell.path "resume/levels/1.txt"), levels(1, 20, 7))
  local both = crux(line .. "x -o x")
  luaunit.assertEquals(both.status, 2)
  luaunit.assertStrContains(both.err, "found one file for --resume and -o, expected two\n")
  luaunit.assertFalse(shell.exists(shell.path "resume/x"))
end

--- A run that fails before there is anything to keep leaves no journal behind.
function Resume.test_nothing_to_keep()
  folder()
  for _, line in ipairs { "measure none levels", "measure numbers.lua", "compare 'y ~ z' data.csv", "generate flow --like n=3" } do
    luaunit.assertTrue(crux(with_journal(line)).status > 0)
    luaunit.assertFalse(shell.exists(shell.path "resume/run.journal"), line)
  end
end

function Resume.test_one_run_at_a_time()
  folder()
  put_journal ""
  local line = ("flock run.journal %s measure numbers.lua levels --resume run.journal"):format(shell.quote(shell.program))
  luaunit.assertEquals(shell.run(("cd %s && %s"):format(shell.path "resume", line)),
    { status = 1, out = "", err = "run.journal: another run uses this journal\n" })
end

--- A run that ends in the middle says what it leaves.
function Resume.test_what_is_left_is_said()
  folder()
  shell.file("resume/odd.lua", (script:gsub("function game.generate%(random%)", "local made = 0\n%0 made = made + 1\n"
    .. "if made == 4 then error('enough', 0) end")))
  local result = crux(with_journal "generate ./odd.lua --count 30 --jobs 1")
  luaunit.assertEquals(result.err, "crux: 3 of 30 levels are in run.journal; the same command goes on with them\n"
    .. "./odd.lua: enough\n")
  luaunit.assertEquals(result.status, 1)
end

return { Resume = Resume }
