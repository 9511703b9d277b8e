--- The rules of play of a game, for crux.play.session, by `search` or `play` of its script.
---
--- A game with `search` needs `draw` alone, which gets the state; `step` has to leave a state that can be drawn when it wins or
--- loses, too. Any other game has `play`, whose positions are values that are never changed:
---
---     keys = { { "up left down right", "move" }, { "space", "draw" } }   keys, as libcrux.terminal names them, and what
---                                                they do; none of those in play.reserved
---     start(level) -> position
---     step(position, key, level) -> position, counts   nil if the key does nothing here; counts == false if it is no move,
---                                                as when the cursor moves
---     done(position, level) -> boolean           solved
---     draw(position, level) -> text
---     cursor(position, level) -> column, row     optional: the cursor's place in the text, from 1, 1 on; or nil
---     hint(position, level, solution) -> position   optional: one move nearer to the solution; nil without a hint
---
--- `game.colours` gives characters of drawings a colour: { a = "red", ["@"] = "bright yellow" }. A drawing of at most 80
--- columns and 19 rows fits on every terminal; the descriptions of the keys should fit in a line.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local loss = require "crux.search.loss"
local search = require "crux.search.search"
local states = require "crux.search.state"

local play = {}

--- Keys that games cannot use: undo, restart, hint, next, previous, skip, quit.
play.reserved = { u = true, r = true, ["?"] = true, n = true, p = true, x = true, q = true }

--- The limit on computing a hint.
play.hint_seconds = 10

---@class Rules                 of a game with `search` or `play`
---@field keys KeyRow[]
---@field start fun(level: table): any
---@field step fun(position: any, key: string, level: table): any, boolean?
---@field done fun(position: any, level: table): boolean
---@field lost nil|fun(position: any): boolean|string   true if the last move lost, or the cause if the game names causes
---@field draw fun(position: any, level: table): string
---@field cursor nil|fun(position: any, level: table): integer?, integer?
---@field hint fun(position: any, session: Session): any, string   the next position or nil, and a message

---@class KeyRow
---@field [1] string            keys, separated by spaces
---@field [2] string            what they do

--- Arrow keys by the names of moves.
local arrows = { U = "up", L = "left", D = "down", R = "right", up = "up", left = "left", down = "down", right = "right" }

--- A free key for a move: an arrow, a character of its name or a digit.
local function key_of(move, taken)
  local candidates = (arrows[move] or "") .. " " .. move:lower():gsub(".", " %0") .. " 1 2 3 4 5 6 7 8 9"
  for key in candidates:gmatch "%S+" do
    if not taken[key] and not play.reserved[key] and (#key > 1 or key:find "[!-~]") then return key end
  end
end

--- The moves by key.
---@return table<string, string>? moves   nil if there are too few keys
---@return string problem                 why there are too few
local function moves_by_key(moves)
  local by_key = {}
  for _, move in ipairs(moves) do
    local key = key_of(move, by_key)
    if not key then return nil, ("found %d moves, expected fewer: no key is left for '%s'"):format(#moves, move) end
    by_key[key] = move
  end
  return by_key, ""
end

--- A message if there are too few keys for the moves of a search.
---@param moves string[]
---@return string?
function play.lack_of_keys(moves)
  local by_key, problem = moves_by_key(moves)
  return not by_key and problem or nil
end

--- The moves by key, and the rows that describe the keys.
local function keys_of(moves, path)
  local by_key, problem = moves_by_key(moves)
  if not by_key then fault.raise(("%s: search.moves: %s"):format(path, problem)) end
  local rows, directions, keys = {}, {}, {}
  for key, move in pairs(by_key) do keys[move] = key end
  for _, move in ipairs(moves) do
    local key = keys[move]
    if arrows[move] ~= key then table.insert(rows, { key, #move > 1 and move or "move " .. move }) end
  end
  for _, key in ipairs { "up", "left", "down", "right" } do
    if by_key[key] then table.insert(directions, key) end
  end
  if directions[1] then table.insert(rows, 1, { table.concat(directions, " "), "move" }) end
  return by_key, rows
end

--- The message when there is no solution.
local function no_hint(solution, unsolvable)
  if solution.status == "unsolvable" then return "no hint: " .. unsolvable end
  if solution.limit == "seconds" then return ("no hint: not solved within %g seconds"):format(play.hint_seconds) end
  return "no hint: not solved within the limit on " .. (solution.limit or "the search")
end

--- A shortest solution from a state on; nil and a message if there is none.
local function moves_from(state, level, spec)
  local from = lists.merge(spec, { start = function() return states.copy(state), false end })
  local solution = search.solve(from, level, { seconds = play.hint_seconds })
  return solution.moves, not solution.moves and no_hint(solution, "it cannot be solved from here; u undoes")
end

--- The rules of a game with `search`. A position is { state, won, lost, plan }; `plan` has the moves that solve it, if known.
---@return Rules
local function rules_of_search(game)
  local spec, rules = game.search, {}
  local by_key
  by_key, rules.keys = keys_of(spec.moves, game.path)

  local function start(level)
    local state, won = spec.start(level)
    if type(state) ~= "table" then fault.at(game.path .. ": start", fault.show(state), "a table of the state's fields") end
    return { state = state, won = won == true }
  end

  local function after(position, move, level)
    local new = { state = states.copy(position.state) }
    local won, lost = spec.step(new.state, move, level)
    new.won, new.lost = won, not won and loss.cause(lost)
    if position.plan and position.plan[1] == move then new.plan = table.move(position.plan, 2, #position.plan, 1, {}) end
    return new
  end

  function rules.start(level) return fault.guard(game.path, start, level) end

  local function moved(position, move, level)
    local new = after(position, move, level)
    return (new.won or new.lost or not states.same(new.state, position.state)) and new or nil
  end

  function rules.step(position, key, level) return fault.guard(game.path, moved, position, by_key[key], level) end

  function rules.done(position) return position.won end
  function rules.lost(position) return position.lost end
  function rules.draw(position, level) return game:drawing(level, nil, position.state) end

  function rules.hint(position, session)
    local problem
    if not position.plan then position.plan, problem = moves_from(position.state, session.level, spec) end
    if not position.plan then return nil, problem end
    local move = position.plan[1]
    local message = ("hint: %s, then %d more"):format(arrows[move] or move, #position.plan - 1):gsub(", then 0 more", "")
    return fault.guard(game.path, after, position, move, session.level), message
  end

  return rules
end

local hooks = { start = true, step = true, done = true, draw = true, cursor = false, hint = false } -- true: required

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
  for _, row in ipairs(rows) do
    if type(row) ~= "table" or type(row[1]) ~= "string" or type(row[2]) ~= "string" then
      fault.at(where .. ".keys", fault.show(row), "rows { \"space\", \"what it does\" }")
    end
    for key in row[1]:gmatch "%S+" do
      if play.reserved[key] then fault.at(where .. ".keys", ("'%s'"):format(key), "keys that are not crux's own") end
    end
  end
end

--- The rules of a game with `play`.
---@return Rules
local function rules_of_play(game)
  check_play(game)
  local rules = { keys = game.play.keys }
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

  local cursor, hint = rules.cursor, rules.hint
  rules.cursor = cursor and function(position, level)
    local column, row = cursor(position, level)
    if column ~= nil and not (math.type(column) == "integer" and math.type(row) == "integer") then
      fault.at(game.path .. ": play.cursor", ("%s and %s"):format(fault.show(column), fault.show(row)), "two integers, or nil")
    end
    return column, row
  end

  function rules.hint(position, session)
    if not hint then return nil, "this game has no hints" end
    session.solution = session.solution or game:solution(session.level, { seconds = play.hint_seconds })
    if session.solution.status ~= "solved" then return nil, no_hint(session.solution, "this level has no solution") end
    local new = hint(position, session.level, session.solution)
    return new, new ~= nil and "hint taken" or "no hint here"
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
---@param game Game
---@return Rules
function play.rules(game)
  check_colours(game)
  if not game.search and not game.play then fault.at(game.path, "neither search nor play", "one of them, to play it") end
  if not game.search then return rules_of_play(game) end
  game:expect({ "draw" }, "play")
  return rules_of_search(game)
end

return play
