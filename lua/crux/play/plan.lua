--- Plans of player studies: who plays which levels in which order, and where to find these; a CSV file.
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local nearest = require "crux.base.nearest"
local system = require "libcrux.system"

local plan = {}

---@class PlanRow
---@field player string
---@field position integer     from 1 on
---@field level string         its name
---@field file string          as the command line that made the plan called it
---@field checksum string      of the level in it
---@field tutorial integer     1: the level only teaches the game; it is not rated
---@field game string          as the command line called it
---@field scale string         of the ratings: 1..10
---@field questions string     "difficulty" or "difficulty+enjoyment"

--- The columns of a plan.
plan.columns = { "player", "position", "level", "file", "checksum", "tutorial", "game", "scale", "questions" }

local questions = { [false] = "difficulty", [true] = "difficulty+enjoyment" }

local function shuffled(count, random)
  local list = {}
  for i = 1, count do list[i] = i end
  return random:shuffle(list)
end

--- Deals the levels 1 to `count` like cards: each player takes the next of a shuffled deck and, when that is used up, of
--- another, without those that he holds.
local function deal(count, players, per_player, random)
  local hands, deck = {}, {}
  for player = 1, players do
    local hand, held = {}, {}
    while #hand < per_player do
      if #deck == 0 then deck = shuffled(count, random) end
      local at = #deck
      while held[deck[at]] do at = at - 1 end
      held[deck[at]] = true
      table.insert(hand, table.remove(deck, at))
    end
    hands[player] = hand
  end
  return hands
end

--- One of the positions at which nothing is yet.
local function free(taken, positions, random)
  local list = {}
  for position = 1, positions do
    if not taken[position] then table.insert(list, position) end
  end
  return random:pick(list)
end

--- Frees position a of a set of ratings: who has it there gets it at b, and what he has at b at a, where that frees a, too.
local function exchange(of_player, set, a, b)
  local player = set[a]
  set[a] = nil
  while player do
    local other, displaced = of_player[player][b], nil
    of_player[player][a], of_player[player][b] = other, set
    set[b] = player
    if other then
      displaced = other[a]
      other[a], other[b] = player, nil
    end
    set, player = other, displaced
  end
end

--- Gives the levels of each hand their positions: all different for a player, and for each `positions` ratings of a level that
--- follow each other. This is to colour the edges of a bipartite graph, with no more colours than edges meet anywhere, which
--- König (1916) showed is always possible: where no position is free on both sides, some others are exchanged.
local function seat(hands, positions, random)
  local of_player, sets, level_of = {}, {}, {}
  for player, hand in ipairs(hands) do
    of_player[player] = {}
    for _, level in ipairs(hand) do
      local set = sets[level]
      if not set or set.size == positions then
        set = { size = 0 }
        sets[level], level_of[set] = set, level
      end
      set.size = set.size + 1
      local a, b = free(of_player[player], positions, random), free(set, positions, random)
      if set[a] then exchange(of_player, set, a, b) end
      of_player[player][a], set[a] = set, player
    end
  end
  for _, seats in ipairs(of_player) do
    for position, set in ipairs(seats) do seats[position] = level_of[set] end
  end
  return of_player
end

--- Which of the levels 1 to `count` each player gets, in order. The order is random, so that what players learn on the way
--- cancels out, and levels with few ratings come first (Mutser 2014, section 5.2): a random choice alone left the levels of
--- another study with 1 to 10 ratings each (Biemer and Cooper, sections 3.3 and 4.1). Whatever the random numbers are,
---   - no player gets a level twice;
---   - after every player, the numbers of ratings of any two levels differ by at most one, as a new deck is begun only
---     when each level of the last is dealt;
---   - `per_player` ratings of a level that follow each other, from its first on, are all at different positions, so that
---     the numbers of its ratings at any two positions differ by at most one.
---@param count integer        levels
---@param players integer
---@param per_player integer   at most `count`
---@param random userdata      of libcrux.random: the same for a seed on every machine
---@return integer[][]         a list of levels for each player
function plan.assign(count, players, per_player, random)
  return seat(deal(count, players, per_player, random), per_player, random)
end

--- What stands for a level's text and notes: the 64 bits of FNV-1a (Fowler, Noll and Vo, RFC 9923) in hexadecimal digits.
---@param entry LevelText
function plan.checksum(entry)
  local notes, hash = {}, 0xcbf29ce484222325
  for key, value in pairs(entry.notes) do table.insert(notes, ("%s: %s\n"):format(key, value)) end
  table.sort(notes)
  for character in (table.concat(notes) .. entry.text):gmatch "." do hash = (hash ~ character:byte()) * 0x100000001b3 end
  return ("fnv1a-%016x"):format(hash)
end

--- The rows of a plan.
---@param tutorial LevelText[]   for everybody, in this order
---@param list LevelText[]       of which everybody gets some
---@param wanted { players: integer, per_player: integer, game: string, scale: integer[], enjoyment: boolean? }
---@param random userdata
---@return PlanRow[]
function plan.rows(tutorial, list, wanted, random)
  local rows, width = {}, #tostring(wanted.players)
  for number, hand in ipairs(plan.assign(#list, wanted.players, wanted.per_player, random)) do
    local entries = table.move(tutorial, 1, #tutorial, 1, {})
    for _, level in ipairs(hand) do table.insert(entries, list[level]) end
    for position, entry in ipairs(entries) do
      table.insert(rows, { player = ("p%0" .. width .. "d"):format(number), position = position, level = entry.name,
        file = entry.path, checksum = plan.checksum(entry), tutorial = position <= #tutorial and 1 or 0, game = wanted.game,
        scale = ("%d..%d"):format(table.unpack(wanted.scale)), questions = questions[wanted.enjoyment or false] })
    end
  end
  return rows
end

--- The rows of a player; and all players.
local function rows_of(data, player)
  local rows, players = {}, {}
  for block in data:blocks { texts = plan.columns } do
    for i = 1, block.rows do
      local row = { place = block:place(i) }
      for _, column in ipairs(plan.columns) do row[column] = block.texts[column][i] end
      if not players[row.player] then
        players[row.player] = true
        table.insert(players, row.player)
      end
      if row.player == player then table.insert(rows, row) end
    end
  end
  return rows, players
end

---@class Planned               what a plan says of a player
---@field game string
---@field low integer           the lowest and the highest rating
---@field high integer
---@field enjoyment boolean     is asked for
---@field steps PlanStep[]

---@class PlanStep
---@field level string
---@field file string
---@field checksum string
---@field tutorial boolean
---@field place string          in the plan, for messages

--- Checks a player's rows and makes one of them.
---@return Planned
local function planned_of(rows)
  local first, steps = rows[1], {}
  local low, high = first.scale:match "^(%d+)%.%.(%d+)$"
  low, high = math.tointeger(low), math.tointeger(high)
  if not low or not high or low >= high then
    fault.at(first.place .. ": column 'scale'", fault.show(first.scale), "LOW..HIGH, two numbers")
  end
  if first.questions ~= questions[false] and first.questions ~= questions[true] then
    fault.at(first.place .. ": column 'questions'", fault.show(first.questions),
      ("'%s' or '%s'"):format(questions[false], questions[true]))
  end
  for i, row in ipairs(rows) do
    local expected = { position = tostring(i), game = first.game, scale = first.scale, questions = first.questions,
      tutorial = row.tutorial == "1" and "1" or "0" }
    for _, column in ipairs(plan.columns) do
      if expected[column] and row[column] ~= expected[column] then
        fault.at(("%s: column '%s'"):format(row.place, column), fault.show(row[column]), fault.show(expected[column]))
      end
    end
    steps[i] = { level = row.level, file = row.file, checksum = row.checksum, tutorial = row.tutorial == "1",
      place = row.place }
  end
  return { game = first.game, low = low, high = high, enjoyment = first.questions == questions[true], steps = steps }
end

--- Reads what a plan says of a player.
---@param path string
---@param player string
---@return Planned
function plan.read(path, player)
  local data = dataset.open(path)
  data:expect(plan.columns, "a plan needs the column")
  local rows, players = rows_of(data, player)
  if #rows == 0 then
    fault.raise(("%s: found no player '%s'; %s"):format(data.name, player, nearest.hint(player, players)))
  end
  return planned_of(rows)
end

--- Finds the levels of a player's steps in their files; one that is not as it was planned is a fault.
---@param steps PlanStep[]
---@param self Game
---@return { name: string, level: table, tutorial: boolean, place: string }[]
function plan.levels(steps, self)
  local files, list = {}, {}
  for i, step in ipairs(steps) do
    if system.is_regular(step.file) == nil then
      fault.at(step.place, ("no file '%s'"):format(step.file), "it to be where the plan says, seen from this folder")
    end
    if not files[step.file] then
      files[step.file] = {}
      for _, entry in ipairs(self:read(step.file)) do files[step.file][entry.name] = entry end
    end
    local entry = files[step.file][step.level]
    if not entry then fault.at(step.file, ("no level '%s'"):format(step.level), "it to be there, as in " .. step.place) end
    if plan.checksum(entry) ~= step.checksum then
      fault.at(("%s: level '%s'"):format(step.file, step.level), "another level than was planned",
        ("that of checksum %s, as in %s"):format(step.checksum, step.place))
    end
    list[i] = { name = step.level, level = self:level(entry), tutorial = step.tutorial, place = step.place }
  end
  return list
end

return plan
