--- Games of PuzzleScript: compiles a text, plays inputs that its bytes name on its first level, and takes the text itself as
--- the words of
--- a program. Raises an error for whatever is no fault of one line.
local compiler = require "crux.puzzlescript.compiler"
local puzzlescript = require "libcrux.puzzlescript"
local Session = require "crux.puzzlescript.session"
local went_well = dofile "tests/fuzz/went_well.lua"

local inputs = { [0] = 0, 1, 2, 3, 4, "tick", "undo", "restart" }
local most_cells, most_inputs = 64, 3

local function play(game, text)
  for number, level in ipairs(game.levels) do
    if not level.message and #level * #level[1] <= most_cells then
      local session = went_well(Session.new, game, number - 1, text:sub(1, 8))
      for i = 1, session and most_inputs or 0 do went_well(session.input, session, inputs[(text:byte(-i) or 0) % 8]) end
      return
    end
  end
end

return function(text)
  local game = went_well(compiler.compile, text, "fuzz")
  if game then play(game, text) end
  local program = puzzlescript.new(text)
  local words = program and (text:byte() + 63) // 64
  if program and words > 0 then
    local level = program:play(3, 2, ("\1" .. ("\0"):rep(8 * words - 1)):rep(6), "1", true)
    level:start()
    for input = 0, 4 do level:input(input) end
  end
end
