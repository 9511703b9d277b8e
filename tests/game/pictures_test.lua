--- Tests of pictures of what is played: each game paints its positions, and pointing to a square is pointing to its characters.
local games = require "crux.game.game"
local luaunit = require "luaunit"
local play = require "crux.play.play"
local playing = require "playing"
local Session = require "crux.play.session"
local solving = require "solving"

local Pictures = {}

--- A picture changes with each change of the drawing, and is the same where that and the cursor's square are.
function Pictures.test_a_picture_for_each_drawing()
  for _, solved in ipairs(solving.games()) do
    local session, content_of, text_of, texts, count = solving.session(solved, 2), {}, {}, {}, 0
    local function look()
      local painting, text = session:paint(), solved.game.name .. ": " .. table.concat(session:draw(), "\n")
      local shown, place = painting.content .. (painting.note or ""), table.concat({ text, session:spot() }, " ")
      luaunit.assertEquals(shown, content_of[place] or shown)
      luaunit.assertEquals(text, text_of[shown] or text)
      if not texts[text] then count = count + 1 end
      content_of[place], text_of[shown], texts[text] = shown, text, true
    end
    look()
    for _, deed in ipairs(solved.levels[2].deeds) do
      solving.by_keyboard(deed, session, function(key)
        session:press(key)
        look()
      end)
    end
    luaunit.assertTrue(session:done(), solved.name)
    session:restart()
    look()
    luaunit.assertTrue(count > #solved.levels[2].deeds, solved.name)
    luaunit.assertTrue(#session:paint().content < 10000, solved.name)
  end
end

--- The cursor, and what it holds, are the same by the squares of the picture and by the places of the text.
function Pictures.test_squares_are_places_of_the_text()
  local count = 0
  for _, solved in ipairs(solving.games()) do
    local one, other = solving.session(solved, 2), solving.session(solved, 2)
    if one:spot() then
      other.rules = setmetatable({ square = false }, { __index = other.rules })
      local level = solved.levels[2].level.drawn or solved.levels[2].level
      local width, height = level.width, level.height
      if not width then width, height = level.usable:size() end
      for y = 1, height do
        for x = 1, width do
          one:point(x, y)
          luaunit.assertEquals({ one:spot() }, { x, y }, solved.name)
          other:point(one:cursor())
          luaunit.assertEquals({ other:cursor() }, { one:cursor() }, solved.name)
          count = count + 1
        end
      end
      one:point(width + 5, height + 5)
      luaunit.assertEquals({ one:spot() }, { width, height })
    end
  end
  luaunit.assertEquals(count, 4 * 3 + 2 * 3 + 2 * 2 + 3 * 2 + 81 + 9) -- rushhour, flow, sprinkfield, lazors, sudoku, nurikabe
end

--- Shown as text while they are played: a game that paints levels alone, and one with a cursor whose square is not known.
function Pictures.test_text_where_positions_are_not_painted()
  local function session_of(name, paint, level)
    local game = games.load(playing.game(name, { ["return game\n"] = paint .. "\nreturn game\n" }))
    return Session.new(play.rules(game), game:level { text = level })
  end
  local walk = session_of("walk", "function game.paint(_, _, canvas) canvas:size(1, 1) end", "@.O\n")
  luaunit.assertStrContains(walk:paint().content, 'x="9.5" y="14">@<')
  walk:press "right"
  luaunit.assertStrContains(walk:paint().content, 'x="20.5" y="14">@<')
  local lights = session_of("lights", "function game.paint(_, _, canvas, now) canvas:size(1, 1) end", "..*\n")
  luaunit.assertNil(lights:paint())
  luaunit.assertEquals({ lights:spot() }, { 2, 2 })
  lights:point(4, 2)
  luaunit.assertEquals({ lights:spot() }, { 4, 2 })
end

--- A click is a key of the game.
function Pictures.test_click_is_a_key()
  local game = games.load(playing.game("lights", { ["game.play = {"] = "game.play = { click = 'enter'," }))
  luaunit.assertErrorMsgContains("play.click: found 'enter', expected one of the keys", play.rules, game)
end

return { Pictures = Pictures }
