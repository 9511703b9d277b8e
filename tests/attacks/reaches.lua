-- Ways out of the sandbox.
-- measure: came back
local game = require "honest"
local function spin() while true do end end
function game.parse(text)
  for _, name in ipairs { "io", "os", "debug", "package", "load", "loadfile", "dofile", "coroutine", "collectgarbage",
    "getmetatable", "print", "_G", "warn" } do
    assert(_ENV[name] == nil, name)
  end
  assert(not (string.dump or math.random or text.dump or ("").dump))
  for _, name in ipairs { "os", "crux.fault", "libcrux.files", "../attacks/honest", "/etc/passwd", "honest.lua", "", ".", {} } do
    assert(not pcall(require, name))
  end
  assert(not pcall(function() text.rep = spin end) and not pcall(rawset, text, "rep", spin))
  local board = crux.cells(2, 2)
  assert(not pcall(function() board.has = spin end) and not pcall(setmetatable, board, {}) and not board.__index)
  error "came back"
  return { size = #text }
end
return game
