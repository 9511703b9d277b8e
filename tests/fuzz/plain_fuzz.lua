--- Plain Lua: the bytes draw a game, of tests/support/plain_grammar.lua, which is searched in C and in Lua. Both find the same
--- states and say the same; what C cannot run is refused at its place in the script.
package.path = "tests/support/?.lua;" .. package.path
local breadth_first = require "crux.search.breadth_first"
local chooser = require "chooser"
local engines = require "engines"
local fault = require "crux.base.fault"
local native = require "crux.search.native"
local program = require "plain_program"
local sandbox = require "crux.script.sandbox"
local state = require "crux.search.state"
local vocabulary = require "crux.symbolic.vocabulary"
local words = require "crux.script.words"

native.warm = 20
vocabulary.enable()

local path = (os.getenv "CRUX_TEST_FOLDER" or "build/fuzz") .. "/plain.lua"

--- All that an engine says of a level, with all states in the order in which it found them, as lines; and why the level was
--- searched in Lua.
local function outcome(level_number, engine, options)
  local game, lines = sandbox.run(path, words.shared()), {}
  local run <close> = setmetatable({ breadth_first.run }, { __close = function(self) breadth_first.run = self[1] end })
  function breadth_first.run(problem, ...)
    local result = run[1](problem, ...)
    for i = 1, #problem.set do lines[i] = state.text(problem.set:state(i)) end
    for i = #lines, #problem.set + 1, -1 do lines[i] = nil end
    return result
  end
  local ok, found, traced, untraced = pcall(engines.solve, game.search, game.levels[level_number], options, engine)
  if not ok then
    if not fault.is(found) then error(found, 0) end
    return "raised: " .. found.message, true
  end
  for _, name in ipairs { "status", "limit", "solutions", "expanded", "generated", "duplicates", "lost", "beyond" } do
    table.insert(lines, ("%s %s"):format(name, found[name]))
  end
  table.insert(lines, table.concat(found.moves or {}, " ") .. "; " .. table.concat(found.frontiers, " "))
  return table.concat(lines, "\n"), traced ~= nil, untraced
end

--- Tries a script.
---@return "native"|"raised"|"refused"|"different" verdict
---@return string? reason
local function try(text, options)
  local file <close> = assert(io.open(path, "wb"))
  assert(file:write(text) and file:flush())
  local verdict, reason = "native", nil
  for level_number = 1, 2 do
    local expected = outcome(level_number, "interpreted", options)
    local found, is_native, untraced = outcome(level_number, "native", options)
    if found ~= expected then return "different", ("%s\n\nin Lua:\n%s\n"):format(found, expected) end
    if untraced and not untraced:find("plain.lua:%d+: column %d+: ") then return "different", untraced end
    if found:find "^raised" then verdict, reason = "raised", found end
    if not is_native then verdict, reason = "refused", untraced end
  end
  return verdict, reason
end

--- Tries the program that the bytes draw. If C and Lua differ, raises an error with as much of its script as is needed, or with all
--- of it where CRUX_AS_DRAWN is set, which is faster.
return function(bytes)
  local take = chooser(bytes)
  local of = program.draw(take)
  local options = { count = take(2) == 1, states = ({ 100, 400 })[take(6)] or 40 }
  local verdict, reason = try(program.text(of), options)
  if verdict ~= "different" then return verdict, reason end
  if not os.getenv "CRUX_AS_DRAWN" then program.reduce(of, function(text) return try(text, options) == "different" end) end
  error(("C and Lua differ: %s\n%s"):format(select(2, try(program.text(of), options)), program.text(of)), 0)
end
