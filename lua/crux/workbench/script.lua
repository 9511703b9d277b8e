--- Messages about scripts of games and rules: their text, saving it, and whether they have changed.
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local lists = require "crux.base.lists"
local scripts = require "crux.script.script"

local kinds = {}

--- The path of the script of a name, as the scripts of crux's own have.
local function path_of(engine, message)
  if message.path:find "%.lua$" then return message.path end
  local known = message.path == message.rule and engine:rule(message).file
  return known or engine:game(message).path
end

--- A script: { path, text, version, problem }. `problem` says what is wrong with it.
---@param message { path: string }   of the script, or the name of the game or of the rule
function kinds.script(engine, message)
  local path = path_of(engine, message)
  local text, version = engine.files.read(path)
  local ok, problem = fault.catch(scripts.kind, path)
  return { path = path, text = text, version = version, problem = not ok and problem.message or nil }
end

--- Writes a script: { write }. One with a mistake is written, too: its message is that of the next one.
---@param message { path: string, version: string?, text: string }
function kinds.save_script(_, message)
  if not message.path:find "%.lua$" then fault.at(message.path, "another ending", "a script, NAME.lua") end
  return { write = { path = message.path, text = message.text, version = message.version } }
end

--- What tells of a change of scripts and data, also outside of the page: { stamps }. The fault of a script that cannot
--- be loaded is another answer.
function kinds.stamps(engine, message)
  local game, rule = engine:game(message), engine:rule(message)
  local paths = lists.concat(game.sources, rule and rule.sources or {}, { message.data })
  return { stamps = table.concat(lists.map(paths, function(path) return file_system.stamp(path) or path end), " ") }
end

return kinds
