--- The rules of play of a game, for crux.play.session, by `search` or `play` of its script.
---
--- A game with `search` needs nothing else (crux.play.by_search). Any other game has `play`, which docs/lua-api.md describes as
--- crux.Play; its keys are named as libcrux.screen names them, and none of keys.reserved in crux.play.keys.
local by_search = require "crux.play.by_search"
local fault = require "crux.base.fault"
local hints = require "crux.play.hints"
local keys = require "crux.play.keys"

local play = {}

---@class Rules: crux.Play      of a game with `search` or `play`
---@field keys KeyRow[]
---@field lost nil|fun(position: any): boolean|string   true if the last move lost, or the cause if the game names causes
---@field tap string?                  the key that a tap presses where there is no cursor
---@field paint nil|fun(position: any, level: table): Painting
---@field hint fun(position: any, session: Session): any, string   a position to show or nil, and a message

---@class KeyRow
---@field [1] string            keys, separated by spaces
---@field [2] string            a description of their effect

local hooks = { start = true, step = true, done = true, draw = true, cursor = false, square = false,
  holds = false, hint = false, hand = false, pad = false, told = false } -- true: required

local function check_play(game)
  local where = game.path .. ": play"
  for name, needed in pairs(hooks) do
    local kind = type(game.play[name])
    if kind ~= "function" and (needed or kind ~= "nil") then
      fault.at(("%s.%s"):format(where, name), kind == "nil" and "nothing" or "a " .. kind, "a function")
    end
  end
  local rows = game.play.keys
  if type(rows) ~= "table" or #rows == 0 then
    fault.at(where .. ".keys", "no list", "{ { \"space\", \"what it does\" }, ... }")
  end
  local click, has_click = game.play.click, game.play.click == nil
  for _, row in ipairs(rows) do
    if type(row) ~= "table" or type(row[1]) ~= "string" or type(row[2]) ~= "string" then
      fault.at(where .. ".keys", fault.show(row), "rows { \"space\", \"what it does\" }")
    end
    for key in row[1]:gmatch "%S+" do
      if keys.reserved[key] then fault.at(where .. ".keys", ("'%s'"):format(key), "keys that are not crux's own") end
      has_click = has_click or key == click
    end
  end
  if not has_click then fault.at(where .. ".click", fault.show(click), "one of the keys") end
end

local function rules_of_play(game)
  check_play(game)
  local rules = { keys = game.play.keys, click = game.play.click }
  for name in pairs(hooks) do
    local hook = game.play[name]
    if hook then
      rules[name] = function(...) return fault.guard(("%s: play.%s"):format(game.path, name), hook, ...) end
    end
  end

  function rules.draw(position, level)
    local text = fault.guard(game.path .. ": play.draw", game.play.draw, position, level)
    if type(text) ~= "string" then fault.at(game.path .. ": play.draw", fault.show(text), "text") end
    return text
  end

  local hint = rules.hint
  for _, name in ipairs { "cursor", "square" } do
    local find = rules[name]
    rules[name] = find and function(position, level)
      local column, row = find(position, level)
      if column ~= nil and not (math.type(column) == "integer" and math.type(row) == "integer") then
        fault.at(("%s: play.%s"):format(game.path, name), ("%s and %s"):format(fault.show(column), fault.show(row)),
          "two integers, or nil")
      end
      return column, row
    end
  end

  if game:paints_positions() and (rules.square or not rules.cursor) then
    function rules.paint(position, level) return game:painting(level, nil, position) end
  else
    rules.square = nil
  end

  function rules.hint(position, session)
    if not hint then return nil, "this game has no hints" end
    session.solution = session.solution or game:solution(session.level, { seconds = hints.seconds })
    if session.solution.status ~= "solved" then return nil, hints.none(session.solution, "this level has no solution") end
    local new = hint(position, session.level, session.solution)
    return new, new ~= nil and "hint: the board after the next step; any key shows yours again" or "no hint here"
  end

  return rules
end

local colours = "black red green yellow blue magenta cyan white"

local function check_colours(game)
  for character, colour in pairs(game.colours or {}) do
    if type(character) ~= "string" or utf8.len(character) ~= 1 then
      fault.at(game.path .. ": colours", fault.show(character), "a single character")
    end
    local base = type(colour) == "string" and colour:match "^bright (%l+)$" or colour
    if type(base) ~= "string" or not (" " .. colours .. " "):find(" " .. base .. " ", 1, true) then
      fault.at(("%s: colours['%s']"):format(game.path, character), fault.show(colour),
        "one of " .. colours:gsub(" ", ", ") .. ", or bright and one of them")
    end
  end
end

--- The rules of a game; raises a fault if it lacks functions that they need.
function play.rules(game)
  check_colours(game)
  if not game.search and not game.play then fault.at(game.path, "neither search nor play", "one of them, to play it") end
  if not game.search then return rules_of_play(game) end
  return by_search.rules(game)
end

return play
