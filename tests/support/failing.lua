--- Runs command lines that must fail, and checks what a failure promises: one clear line, no output, nothing left behind.
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local failing = {}

---@class Failure
---@field [1] string         the command line, without `crux`; it runs in a folder that holds `files`
---@field [2] string         what is said, without the line end; with `starts`, the beginning of it
---@field starts boolean?
---@field status integer?    1 unless given; 2 is a usage error, which has the usage before the line
---@field files table<string, string>?   contents by name
---@field stdin string?      name of the file that is standard input
---@field output boolean?    false for a command without -o
---@field once boolean?      runs once, with -o if there is one: for a fault that another case looks at closely

local function run(line, case)
  return shell.crux(line, { folder = shell.path "bad", input = case.stdin })
end

local function listing() return shell.list(shell.path "bad") end

--- What was said apart from the usage, which only a usage error has.
local function said(err, case)
  if case.status ~= 2 then return err end
  local lines = {}
  for line in err:gmatch "[^\n]*\n" do table.insert(lines, line) end
  luaunit.assertEquals((lines[1] or ""):sub(1, 12), "Usage: crux ", err)
  table.remove(lines, 1)
  while lines[1] and lines[1]:sub(1, 7) == "       " do table.remove(lines, 1) end -- the usage goes on
  return table.concat(lines)
end

local function check_message(err, case)
  local line = said(err, case)
  local what = case[1] .. "\n" .. err
  luaunit.assertEquals(select(2, line:gsub("\n", "")), 1, what)
  luaunit.assertEquals(case.starts and line:sub(1, #case[2]) or line, case.starts and case[2] or case[2] .. "\n", what)
  for _, word in ipairs { "traceback", "internal error", "table: 0x", "function: 0x" } do
    luaunit.assertNil(err:lower():find(word, 1, true), what)
  end
end

--- With --debug the same is said, and a traceback.
local function check_debug(case, status)
  local result = run(case[1] .. " --debug", case)
  luaunit.assertEquals(result.status, status, case[1])
  local message, traceback = result.err:match "^(.-\n)\n?(stack traceback:\n.+)$"
  luaunit.assertNotNil(traceback, result.err)
  check_message(message, case)
end

local checked = 0

--- Runs a case: with -o, plainly, and with --debug. `make test` does so for one of eight cases, and runs the others once.
---@param case Failure
function failing.check(case)
  local line, status = case[1], case.status or 1
  shell.folder("bad", case.files)
  local before, can_write = listing(), case.output ~= false and not line:find " %-o "
  checked = checked + 1
  local once = case.once or long.choose(checked % 8 > 0, false)
  local function fails(words)
    local result = run(words, case)
    luaunit.assertEquals(result.status, status, words .. "\n" .. result.err)
    luaunit.assertEquals(result.out, "", words)
    check_message(result.err, case)
  end
  if can_write then fails(line .. " -o output.csv") end
  if not (once and can_write) then fails(line) end
  if not once then check_debug(case, status) end
  luaunit.assertEquals(listing(), before, line)
end

return failing
