--- crux help: what a command does; and what is made of all commands' help, the manual page and completion for shells.
local argparse = require "argparse"
local fault = require "crux.base.fault"
local nearest = require "crux.base.nearest"
local output = require "crux.out.output"

--- What scripts may take, as the help of a command.
local function limits_help(cli)
  local parser = argparse "crux":add_help(false):usage "Usage: crux COMMAND ... [--limit-... N]"
  parser:help_max_width(100):help_description_margin(32)
  parser:description("Limits on scripts, which hold with every command: a script that goes beyond one ends the command. 0 is "
    .. "no limit.")
  for _, row in ipairs(cli.limits) do cli.add_option(parser, row, {}) end
  return parser:get_help() .. "\n"
end

--- The help of a command, of the limits on scripts, or of crux.
local function help_of(topic)
  local cli = require "crux.cli"
  local parser = cli.parser { topic }
  if not topic then return parser:get_help() .. "\n" end
  if topic == "limits" then return limits_help(cli) end
  for _, command in ipairs(parser._commands) do
    if command._name == topic then return command:get_help() .. "\n" end
  end
  fault.raise(("found '%s', expected a command; %s"):format(topic, nearest.hint(topic, cli.commands)), 2)
end

local function run(args)
  local asked = (args.topic and 1 or 0) + (args.man and 1 or 0) + (args.completion and 1 or 0)
  if asked > 1 then fault.raise("expected one of: a command, --man, --completion SHELL", 2) end
  output.save(nil, args.man and require("crux.cli.manual").page()
    or args.completion and require("crux.cli.completion").script(args.completion) or help_of(args.topic))
end

return {
  details = "Prints what a command does, which arguments and options it takes, and examples. 'make install' puts the manual "
    .. "page and the completion where man, bash and zsh find them; elsewhere, bash reads what is printed by 'source'.",
  arguments = { { name = "topic", args = "?", doc = "A command, or limits; without one, all commands are listed." } },
  options = {
    { flags = "--man", doc = "Print the manual page, for man -l." },
    { flags = "--completion", value = "SHELL", choices = { "bash", "zsh" },
      doc = "Print a script that completes command lines of crux in bash or zsh." },
  },
  examples = { "crux help fit", "crux help --completion bash" },
  is_plain = true,
  run = run,
}
