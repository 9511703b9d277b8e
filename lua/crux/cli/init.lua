--- The command line: finds the command, reads its options, and turns failures into a line and an exit status.
local argparse = require "argparse"
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local home = require "libcrux.home"
local lists = require "crux.base.lists"
local options = require "crux.option.options"
local sinks = require "crux.out.sinks"
local process = require "libcrux.process"
local progress = require "crux.out.progress"
local terminal = require "libcrux.terminal"
local wall = require "libcrux.wall"

local cli = {}

--- The names of the commands in groups, in the order of the help. The module of a command is loaded when a command line
--- names it.
---@type { title: string, names: string[] }[]
cli.groups = {
  { title = "Levels",
    names = { "rate", "sort", "measure", "solve", "generate", "sample", "convert", "play", "replay", "workbench", "site" } },
  { title = "Players' ratings", names = { "aggregate", "levels", "players", "track", "curve", "agreement", "correlate" } },
  { title = "Formulas",
    names = { "fit", "evaluate", "compare", "select", "discover", "imitate", "ablate", "diagnose", "plot",
      "report" } },
  { title = "Games and rules", names = { "games", "rules", "new", "check", "watch" } },
  { title = "Studies", names = { "serve", "study" } },
  { title = "Help", names = { "help" } },
}

---@type string[]
cli.commands = {}
for _, group in ipairs(cli.groups) do table.move(group.names, 1, #group.names, #cli.commands + 1, cli.commands) end

--- The limits on scripts: options of all commands, which 'crux help limits' explains.
cli.limits = { options.limit_time, options.limit_memory, options.limit_run, options.limit_instructions }

--- The path of the module of a command, in the room "cli" or "task".
local function module_of(room, name) return ("%s/lua/crux/%s/%s.lua"):format(home, room, name) end

--- The line that tells what a command is for: the field `summary` in its text, as loading all commands takes long.
function cli.summary(name)
  local room = file_system.is_regular(module_of("task", name)) and "task" or "cli"
  local file <close> = assert(io.open(module_of(room, name), "rb"))
  local text = file:read "a"
  local at = text:find('\n  summary = "', 1, true)
  return at and text:match('"(.-)"', at) or require(("crux.%s.%s"):format(room, name)).summary -- of bytecode, in WebAssembly
end

--- The command of the task of a script that has not run yet.
local unread = { arguments = { { name = "arguments", args = "*", doc = "" } }, options = { "output", "format" },
  options_of_script = function() return {} end }

--- A command is a table with these fields:
--- summary, details, arguments, examples: for its help;
--- options: rows, or a function (words) that returns them;
--- options_of_script(argument): the rows of options that the script named by the first argument defines;
--- prepare(arguments): opens the files to write, if these are not -o or standard output alone; returns arguments.prepared, and
--- the socket of a server;
--- is_plain: true if it reads no file and runs no script;
--- is_passed_on: true if its arguments are the command line of another command;
--- run(arguments).
--- Most tasks (crux.task.shared.call) need no command of their own.
---@param is_first boolean?   no script may run yet: the task of a script takes any arguments
function cli.command(name, is_first)
  if name:find "%.lua$" then
    return is_first and unread or require "crux.cli.task_command" (require "crux.task.shared.call".load(name))
  end
  if file_system.is_regular(module_of("cli", name)) then return require("crux.cli." .. name) end
  return require "crux.cli.task_command" (require("crux.task." .. name))
end

--- Patterns of the parser's messages, and what replaces them.
local usage_hints = {
  { "\nDid", "; did" },
  { "\n", "; " },
  { "^a command is required$", "%0; 'crux help' lists them" },
  { "^too many arguments$", "%0; one with blanks in it needs quotes" },
  { "^(unknown option '%-%d').*", "%1; a value that begins with - follows =, as in --option=-1" },
  { "^unknown option '%-%-shuffle'.*", "%0; folds are random, and --folds-by order takes them in the order of the file" },
}

local function raise_usage(parser, message)
  local word = message:match "^unknown command '(.-)'"
  message = word and require("crux.cli.other_words")[word] and ("unknown command '%s'; %s"):format(word,
    require("crux.cli.other_words")[word]) or message
  for _, hint in ipairs(usage_hints) do message = message:gsub(hint[1], hint[2]) end
  fault.raise(("%s\n%s"):format(parser:get_usage(), message), 2)
end

--- A conversion that also keeps each text of an option or argument under its name in `said`.
local function noting(said, name, conversion)
  return function(text)
    said[name] = said[name] and said[name] .. " " .. text or text
    if not conversion then return text end
    return conversion(text, name)
  end
end

--- Adds an option to a parser.
---@param said table<string, string>   receives the options of the command line, as a journal keeps them
function cli.add_option(parser, row, said)
  local added = row.value and parser:option(row.flags):argname(row.value) or parser:flag(row.flags)
  added:description(row.doc)
  if row.alias then added:hidden_name(row.alias):target(row.alias:sub(3)) end
  if row.choices then added:choices(row.choices) end
  if row.in_journal == false then
    if row.convert then added:convert(function(text) return row.convert(text, row.flags) end) end
  elseif row.value then
    added:convert(noting(said, row.flags, row.convert))
  else
    added:action(function(result, target) result[target], said[row.flags] = true, "" end)
  end
  if row.default then added:default(row.default) end
  if row.repeated then added:count "*" end
  return added
end

local function add_help(parser)
  parser:flag("-h --help"):description("Print this help and exit."):action(function()
    fault.raise(parser:get_help(), 0)
  end)
end

--- Adds options of any value for the flags of a command line that the command does not have.
local function add_unknown_options(sub, words, said)
  local known = {}
  for _, option in ipairs(sub._options) do
    for _, flag in ipairs(option._aliases) do known[flag] = true end
  end
  for _, word in ipairs(words) do
    local flag = word:match "^(%-%-[^=]+)"
    if flag and not known[flag] then
      known[flag] = true
      cli.add_option(sub, { flags = flag, value = "N", doc = "" }, said)
    end
  end
end

--- The rows of a command's options.
---@param words string[]   of the command line, on which they may depend
---@param is_first boolean?   no script may run yet
function cli.options(command, words, is_first)
  local rows, list = command.options or {}, {}
  if type(rows) == "function" then rows = rows(words) end
  if command.options_of_script and not is_first then
    rows = lists.concat(rows, command.options_of_script(require "crux.cli.first_argument" (words, rows)))
  end
  for _, row in ipairs(rows) do
    row = type(row) == "string" and assert(options[row], row) or row
    table.insert(list, row)
    if type(row.choices) == "function" then row.choices = row.choices() end
    if lists.contains(row.choices or {}, "csv") then table.insert(list, options.safe_csv) end
  end
  if not command.is_passed_on then table.insert(list, options.debug) end
  return list
end

local function add_command(sub, command, words, said, is_first)
  if command.details then sub:description(command.details) end
  for _, row in ipairs(command.arguments or {}) do
    local argument = sub:argument(row.name):description(row.doc):args(row.args or 1):convert(noting(said, row.name))
    if row.choices then argument:choices(row.choices) end
  end
  for _, row in ipairs(cli.options(command, words, is_first)) do cli.add_option(sub, row, said) end
  if command.is_passed_on then return sub:handle_options(false) end
  for _, row in ipairs(cli.limits) do cli.add_option(sub, row, said):hidden(true) end
  add_help(sub)
  if command.options_of_script and is_first then add_unknown_options(sub, words, said) end
  if command.examples then sub:epilog("Examples:\n   " .. table.concat(command.examples, "\n   ")) end
end

--- The first word of a command line that is no option: the name of the command.
local function first_name(words)
  for _, word in ipairs(words) do
    if word:sub(1, 1) ~= "-" then return word end
  end
end

--- The parser of a command line. If that begins with a command's name, it knows this command alone, else all of them.
---@param words string[]   options may depend on them
---@param said table<string, string>?   receives, when it parses, the options and arguments that results depend on
---@param is_first boolean?   no script may run yet: unknown options are accepted for a command that asks a script
---@return table parser, table? command   the named one
function cli.parser(words, said, is_first)
  local parser = argparse("crux"):add_help(false):command_target "command"
  parser:description "Rates how hard puzzle levels are, with rules written in Lua."
  local pages = home:gsub("/share/crux$", "/share/doc/crux")
  parser:epilog("'crux help COMMAND' tells more about a command, 'crux help limits' what scripts may take.\n\n"
    .. ("The folders docs, examples and datasets that the help names are in %s."):format(pages))
  parser:usage_max_width(100):help_max_width(100):help_description_margin(32)
  parser:flag("--version"):description("Print the version and exit."):action(function()
    fault.raise("crux " .. process.version, 0)
  end)
  add_help(parser)
  parser.error = raise_usage
  local named, named_command = first_name(words), nil
  local is_alone = named and (named:find "%.lua$" or named == words[1] and lists.contains(cli.commands, named))
  local groups = is_alone and { { title = "Command", names = { named } } } or cli.groups
  for _, group in ipairs(groups) do
    local subs = lists.map(group.names, function(name)
      local sub = parser:command(name):add_help(false)
      if not named then sub:summary(cli.summary(name)) end
      if name == named then
        named_command = cli.command(name, is_first)
        add_command(sub, named_command, words, said or {}, is_first)
      end
      return sub
    end)
    parser:group(group.title, table.unpack(subs))
  end
  return parser, named_command
end

--- An error as a table with message and traceback. Errors that are no faults are mistakes in crux.
local function describe(err)
  if type(err) == "table" and err.message then return err end -- a fault, or described before
  return fault.of_crux(err)
end

--- Sets the format of --safe-csv, which --format does not offer.
local function choose_safe_csv(arguments)
  if not arguments.safe_csv then return end
  if (arguments.format or "csv") ~= "csv" then
    fault.raise(("found --safe-csv and --format %s, expected one of them"):format(arguments.format), 2)
  end
  arguments.format = "safe-csv"
end

--- Sets the limits on scripts.
---@param arguments table?   of the command line; the defaults without
local function set_limits(arguments)
  local values = {}
  for _, row in ipairs(cli.limits) do
    local name = row.flags:match "^%-%-limit%-(.*)$"
    values[name] = arguments and arguments["limit_" .. name] or row.convert(row.default)
  end
  budget.set(values)
end

--- Raises a fault if the output is a file that another word of the command line names: the input would be lost. The output of
--- --append contains its input.
local function refuse_own_input(arguments, words)
  local output = not arguments.append and arguments.output
  local path = output and file_system.is_regular(output) and file_system.resolve(output)
  for i, word in ipairs(path and words or {}) do
    local is_output = words[i - 1] == "-o" or words[i - 1] == "--output" or word:find "^%-%-output="
    if not is_output and file_system.resolve((word:gsub("^%-%-[%w-]+=", ""))) == path then
      fault.raise(("-o %s: found a file that is read, too, expected another one"):format(output), 2)
    end
  end
end

--- Opens the files that a command writes, so that it fails before any work is done.
local function prepare(arguments, words)
  local command = cli.command(arguments.command, true)
  refuse_own_input(arguments, words)
  if command.prepare then return command.prepare(arguments) end
  sinks.reserve(arguments.output)
end

local function open_journal(arguments, words)
  if not arguments.resume then return nil end
  if arguments.resume == arguments.output then fault.raise("found one file for --resume and -o, expected two", 2) end
  return require("crux.run.journal").open(arguments.resume, words)
end

--- Calls a function of a command. Puts the usage of the command before the message of a usage fault.
local function call(parser, f, arguments, ...)
  local ok, result, more = xpcall(f, describe, arguments, ...)
  if ok then return result, more end
  if result.status == 2 then
    for _, command in ipairs(parser._commands) do
      if command._name == arguments.command then
        result = fault.new { message = command:get_usage() .. "\n" .. result.message, status = 2, traceback = result.traceback }
      end
    end
  end
  error(result, 0)
end

--- Runs a command line. No script runs before all files to write are open.
local function run(words)
  local said = {}
  local parser, command = cli.parser(words, said, true)
  local asks_script = command and command.options_of_script ~= nil
  local ok, arguments = pcall(parser.parse, parser, words)
  if not ok and not asks_script then error(arguments, 0) end
  if not command.is_plain then set_limits(ok and arguments or nil) end -- from here on, signals remove files that are incomplete
  local prepared, socket
  if ok then prepared, socket = call(parser, prepare, arguments, words) end
  local log <close> = ok and call(parser, open_journal, arguments, words)
  if not command.is_plain then wall.raise(socket) end
  if asks_script then
    said = {}
    parser, command = cli.parser(words, said)
    arguments = parser:parse(words)
  end
  arguments.prepared, arguments.journal, arguments.command_line = prepared, log or nil, words
  arguments.say, arguments.progress, arguments.tells = sinks.say, progress.new, terminal.is_terminal(io.stderr)
  call(parser, function()
    choose_safe_csv(arguments)
    if log then log:begin(arguments.command, said) end
    command.run(arguments)
    if log then log:finish() end
    sinks.finish()
  end, arguments)
end

--- Runs a command line.
---@param words string[]   without the program's name
---@return integer         exit status
function cli.main(words)
  local ok, problem = xpcall(run, describe, words)
  if budget.stopped() then return 1 end -- src/host/command_line.c says why
  sinks.release()
  if not ok and type(problem) == "string" then problem = describe(problem) end -- Lua calls no handler without memory
  if not ok and problem.status == 0 then ok, problem = pcall(sinks.save, nil, problem.message .. "\n") end
  if ok then return 0 end
  -- messages about scripts alone need the module crux.script.context
  local is_of_script = problem.status == 1 and not problem.is_stop and problem.message:find "%.lua:"
  sinks.say(is_of_script and require("crux.script.context").message(problem.message, words) or problem.message)
  for _, word in ipairs(words) do
    if word == "--debug" and problem.traceback then sinks.say(problem.traceback) end
  end
  return problem.status or 1
end

return cli
