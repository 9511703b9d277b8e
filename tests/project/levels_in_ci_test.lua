--- examples/levels-in-ci/ does what docs/levels-in-ci.md says, in a repository made for the test.
local luaunit = require "luaunit"
local shell = require "shell"
local walkthrough = require "walkthrough"
local xml_reader = require "xml_reader"

local source, folder = "examples/levels-in-ci/", shell.path "repository"

--- A level that is rated 4.709, one that is rated 5.698, outside of the range 2..5 of the Makefile, and one that cannot be read.
local good, hard = shell.read "datasets/levels/move/1.txt", shell.read "datasets/levels/move/26.txt"
local broken = "a .\n"
local refusal = "levels/2.txt:2: level '26': found rating 5.698, expected 2..5\n1 of 2 levels is not as expected\n"

--- Runs a command line in the repository, with crux on the path and no settings of the user's git or of the make that runs tests.
local function run(line)
  return shell.run(("unset MAKEFLAGS MAKELEVEL; cd %s && PATH=%s:$PATH GIT_CONFIG_GLOBAL=/dev/null %s"):format(folder, walkthrough.programs(), line))
end

local function git(line) return run("git -c user.name=ann -c user.email=ann@example.org " .. line) end

--- The number of commits.
local function commits() return tonumber(git("rev-list --count --all").out) end

--- The command by which the workflow checks the levels.
local function command() return assert(shell.read(source .. "levels.yml"):match "run: ([^\n]*check%-levels[^\n]*)") end

local Recipes = {}

--- A repository with one good level, the Makefile and the hook.
function Recipes.setUp()
  luaunit.skipIf(shell.run("git --version && make --version").status ~= 0, "git or make is missing")
  shell.run("rm -rf " .. folder)
  shell.folder("repository/levels", { ["1.txt"] = good })
  shell.file("repository/Makefile", shell.read(source .. "Makefile"))
  shell.output(("git init -q %s && install -m 755 %spre-commit %s/.git/hooks/pre-commit"):format(folder, source, folder))
  git "add ."
  luaunit.assertEquals(git "commit -qm first", { status = 0, out = "", err = "" })
end

local function write(text) shell.file("repository/levels/2.txt", text) end

function Recipes.test_workflow()
  local result = run(command())
  luaunit.assertEquals(result, { status = 0, out = "", err = "" })
  luaunit.assertEquals(xml_reader(shell.read(folder .. "/levels.xml")).attributes, { tests = "1", failures = "0", errors = "0" })
  for text, attributes in pairs { [hard] = { tests = "2", failures = "1", errors = "0" },
    [broken] = { tests = "2", failures = "0", errors = "1" } } do
    write(text)
    result = run(command())
    luaunit.assertNotEquals(result.status, 0)
    luaunit.assertEquals(xml_reader(shell.read(folder .. "/levels.xml")).attributes, attributes)
    local said = result.err:gsub("make: [^\n]*\n", "")
    luaunit.assertEquals(select(2, said:gsub("\n", "")), 2)
    if text == hard then luaunit.assertEquals(said, refusal) end
  end
end

--- The hook looks at what is staged, not at the files of the work tree.
function Recipes.test_hook()
  write(hard)
  git "add ."
  write(good:gsub("; 1", "; 2"))
  local result = git "commit -qm hard"
  luaunit.assertNotEquals(result.status, 0)
  luaunit.assertStrContains(result.err, refusal)
  luaunit.assertEquals(commits(), 1)
  git "add ."
  write(hard)
  luaunit.assertEquals(git("commit -qm good"), { status = 0, out = "", err = "" })
  luaunit.assertEquals(commits(), 2)
end

return { LevelsInCi = Recipes }
