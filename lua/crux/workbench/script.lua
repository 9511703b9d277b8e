--- Messages about scripts of games and rules: their text, saving it, and whether they have changed.
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local home = require "libcrux.home"
local lists = require "crux.base.lists"
local scripts = require "crux.script.script"

local kinds = {}

local function path_of(engine, message)
  if message.path:find "%.lua$" then return message.path end -- also of one that cannot be loaded
  local rule = message.of == "rule" and engine:rule(message)
  return rule and rule.file or message.of == "game" and engine:game(message).path or message.path
end

--- The path to save a script at: one of crux's own is left as it is.
local function path_to_save(path)
  local folder, name = (file_system.resolve(path) or ""):match "^(.*)/(.*)%.lua$"
  for _, kind in ipairs { "rule", "game" } do
    local own = file_system.resolve(("%s/%ss"):format(home, kind))
    if own and own == folder then return ("my-%s-%s.lua"):format(name, kind) end
  end
  return path
end

--- A script: { path, save_as, text, version, problem }. `problem` says what is wrong with it.
---@param message { path: string, of: "rule"|"game"|nil }   `of` the rule or the game of the message, whatever its path is
function kinds.script(engine, message)
  local path = path_of(engine, message)
  local text, version = engine.files.read(path)
  local ok, problem = fault.catch(scripts.kind, path)
  return { path = path, save_as = path_to_save(path), text = text, version = version,
    problem = not ok and problem.message or nil }
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
