--- Scripts that complete command lines in shells: commands, options and their choices; names of games, rules and fits; files
--- of the right endings.
local shared = require "crux.option.options"
local script = require "crux.script.script"
local process = require "libcrux.process"

local completion = {}

---@class Completion               the completions of an argument or value
---@field words string[]?
---@field endings string[]?    of files, without the dot; "" for any

local files = { endings = { "" } }

--- Choices by the name of an argument or of an option's value. Other arguments are files, other values are not completed.
local function by_name(cli)
  local games = { words = script.names "game", endings = { "lua" } }
  local rules = { words = script.names "rule", endings = { "lua" } }
  local inputs = { words = rules.words, endings = { "lua", "csv" } }
  local methods, data = { words = shared.fit.words() }, { endings = { "csv" } }
  local topics = table.move(cli.commands, 1, #cli.commands, 2, { "limits" })
  return { GAME = games, RULE = rules, INPUTS = inputs, METHOD = methods, ["METHOD,..."] = methods, DATA = data, STUDY = data,
    TOPIC = { words = topics }, FILE = files, LEVELS = files, JOURNAL = files }
end

--- The choice of an option's value; nil for an option without value.
---@return Completion?
local function choice_of_option(row, names)
  if not row.value then return nil end
  local ending = row.value:match "%.(%l+)$"
  return row.choices and { words = row.choices } or ending and { endings = { ending } } or names[row.value] or {}
end

---@return Completion
local function choice_of_argument(row, names)
  return row.choices and { words = row.choices } or names[row.name:upper()] or files
end

---@class Completed            a command
---@field name string
---@field summary string
---@field options { flags: string[], row: table, choice: Completion? }[]
---@field arguments { name: string, choice: Completion, last: boolean }[]   last: repeatable

---@return Completed[]
local function table_of(cli)
  local names, list = by_name(cli), {}
  for i, name in ipairs(cli.commands) do
    local command = cli.command(name)
    local completed = { name = name, summary = cli.summary(name), options = {}, arguments = {} }
    for _, row in ipairs(cli.options(command, { name })) do
      table.insert(completed.options, { flags = { row.flags, row.alias }, row = row, choice = choice_of_option(row, names) })
    end
    table.insert(completed.options, { flags = { "-h", "--help" }, row = { doc = "Print this help and exit." } })
    for _, row in ipairs(command.arguments or {}) do
      table.insert(completed.arguments, { name = row.name, choice = choice_of_argument(row, names),
        last = row.args == "*" or row.args == "+" })
    end
    list[i] = completed
  end
  return list
end

--- The bash code that sets a choice.
local function in_bash(choice)
  return ("words='%s' endings='%s' ;;"):format(table.concat(choice.words or {}, " "), choice.endings
    and table.concat(choice.endings, " "):gsub("^$", "*") or "")
end

local bash = [=[
# Completes command lines of crux %s in bash. Printed by 'crux help --completion bash'.
_crux() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= place=0 i ending
  local words='' endings='' options='-h --help --version' valued=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ -n $command ]]; then
      [[ ${COMP_WORDS[i]} == -?* || $valued == *" ${COMP_WORDS[i-1]} "* ]] || ((place++))
    elif [[ ${COMP_WORDS[i]} != -* ]]; then
      command=${COMP_WORDS[i]}
      case $command in
%s
      esac
    fi
  done
  if [[ -z $command ]]; then
    words='%s'
    [[ $cur == -* ]] && words=$options
  elif [[ $valued == *" $prev "* ]]; then
    case "$command $prev" in
%s
    esac
  elif [[ $cur == -* ]]; then
    words=$options
  else
    case "$command $place" in
%s
    esac
  fi
  [[ -n $endings ]] && compopt -o filenames 2> /dev/null
  mapfile -t COMPREPLY < <(
    compgen -W "$words" -- "$cur"
    if [[ $endings == '*' ]]; then
      compgen -f -- "$cur"
    elif [[ -n $endings ]]; then
      for ending in $endings; do compgen -f -X "!*.$ending" -- "$cur"; done
      compgen -d -- "$cur"
    fi)
}
complete -F _crux crux
]=]

local function to_bash(cli)
  local commands, values, places = {}, {}, {}
  for _, command in ipairs(table_of(cli)) do
    local options, valued = {}, {}
    for _, option in ipairs(command.options) do
      table.move(option.flags, 1, #option.flags, #options + 1, options)
      if option.choice then
        table.move(option.flags, 1, #option.flags, #valued + 1, valued)
        for _, flag in ipairs(option.flags) do
          if next(option.choice) then
            table.insert(values, ("    '%s %s') %s"):format(command.name, flag, in_bash(option.choice)))
          end
        end
      end
    end
    table.insert(commands, ("      %s) options='%s' valued=' %s ' ;;"):format(command.name, table.concat(options, " "),
      table.concat(valued, " ")))
    for i, argument in ipairs(command.arguments) do
      table.insert(places, ("    '%s %s) %s"):format(command.name, argument.last and "'*" or (i - 1) .. "'",
        in_bash(argument.choice)))
    end
  end
  return bash:format(process.version, table.concat(commands, "\n"), table.concat(cli.commands, " "), table.concat(values, "\n"),
    table.concat(places, "\n"))
end

--- Escapes text for a quoted specification, in which colons separate parts.
local function in_zsh(text) return (text:gsub("[%[%]:\\]", "\\%0"):gsub("'", "'\\''")) end

--- The zsh action that completes a choice.
local function action_of(choice)
  local words, endings = choice.words and table.concat(choice.words, " "), choice.endings
  local find = endings and (endings[1] == "" and "_files" or ('_files -g "*.(%s)"'):format(table.concat(endings, "|")))
  if words and find then return ("{compadd -- %s; %s}"):format(words, find) end
  return words and ("(%s)"):format(words) or find or " "
end

local zsh = [=[
#compdef crux
# Completes command lines of crux %s in zsh. Printed by 'crux help --completion zsh'.
local -a commands=(
%s
)
if (( CURRENT == 2 )); then
  _describe command commands
  _arguments '--version[Print the version and exit.]' '(-h --help)'{-h,--help}'[Print this help and exit.]'
  return
fi
shift words
(( CURRENT-- ))
case $words[1] in
%s
esac
]=]

local function to_zsh(cli)
  local commands, cases = {}, {}
  for i, command in ipairs(table_of(cli)) do
    commands[i] = ("  '%s:%s'"):format(command.name, in_zsh(command.summary))
    local lines = { ("%s)\n  _arguments -s -S"):format(command.name) }
    for _, option in ipairs(command.options) do
      local flags = #option.flags == 1 and "'" .. option.flags[1]
        or ("'(%s)'{%s}'"):format(table.concat(option.flags, " "), table.concat(option.flags, ","))
      local value = option.choice and (":%s:%s"):format(in_zsh(option.row.value), action_of(option.choice)) or ""
      table.insert(lines, ("    %s%s[%s]%s'"):format(option.row.repeated and "'*'" or "", flags, in_zsh(option.row.doc), value))
    end
    for place, argument in ipairs(command.arguments) do
      table.insert(lines, ("    '%s:%s:%s'"):format(argument.last and "*" or place, argument.name, action_of(argument.choice)))
    end
    cases[i] = table.concat(lines, " \\\n") .. " ;;"
  end
  return zsh:format(process.version, table.concat(commands, "\n"), table.concat(cases, "\n"))
end

local scripts = { bash = to_bash, zsh = to_zsh }

--- The script for a shell.
---@param shell "bash"|"zsh"
function completion.script(shell) return scripts[shell](require "crux.cli") end

return completion
