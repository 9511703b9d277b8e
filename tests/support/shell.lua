--- Running the program as a user does, and files to run it on.
local cli = require "crux.cli"
local host = require "host"
local json = require "json_reader"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local file_system = require "libcrux.files"
local process = require "libcrux.process"

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

--- Whether it is built with sanitizers or for coverage, in a folder that is not beside its home.
shell.is_instrumented = program:find "/build/sanitize/" ~= nil or program:find "/build/coverage/" ~= nil

--- Writes a file into the tests' folder and returns its path.
function shell.file(name, text)
  local path = shell.path(name)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  return path
end

--- The names in a folder, sorted.
function shell.list(path)
  local names = lists.select(assert(file_system.list(path)), function(name) return name ~= "." and name ~= ".." end)
  table.sort(names)
  return names
end

--- Removes a file or a folder with all in it.
local function remove(path)
  if os.remove(path) or not file_system.list(path) then return end
  for _, name in ipairs(shell.list(path)) do remove(path .. "/" .. name) end
  os.remove(path)
end

--- A new folder in the tests' folder, with files in it; returns its path. Folders above it are made where they are missing.
---@param files table<string, string>?   text by name
function shell.folder(name, files)
  local path = shell.path(name)
  remove(path)
  for place in name:gmatch "()/" do assert(file_system.make_folder(shell.path(name:sub(1, place - 1)))) end
  assert(file_system.make_folder(path))
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

--- Waits until a function returns a value, which is returned, or a process has ended, also where nobody takes its exit status.
---@param found fun(): any
function shell.wait(pid, found)
  local value = found()
  while not value and shell.exists(("/proc/%s/exe"):format(pid)) do
    process.sleep(0.02)
    value = found()
  end
  return value or found()
end

--- The lines of a text that are not empty.
function shell.lines(text)
  local lines = {}
  for line in text:gmatch "[^\n]+" do table.insert(lines, line) end
  return lines
end

--- The rows of a CSV text without quotes: texts of cells by column.
---@return table<string, string>[]
function shell.rows(text)
  local function cells(line)
    local list = {}
    for cell in (line .. ","):gmatch "([^,]*)," do table.insert(list, cell) end
    return list
  end
  local lines = shell.lines(text)
  local names = cells(table.remove(lines, 1))
  return lists.map(lines, function(line)
    local row = {}
    for i, cell in ipairs(cells(line)) do row[names[i]] = cell end
    return row
  end)
end

--- The processor time that a process has used, in hundredths of a second.
---@param pid string
function shell.ticks(pid)
  return tonumber(read(("/proc/%s/stat"):format(pid)):match("%) " .. ("%S+ "):rep(11) .. "(%d+)"))
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

local out, err = shell.path "stdout", shell.path "stderr"

--- What a command line did. `context` are the lines of scripts that it showed on standard error, which `err` is without; nil
--- where there are none.
---@return { status: integer, out: string, err: string, context: string? }
local function result(status)
  local said, context = without_context(read(err))
  return { status = status, out = read(out), err = said, context = context }
end

--- The only tests that WebAssembly leaves out: those that start a process.
local function expect_processes() luaunit.skipIf(os.getenv "CRUX_TEST_WASM", "it starts a process") end

--- Runs a command line in the shell.
function shell.run(command)
  expect_processes()
  local _, how, code = os.execute(("{ %s\n} > %s 2> %s"):format(command, out, err))
  return result(how == "exit" and code or 128 + code)
end

--- The words of a command line; nil if it has more than words, such as a redirection or a pattern, which only a shell reads.
local function words_of(line)
  local words, word, i = {}, nil, 1
  while i <= #line do
    local piece, after = line:match("^'([^']*)'()", i)
    if not piece then piece, after = line:match('^"([^"$`\\]*)"()', i) end
    if not piece then piece, after = line:match("^\\([^\n])()", i) end
    if not piece then piece, after = line:match("^([^%s'\"\\$`<>|&;()*?~#%[]+)()", i) end
    if piece then
      word, i = (word or "") .. piece, after
    elseif line:find("^ ", i) then
      words[#words + 1], word, i = word, nil, i + 1
    else
      return nil
    end
  end
  words[#words + 1] = word
  return words
end

--- Loads what a command line needs, so that its copies of the process need not.
local function load_command(words)
  for _, word in ipairs(words) do
    if lists.contains(cli.commands, word) then return cli.command(word) end
  end
end

--- Runs crux with a command line: shell.crux "fit rules/flow.lua datasets/flow.csv". It is run without a start of the program,
--- unless only a shell can read it.
---@param at { folder: string?, input: string? }?   where it runs; what is its standard input
function shell.crux(line, at)
  at = at or {}
  local words = words_of(line)
  if words then
    expect_processes()
    load_command(words)
    return result(host.crux(words, at.folder, at.input, out, err))
  end
  local redirection = at.input and " < " .. at.input or ""
  return shell.run(("cd %s && %s %s%s"):format(at.folder or ".", shell.quote(program), line, redirection))
end

--- What is printed where all is well.
local function printed(done, line)
  luaunit.assertEquals(done.err, "", line)
  luaunit.assertEquals(done.status, 0, line)
  return done.out
end

--- What a command line in the shell prints; expects that all is well.
function shell.output(command) return printed(shell.run(command), command) end

--- What crux prints; expects that all is well.
function shell.printed(line, at) return printed(shell.crux(line, at), line) end

--- The same as JSON, decoded.
function shell.decoded(line) return json.decode(shell.printed(line .. " --format json")) end

return shell
