--- Messages for levels near one at a wanted rating.
local board = require "crux.workbench.board"
local choice = require "crux.order.choice"
local fault = require "crux.base.fault"
local generator = require "crux.game.generator"
local distance = require "crux.order.distance"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"
local pictures = require "crux.workbench.pictures"
local process = require "libcrux.process"
local range = require "crux.base.range"
local request = require "crux.order.request"
local symmetry = require "crux.order.symmetry"
local trials = require "crux.order.trials"

local kinds = {}

--- Levels that are suggested; how many of the wanted rating are looked for to choose from; changed levels of a trial.
local COUNT <const>, POOL <const>, VARIED <const> = 6, 24, 12

--- How far a rating may be from the wanted one, the seconds for all, and the limits on solving one level: see
--- crux.workbench.changes.
local OFF <const>, SECONDS <const> = 0.4, 2.2
local STATES <const>, MULTIPLE <const>, SOLVE_SECONDS <const>, BYTES <const> = 20000, 2, 0.3, 64 << 20

local function around(rating) return { least = rating - OFF, greatest = rating + OFF, tolerance = 0 } end

--- The trials, or the share of the seconds, after which every other trial makes levels anew if too few near the first one have
--- the wanted rating, at once if that has none; and how many such a trial makes, and with how many changes for what the game
--- requires.
local NEAR <const>, NEAR_SHARE <const>, ANEW <const>, CHANGES <const> = 12, 0.4, 4, 500

--- A level from which many trials have begun counts as farther from the wanted rating, by this for each: others get their turn.
local VISIT <const> = 0.15

--- The most moves of a variation.
local MOVES <const> = 3

--- The level to which a few moves at random lead.
local function moved(game, level, random)
  local search, now = game.search, game.search.start(level)
  local names = type(search.moves) == "function" and search.moves(level) or search.moves
  for _ = 1, random:integer(1, MOVES) do search.step(now, random:pick(names), level) end
  return game:only_level(game.format(level, nil, now))
end

--- A game whose levels are varied by its own function or, where it declares tiles, by another tile on a square or by moves: its
--- own function often keeps the number of things, and in some games few levels but those that moves lead to have a solution.
---@param level table   of which levels are made
local function with_tiles(game, level)
  if not game.files.tiles then return game end
  local shown = pictures.of(game, game:painting(level))
  local function squares_of(text)
    return board.of(game, text, levels.of(text, "level", game.files)[1], shown.columns, shown.rows)
  end
  local first = squares_of(game:text(level))
  if not first then return game end
  local tiles = board.in_use(game, first)
  local function retiled(one, random)
    local squares = squares_of(game:text(one))
    if not squares then return nil end
    local rows = squares.rows -- fewer than those of a picture with blocks in hand
    local put = { x = random:integer(1, #rows[1]), y = random:integer(1, #rows), tile = random:pick(tiles) }
    local is_level, changed = fault.catch(game.only_level, game, squares:text { put })
    return is_level and changed or nil
  end
  local function vary(one, random, options)
    if game.vary and random:chance(0.5) then return game.vary(one, random, options) end
    if not game.search or random:chance(0.7) then return retiled(one, random) end
    local is_level, changed = fault.catch(fault.guard, game.path, moved, game, one, random)
    return is_level and changed or nil
  end
  return setmetatable({ vary = vary }, { __index = game })
end

---@class Candidate : Found
---@field beyond number     its rating's distance from the wanted range
---@field visits integer    trials that began with it

--- The candidate from which the next trial begins.
local function next_origin(candidates)
  local best
  for _, one in ipairs(candidates) do
    if not best or one.beyond + VISIT * one.visits < best.beyond + VISIT * best.visits then best = one end
  end
  best.visits = best.visits + 1
  return best
end

--- Levels near one, by trials that vary those nearest to a range of ratings; at most so many in the range.
---@param first Found   the level itself, which may have no rating
---@param tell fun(tried: integer): boolean?   true to end
---@return Candidate[], integer   all that were found, and how many were tried
local function explore(game, run, first, slot, tell)
  local candidates, seen, pool, tried, stream = {}, {}, 0, 0, 0
  local begin, is_near = process.seconds(), true
  local function add(level)
    local key = symmetry.key(game, level.text)
    if seen[key] then return end
    seen[key] = true
    local beyond = level.rating and range.beyond(level.rating, slot) or math.huge
    table.insert(candidates, lists.merge(level, { beyond = beyond, visits = 0 }))
    if beyond == 0 then pool = pool + 1 end
  end
  add(first)
  local function next_trial()
    local is_late = not first.rating or stream >= NEAR * VARIED or process.seconds() - begin > NEAR_SHARE * SECONDS
    is_near = not (is_near and is_late and pool < COUNT)
    if not is_near then return { count = ANEW, stream = stream } end
    local origin = next_origin(candidates)
    return { text = origin.text, count = VARIED, stream = stream, slot = slot, beyond = origin.beyond }
  end
  while pool < POOL and process.seconds() - begin < SECONDS do
    local result = run(next_trial())
    stream, tried = stream + VARIED, tried + result.tried
    for _, level in ipairs(result.found) do add(level) end
    if tell(tried) then break end
  end
  return table.move(candidates, 2, #candidates, 1, {}), tried
end

--- Those that are suggested: of the wanted rating the most unlike ones, and if these are too few, the nearest others.
local function chosen(candidates, slot, measures)
  local scales = distance.scales(candidates, measures)
  slot.pool = lists.select(candidates, function(one) return one.beyond == 0 end)
  for _, one in ipairs(slot.pool) do one.point = scales:point(one) end
  if #slot.pool >= COUNT then return choice.of({ slot }, {})[1] end
  return lists.copy(lists.sort(lists.copy(candidates), function(one) return one.beyond end), COUNT)
end

--- Levels near a text with a wanted rating, unlike each other: { suggestions = { { text, rating, measures, picture ... } },
--- tried }. Their texts have the comments above the text. Where too few have the rating, the nearest others are among them.
---@param message { text: string, rating: number, seed: integer? }
function kinds.suggestions(engine, message)
  local rule = engine:rule(message) or fault.raise "expected a rule, which rates the suggestions"
  local level, entry = engine:level(message)
  local game = with_tiles(engine:game(message), level)
  local base = engine:appraisal(message, level, { seconds = SOLVE_SECONDS, bytes = BYTES })
  local limits = { seconds = SOLVE_SECONDS, bytes = BYTES,
    states = math.max(STATES, base.rating and MULTIPLE * (base.solution.states or 0) or 0) }
  local wanted, setup = request.read(game, rule, { rating = around(message.rating), count = COUNT,
    seed = message.seed or 1, own = generator.options(game, {}), vary = {}, limits = limits })
  local first, slot = { text = game:text(level), row = base.row, rating = base.rating }, wanted.slots[1]
  setup.production.vary, setup.production.changes, setup.rule = nil, CHANGES, rule
  local candidates, tried = explore(game, trials.new(setup, game), first, slot, function(count) return engine:tell(count) end)
  local head = board.above(message.text, entry)
  return { tried = tried, suggestions = lists.map(chosen(candidates, slot, setup.production.measures), function(one)
    return lists.merge(pictures.of(game, game:painting(game:only_level(one.text))),
      { text = head .. one.text, rating = one.rating, measures = one.row })
  end) }
end

return kinds
