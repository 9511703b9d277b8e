--- crux help: prints the help of a command, the manual page, or completion for shells.
local fault = require "crux.base.fault"
local sinks = require "crux.out.sinks"
local topic = require "crux.cli.topic"

local function run(args)
  local asked = (args.topic and 1 or 0) + (args.man and 1 or 0) + (args.completion and 1 or 0)
  if asked > 1 then fault.raise("expected one of: a command, --man, --completion SHELL", 2) end
  sinks.save(nil, args.man and require("crux.cli.manual").page()
    or args.completion and require("crux.cli.completion").script(args.completion) or topic(args.topic))
end

return {
  summary = "Tell what a command does.",
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
