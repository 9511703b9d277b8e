--- Plans of player studies as CSV files: which player plays which levels in which order, and the files of the levels.
local chooser = require "crux.play.chooser"
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local interview = require "crux.play.interview"
local lists = require "crux.base.lists"
local plays = require "crux.play.plays"
local file_system = require "libcrux.files"

local plan = {}

---@class PlanRow
---@field player string
---@field position integer     from 1 on
---@field level string         name
---@field file string          path on the command line that made the plan
---@field checksum string      of the level in the file
---@field tutorial integer     1: the level teaches the game and is not rated
---@field game string          path or name on the command line
---@field scale string         of the ratings: 1..10
---@field questions string     "difficulty", and the questions of plan.questions that are asked, separated by "+"
---@field consent string       path of a text that players agree to before they begin; "" for none
---@field instructions string  path of a text that players read before they begin; "" for none
---@field interview string     questions to players about themselves, as interview.parse reads them

--- The columns that every plan has; a plan of an earlier version has no others.
local basic = { "player", "position", "level", "file", "checksum", "tutorial", "game", "scale", "questions" }

--- The columns of a plan.
plan.columns = lists.concat(basic, { "consent", "instructions", "interview" })

--- The columns that are the same in all rows.
local shared = { "game", "scale", "questions", "consent", "instructions", "interview" }

--- The questions that a study may ask beside the difficulty of solved levels: how enjoyable levels were; and about skipped
--- levels and the tutorial, too.
plan.questions = { "enjoyment", "skipped", "tutorial" }

local function shuffled(count, random)
  local list = {}
  for i = 1, count do list[i] = i end
  return random:shuffle(list)
end

--- Deals the levels 1 to `count` like cards: each player takes the next ones of a shuffled deck, without those that the player
--- already has; a new deck follows when all are dealt.
local function deal(count, players, per_player, random)
  local hands, deck = {}, {}
  for player = 1, players do
    local hand, is_dealt = {}, {}
    while #hand < per_player do
      if #deck == 0 then deck = shuffled(count, random) end
      local at = #deck
      while is_dealt[deck[at]] do at = at - 1 end
      is_dealt[deck[at]] = true
      table.insert(hand, table.remove(deck, at))
    end
    hands[player] = hand
  end
  return hands
end

local function free(taken, positions, random)
  local list = {}
  for position = 1, positions do
    if not taken[position] then table.insert(list, position) end
  end
  return random:pick(list)
end

--- Frees position a of a set of ratings: its player at a moves to b, the set that the player had at b moves to a, and so on
--- while that set has another player at a.
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

--- Gives the levels of each player different positions, such that each `positions` successive ratings of a level are at
--- different ones, too. This colours the edges of a bipartite graph with as many colours as the greatest degree, which is
--- always possible (König 1916): if no position is free for both player and level, others are exchanged.
local function arrange(hands, positions, random)
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
  for _, sets_of in ipairs(of_player) do
    for position, set in ipairs(sets_of) do sets_of[position] = level_of[set] end
  end
  return of_player
end

--- Assigns to each player some of the levels 1 to `count`, in order. The order is random, so that the learning of players
--- cancels out, and levels with few ratings are assigned first (Mutser 2014, section 5.2): a random choice alone left the
--- levels of another study with 1 to 10 ratings each (Biemer and Cooper, sections 3.3 and 4.1). For all random numbers,
---   - no player gets a level twice;
---   - after every player, the numbers of ratings of any two levels differ by at most one, as a new deck begins only when
---     each level of the last one is dealt;
---   - each `per_player` successive ratings of a level, from its first on, are at different positions, so that the numbers
---     of its ratings at any two positions differ by at most one.
---@param count integer        of levels
---@param per_player integer   at most `count`
---@param random userdata      of libcrux.random
---@return integer[][]         a list of levels for each player
function plan.assign(count, players, per_player, random)
  return arrange(deal(count, players, per_player, random), per_player, random)
end

--- The checksum of a level's text and notes: the 64 bits of FNV-1a (Fowler, Noll and Vo, RFC 9923) in hexadecimal digits.
---@param entry LevelText
function plan.checksum(entry)
  local notes, hash = {}, 0xcbf29ce484222325
  for key, value in pairs(entry.notes) do table.insert(notes, ("%s: %s\n"):format(key, value)) end
  table.sort(notes)
  for character in (table.concat(notes) .. entry.text):gmatch "." do hash = (hash ~ character:byte()) * 0x100000001b3 end
  return ("fnv1a-%016x"):format(hash)
end

--- The levels of a study's tutorial, and its other levels. Raises a fault if two levels have the same name.
---@param tutorial string[]   files and folders
---@param inputs string[]     files and folders
---@return LevelText[], LevelText[]
function plan.entries(game, tutorial, inputs)
  local lessons, list, taught = game:expect_entries(tutorial), {}, {}
  for _, entry in ipairs(lessons) do taught[entry.name] = plan.checksum(entry) end
  for _, entry in ipairs(game:expect_entries(inputs)) do
    if taught[entry.name] ~= plan.checksum(entry) then table.insert(list, entry) end
  end
  local all = lists.concat(lessons, list)
  for _, entry in ipairs(all) do
    if entry.path == "<stdin>" then fault.at("LEVELS", "standard input", "files, which players can read again") end
  end
  plays.check_names(all)
  return lessons, list
end

---@class PlanFields                what the rows of a plan share
---@field game string
---@field scale integer[]       lowest and highest rating
---@field questions table<string, boolean>   which of plan.questions are asked
---@field consent string?
---@field instructions string?
---@field interview string?
---@field order string?         of plan.next: fewest, or one of chooser.values
---@field success number?       of the order ability

--- The rows of a player, from a position on.
---@param entries LevelText[]   those of the tutorial first
---@param tutorial integer      number of levels of the tutorial
local function rows_of_player(rows, player, position, entries, tutorial, wanted)
  local asked = lists.select(plan.questions, function(question) return wanted.questions[question] end)
  local questions = table.concat(lists.concat({ "difficulty" }, asked), "+")
  for i, entry in ipairs(entries) do
    table.insert(rows, { player = player, position = position + i - 1, level = entry.name, file = entry.path,
      checksum = plan.checksum(entry), tutorial = i <= tutorial and 1 or 0, game = wanted.game,
      scale = ("%d..%d"):format(table.unpack(wanted.scale)), questions = questions,
      consent = wanted.consent, instructions = wanted.instructions, interview = wanted.interview })
  end
end

--- The rows of a plan.
---@param tutorial LevelText[]   for all players, in this order
---@param list LevelText[]       to be assigned
function plan.rows(tutorial, list, players, per_player, wanted, random)
  local rows, width = {}, #tostring(players)
  for number, hand in ipairs(plan.assign(#list, players, per_player, random)) do
    rows_of_player(rows, ("p%0" .. width .. "d"):format(number), 1, lists.concat(tutorial, lists.pick(list, hand)), #tutorial,
      wanted)
  end
  return rows
end

--- The rows that a player plays next: the levels of the tutorial that the player has not played, and a level that the order of
--- `wanted` chooses, with the fewest ratings unless it says another.
---@param tutorial LevelText[]
---@param list LevelText[]
---@param record Play[]       so far, of all players: attempts.plays
---@return PlanRow[]          none if the player has played all levels
function plan.next(tutorial, list, record, player, wanted, random)
  local counts, played, done, entries, ratings, is_played = {}, {}, 0, {}, {}, {}
  for _, play in ipairs(record) do
    if play.rating == play.rating then counts[play.level] = (counts[play.level] or 0) + 1 end
    if play.player == player and (play.solved or play.skipped) then
      played[play.level], done = true, done + 1
    end
  end
  for _, entry in ipairs(tutorial) do
    if not played[entry.name] then table.insert(entries, entry) end
  end
  for level, entry in ipairs(list) do
    ratings[level], is_played[level] = counts[entry.name] or 0, played[entry.name]
  end
  if chooser.values[wanted.order] then
    local outcomes = chooser.new(lists.field(list, "name"))
    for _, play in ipairs(record) do
      if play.solved or play.skipped then outcomes:add(play.player, play.level, play.solved) end
    end
    ratings = outcomes:order(wanted.order, player, wanted.success, {})
  end
  local level, rows, taught = chooser.least(ratings, is_played, random), {}, #entries
  if not level then return {} end
  table.insert(entries, list[level])
  rows_of_player(rows, player, done + 1, entries, taught, wanted)
  return rows
end

--- The rows of a player, and the names of all players.
local function rows_of(data, player)
  local rows, players = {}, {}
  for block in data:blocks { texts = data.columns } do
    for i = 1, block.rows do
      local row = { place = block:place(i) }
      for _, column in ipairs(plan.columns) do row[column] = block.texts[column] and block.texts[column][i] or "" end
      if not players[row.player] then
        players[row.player] = true
        table.insert(players, row.player)
      end
      if row.player == player then table.insert(rows, row) end
    end
  end
  return rows, players
end

---@class Planned               a player's part of a plan
---@field game string
---@field low integer           lowest rating
---@field high integer          highest rating
---@field questions table<string, boolean>   which of plan.questions are asked
---@field before integer        levels that the player has finished before the first step
---@field consent string        path, or ""
---@field instructions string   path, or ""
---@field interview Item[]      questions before the first level
---@field skip_seconds number?  of Participation
---@field skip_losses integer?  of Participation
---@field may_change boolean?   the player may change answers until they go on
---@field ask_after Item[]?     questions about each level, beside the ratings
---@field steps PlanStep[]

---@class PlanStep
---@field level string
---@field file string
---@field checksum string
---@field tutorial boolean
---@field place string          in the plan, for messages

--- The questions of plan.questions that a cell names.
---@return table<string, boolean>
local function parse_questions(row)
  local asked, rest = {}, row.questions:match "^difficulty(.*)$"
  for _, question in ipairs(plan.questions) do
    local after = rest and rest:match("^%+" .. question .. "(.*)$")
    asked[question], rest = after ~= nil, after or rest
  end
  if rest ~= "" then
    fault.at(row.place .. ": column 'questions'", fault.show(row.questions),
      "'difficulty', then '+enjoyment', '+skipped' and '+tutorial' if they are asked")
  end
  return asked
end

--- A player's part of a plan, of its checked rows.
---@return Planned
local function planned_of(rows)
  local first, steps = rows[1], {}
  local low, high = first.scale:match "^(%d+)%.%.(%d+)$"
  low, high = math.tointeger(low), math.tointeger(high)
  if not low or not high or low >= high then
    fault.at(first.place .. ": column 'scale'", fault.show(first.scale), "LOW..HIGH, two numbers")
  end
  local start = math.tointeger(first.position)
  start = start and start >= 1 and start or 1
  for i, row in ipairs(rows) do
    local expected = { position = tostring(start + i - 1), tutorial = row.tutorial == "1" and "1" or "0" }
    for _, column in ipairs(shared) do expected[column] = first[column] end
    for _, column in ipairs(plan.columns) do
      if expected[column] and row[column] ~= expected[column] then
        fault.at(("%s: column '%s'"):format(row.place, column), fault.show(row[column]), fault.show(expected[column]))
      end
    end
    steps[i] = { level = row.level, file = row.file, checksum = row.checksum, tutorial = row.tutorial == "1",
      place = row.place }
  end
  return { game = first.game, low = low, high = high, questions = parse_questions(first), before = start - 1,
    consent = first.consent, instructions = first.instructions,
    interview = interview.parse(first.interview, first.place .. ": column 'interview'"), steps = steps }
end

--- Reads a player's part of a plan.
---@return Planned
function plan.read(path, player)
  local data = dataset.open(path)
  data:expect(basic, "a plan needs the column")
  local rows, players = rows_of(data, player)
  if #rows == 0 then fault.unknown(data.name, "player", player, players) end
  return planned_of(rows)
end

--- Reads the levels of a player's steps; raises a fault if one has changed since it was planned.
---@param steps PlanStep[]
---@return { name: string, level: table, tutorial: boolean, place: string }[]
function plan.levels(steps, game)
  local files, list = {}, {}
  for i, step in ipairs(steps) do
    if file_system.is_regular(step.file) == nil then
      fault.at(step.place, ("no file '%s'"):format(step.file), "the file of the plan, seen from this folder")
    end
    if not files[step.file] then
      files[step.file] = {}
      for _, entry in ipairs(game:read(step.file)) do files[step.file][entry.name] = entry end
    end
    local entry = files[step.file][step.level]
    if not entry then fault.at(step.file, ("no level '%s'"):format(step.level), "the level of " .. step.place) end
    if plan.checksum(entry) ~= step.checksum then
      fault.at(("%s: level '%s'"):format(step.file, step.level), "a changed level",
        ("that of checksum %s, as in %s"):format(step.checksum, step.place))
    end
    list[i] = { name = step.level, level = game:level(entry), tutorial = step.tutorial, place = step.place }
  end
  return list
end

return plan
