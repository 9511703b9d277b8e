--- The manual page: the help of all commands in the language of man(7).
local lists = require "crux.base.lists"
local process = require "libcrux.process"

local manual = {}

local width <const> = 78 -- of lines

--- The roff text of characters with a meaning in roff.
local escapes = { ["\\"] = "\\e", ["-"] = "\\-", ["'"] = "\\(aq", ["`"] = "\\(ga", ["^"] = "\\(ha", ["~"] = "\\(ti" }

local function escape(text) return (text:gsub("[\\%-'`^~]", escapes)) end

--- Fills text into lines, none of which begins with a roff request.
local function paragraph(text)
  local function fits(line) return #line <= width end
  local function first(word) return word:find "^%." and "\\&" .. word or word end
  return table.concat(lists.wrap(escape(text), fits, first), "\n")
end

--- Text with blank lines between paragraphs.
local function paragraphs(text)
  local list = {}
  for part in (text .. "\n\n"):gmatch "(.-)\n\n+" do table.insert(list, paragraph(part)) end
  return table.concat(list, "\n.PP\n")
end

local function bold(text) return "\\fB" .. escape(text) .. "\\fR" end

local function italic(text) return "\\fI" .. escape(text) .. "\\fR" end

local function entry(head, doc) return (".TP\n%s\n%s\n"):format(head, paragraph(doc)) end

local function option(row)
  local doc = row.doc .. (row.default and (" (default: %s)."):format(row.default) or "")
  return entry(bold(row.flags) .. (row.value and " " .. italic(row.value) or ""), doc)
end

--- The usage of a command in one line; argparse wraps it.
local function usage(parser, name)
  for _, command in ipairs(parser._commands) do
    if command._name == name then return command:get_usage():gsub("^Usage: ", ""):gsub("%s+", " ") end
  end
end

---@return string
local function section(cli, name)
  local command = cli.command(name)
  local parts = { (".SS crux %s\n"):format(name), paragraph(usage(cli.parser { name }, name)), "\n.PP\n",
    paragraphs(command.details), "\n" }
  for _, row in ipairs(command.arguments or {}) do table.insert(parts, entry(italic(row.name), row.doc)) end
  for _, row in ipairs(cli.options(command, { name })) do table.insert(parts, option(row)) end
  if command.examples then
    table.insert(parts, (".PP\nExamples:\n.PP\n.nf\n%s\n.fi\n"):format(escape(table.concat(command.examples, "\n"))))
  end
  return table.concat(parts)
end

--- The last sections.
local ending = {
  { "EXIT STATUS", "0 on success, 1 for faults in data or a script, 2 for a wrong command line." },
  { "ENVIRONMENT", entry(bold "CRUX_HOME", "The folder that holds lua, games and rules, instead of the one that belongs to the "
    .. "program.") .. entry(bold "NO_COLOR", "Unless empty, it turns off colours on the terminal."), true },
  { "SEE ALSO", "The folders docs, examples and datasets in share/doc/crux, below the prefix that crux is installed in." },
}

function manual.page()
  local cli = require "crux.cli"
  local parts = { ('.TH CRUX 1 "" "crux %s"\n'):format(process.version), ".SH NAME\n",
    "crux \\- rates how hard puzzle levels are, with rules written in Lua\n", ".SH SYNOPSIS\n",
    bold "crux", " ", italic "COMMAND", " [...]\n" }
  for _, group in ipairs(cli.groups) do
    table.insert(parts, (".SH COMMANDS: %s\n"):format(escape(group.title:upper())))
    for _, name in ipairs(group.names) do table.insert(parts, section(cli, name)) end
  end
  table.insert(parts, ".SH LIMITS ON SCRIPTS\nA script that goes beyond one ends the command. 0 is no limit.\n")
  for _, row in ipairs(cli.limits) do table.insert(parts, option(row)) end
  for _, part in ipairs(ending) do
    table.insert(parts, (".SH %s\n%s\n"):format(part[1], part[3] and part[2]:gsub("\n$", "") or paragraph(part[2])))
  end
  return table.concat(parts)
end

return manual
