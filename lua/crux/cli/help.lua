--- crux help: what a command does.
local argparse = require "argparse"
local fault = require "crux.fault"
local nearest = require "crux.nearest"
local output = require "crux.output"

--- What scripts may take, as the help of a command.
local function limits_help(cli)
  local parser = argparse "crux":add_help(false):usage "Usage: crux COMMAND ... [--limit-... N]"
  parser:help_max_width(100):help_description_margin(32)
  parser:description("Limits on scripts, which hold with every command: a script that goes beyond one ends the command. 0 is "
    .. "no limit.")
  for _, name in ipairs(cli.limits) do cli.add_option(parser, name, {}) end
  return parser:get_help() .. "\n"
end

local function run(args)
  local cli = require "crux.cli"
  local parser = cli.parser { args.topic }
  if not args.topic then
    output.save(nil, parser:get_help() .. "\n")
    return
  end
  if args.topic == "limits" then return output.save(nil, limits_help(cli)) end
  for _, command in ipairs(parser._commands) do
    if command._name == args.topic then
      output.save(nil, command:get_help() .. "\n")
      return
    end
  end
  fault.raise(("found '%s', expected a command; %s"):format(args.topic, nearest.hint(args.topic, cli.commands)), 2)
end

return {
  arguments = { { name = "topic", args = "?", doc = "A command, or limits." } },
  examples = { "crux help fit" },
  is_plain = true,
  run = run,
}
