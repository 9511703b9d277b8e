--- The help texts that crux help and crux watch --help print.
local argparse = require "argparse"
local fault = require "crux.base.fault"

local function limits_help(cli)
  local parser = argparse "crux":add_help(false):usage "Usage: crux COMMAND ... [--limit-... N]"
  parser:help_max_width(100):help_description_margin(32)
  parser:description("Limits on scripts, which hold with every command: a script that goes beyond one ends the command. 0 is "
    .. "no limit.")
  for _, row in ipairs(cli.limits) do cli.add_option(parser, row, {}) end
  return parser:get_help() .. "\n"
end

--- The help of a command, of the limits on scripts, or of crux.
---@param topic string?   a command or "limits"
return function(topic)
  local cli = require "crux.cli"
  if topic and topic:find "%.lua$" then fault.raise(("found a script, expected 'crux %s --help'"):format(topic), 2) end
  local parser = cli.parser { topic }
  if not topic then return parser:get_help() .. "\n" end
  if topic == "limits" then return limits_help(cli) end
  for _, command in ipairs(parser._commands) do
    if command._name == topic then return command:get_help() .. "\n" end
  end
  local hint = require "crux.cli.other_words"[topic]
  if hint then fault.raise(("found the unknown command '%s'; %s"):format(topic, hint), 2) end
  fault.unknown(nil, "command", topic, cli.commands, 2)
end
