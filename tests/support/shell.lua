--- Running the program as a user does, and files to run it on.
local json = require "json_reader"
local luaunit = require "luaunit"

local shell = {}

local folder = os.getenv "CRUX_TEST_FOLDER" or "/tmp"
local program = os.getenv "CRUX" or "./crux"

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

--- A path in the tests' own folder.
function shell.path(name) return folder .. "/" .. name end

--- The program under test.
shell.program = program

--- Writes a file into the tests' folder and returns its path.
function shell.file(name, text)
  local path = shell.path(name)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  return path
end

--- A new folder in the tests' folder, with files in it; returns its path.
---@param files table<string, string>?   text by name
function shell.folder(name, files)
  local path = shell.path(name)
  shell.run(("rm -rf %s && mkdir -p %s"):format(path, path))
  for file, text in pairs(files or {}) do shell.file(name .. "/" .. file, text) end
  return path
end

shell.read = read

--- Whether a file is there.
function shell.exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

--- A word as the shell reads it.
function shell.quote(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

--- What was said, and apart from it the lines of scripts below it, with hints.
local function without_context(text)
  local said, context = {}, {}
  for line in text:gmatch "[^\n]*\n?" do
    local is_below = line:find "^[> ] +%d+ |" or #context > 0 and context[#context]:find "^[> ] +%d+ |" and line:find "^  %S"
    table.insert(is_below and context or said, line)
  end
  return table.concat(said), context[1] and table.concat(context)
end

--- Runs a command line in the shell. `context` are the lines of scripts that it showed on standard error,
--- which `err` is without; nil where there are none.
---@return { status: integer, out: string, err: string, context: string? }
function shell.run(command)
  local out, err = shell.path "stdout", shell.path "stderr"
  local _, how, code = os.execute(("{ %s\n} > %s 2> %s"):format(command, out, err))
  local said, context = without_context(read(err))
  return { status = how == "exit" and code or 128 + code, out = read(out), err = said, context = context }
end

--- Runs crux with a command line: shell.crux "fit rules/flow.lua datasets/flow.csv".
function shell.crux(line) return shell.run(shell.quote(program) .. " " .. line) end

--- What a command line in the shell prints; expects that all is well.
function shell.output(command)
  local result = shell.run(command)
  luaunit.assertEquals(result.err, "", command)
  luaunit.assertEquals(result.status, 0, command)
  return result.out
end

--- What crux prints; expects that all is well.
function shell.printed(line) return shell.output(shell.quote(program) .. " " .. line) end

--- The same as JSON, decoded.
function shell.decoded(line) return json.decode(shell.printed(line .. " --format json")) end

return shell
