--- The rules of play of a game with `search`, for crux.play.session. `step` has to leave a state that can be drawn when it wins
--- or loses, too.
local controls = require "crux.play.controls"
local fault = require "crux.base.fault"
local hints = require "crux.play.hints"
local keys = require "crux.play.keys"
local lists = require "crux.base.lists"
local loss = require "crux.search.loss"
local search = require "crux.search.search"
local states = require "crux.search.state"

local by_search = {}

--- A shortest solution from a state on; nil and a message if there is none.
local function moves_from(state, level, spec)
  local from = lists.merge(spec, { start = function() return states.copy(state), false end })
  local solution = search.solve(from, level, { seconds = hints.seconds })
  return solution.moves, not solution.moves and hints.none(solution, "it cannot be solved from here; u undoes")
end

--- Gives a position its plan; returns nil and the plan's first move as a hint, or why there is none.
local function hint(spec, position, level)
  local problem
  if not position.plan then position.plan, problem = moves_from(position.state, level, spec) end
  if not position.plan then return nil, problem end
  local move = position.plan[1]
  return nil, (("hint: %s, then %d more"):format(keys.arrows[move] or move, #position.plan - 1):gsub(", then 0 more", ""))
end

--- The position at the start of a level.
local function start(game, control, level)
  local state, won = game.search.start(level)
  if type(state) ~= "table" then fault.at(game.path .. ": start", fault.show(state), "a table of the state's fields") end
  return controls.changed({ state = state, won = won == true }, control.start(level))
end

--- A position has the fields `state`, `won`, `lost`, `plan` (the moves that solve it, if known), `made` (the move that led to
--- it), and those of its controls.
---@return Rules
function by_search.rules(game)
  local spec, control = game.search, controls.of(game)
  local rules = { keys = control.rows, click = control.click }

  --- The position after a move, without the fields of the controls.
  local function after(position, move, level)
    local new = { state = states.copy(position.state) }
    local won, lost = spec.step(new.state, move, level)
    new.won, new.lost = won, not won and loss.cause(lost)
    if position.plan and position.plan[1] == move then new.plan = table.move(position.plan, 2, #position.plan, 1, {}) end
    return new
  end

  function rules.start(level) return fault.guard(game.path, start, game, control, level) end

  local function moved(position, move, level)
    local new = after(position, move, level)
    return (new.won or new.lost or not states.same(new.state, position.state)) and new or nil
  end

  function rules.step(position, key, level)
    local move, fields = control.press(position, key, level)
    if fields then return controls.changed(position, fields), false end
    local new = move and fault.guard(game.path, moved, position, move, level)
    if not new then return nil end
    local whole = game.join and position.made and fault.guard(game.path .. ": join", game.join, level, position.made, move)
    new.made = whole or move
    return controls.changed(new, control.follow(lists.merge(position, { state = new.state }), key, level)), not whole
  end

  function rules.done(position) return position.won end
  function rules.lost(position) return position.lost end
  function rules.holds(position) return position.holds end

  function rules.draw(position, level)
    local note = control.note and control.note(position, level)
    return game:drawing(level, nil, position.state) .. (note and note .. "\n" or "")
  end

  function rules.paint(position, level)
    local painting, note = game:painting(level, nil, position.state), control.note and control.note(position, level)
    painting.note = painting.note and note and painting.note .. "; " .. note or painting.note or note
    return painting
  end

  --- Pictures of the states that a move came through, and the seconds that a page shows each.
  rules.between = game.between and function(before, position, level)
    local states_between, seconds = fault.guard(game.path .. ": between", game.between, level, before.state, position.made)
    return lists.map(states_between, function(state) return game:painting(level, nil, state) end), seconds
  end

  rules.hand = game.hand and function(position, level)
    return fault.guard(game.path .. ": hand", game.hand, level, position.state)
  end
  for key, move in pairs(game.tap and keys.moves(game) or {}) do
    if move == game.tap then rules.tap = key end
  end

  rules.square = control.place and game:paints_positions() and function(position) return position.x, position.y end
  rules.cursor = control.place and game.draw and function(position, level)
    return control.place(position, level, game:drawing(level, nil, position.state))
  end

  function rules.hint(position, session) return hint(spec, position, session.level) end
  return rules
end

return by_search
