--- crux help: what a command does.
local fault = require "crux.fault"
local nearest = require "crux.nearest"
local output = require "crux.output"

local function run(args)
  local cli = require "crux.cli"
  local parser = cli.parser { args.topic }
  if not args.topic then
    output.save(nil, parser:get_help() .. "\n")
    return
  end
  for _, command in ipairs(parser._commands) do
    if command._name == args.topic then
      output.save(nil, command:get_help() .. "\n")
      return
    end
  end
  fault.raise(("found '%s', expected a command; %s"):format(args.topic, nearest.hint(args.topic, cli.commands)), 2)
end

return {
  arguments = { { name = "topic", args = "?", doc = "A command." } },
  examples = { "crux help fit" },
  is_plain = true,
  run = run,
}
