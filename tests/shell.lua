--- Running the program as a user does, and files to run it on.
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

shell.read = read

--- Whether a file is there.
function shell.exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

--- A word as the shell reads it.
function shell.quote(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

--- Runs a command line in the shell.
---@return { status: integer, out: string, err: string }
function shell.run(command)
  local out, err = shell.path "stdout", shell.path "stderr"
  local _, how, code = os.execute(("{ %s\n} > %s 2> %s"):format(command, out, err))
  return { status = how == "exit" and code or 128 + code, out = read(out), err = read(err) }
end

--- Runs crux with a command line: shell.crux "fit rules/flow.lua datasets/flow.csv".
function shell.crux(line) return shell.run(shell.quote(program) .. " " .. line) end

return shell
