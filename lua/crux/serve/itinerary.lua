--- The way of a player through the blocks of a study: which blocks in which order, and in each the pages and then the levels.
local chooser = require "crux.play.chooser"
local json = require "crux.base.json"
local lists = require "crux.base.lists"

local itinerary = {}

--- Chooses the condition of a new player, that with the fewest players who were not screened out, at random among equals; and
--- the order of the blocks. To be called in the transaction that adds the player, so that no two players choose at once.
---@return string? condition
---@return string blocks       JSON: their names
function itinerary.assign(study, store, random)
  local names, condition = lists.field(study.blocks), nil
  if study.conditions then
    local conditions, counts = lists.keys(study.conditions), {}
    for _, row in ipairs(store:run [[SELECT condition, count(*) AS n FROM player WHERE outcome IS NOT 'screened'
        GROUP BY condition]]) do counts[row.condition or ""] = row.n end
    condition = conditions[chooser.least(lists.map(conditions, function(name) return counts[name] or 0 end), {}, random)]
    names = lists.copy(study.conditions[condition])
  end
  if study.block_order == "random" then -- blocks of pages alone keep their places
    local places = {}
    for i, name in ipairs(names) do
      if study.by_name[name].game then table.insert(places, i) end
    end
    local moved = random:shuffle(lists.pick(names, places))
    for i, place in ipairs(places) do names[place] = moved[i] end
  end
  return condition, json.encode(names)
end

--- The blocks of a player; one that the study has no more is left out.
---@param names string?   JSON; all blocks unless given, as in databases of former versions
---@return StudyBlock[]
function itinerary.blocks(study, names)
  if not names then return study.blocks end
  local list = {}
  for name in names:gmatch '"([^"]*)"' do table.insert(list, study.by_name[name]) end
  return list
end

--- Shows a page of the player's block, for the n-th time.
function itinerary.show(player, page, try, now)
  player.page, player.visit = player.block.pages[page], { block = player.block.name, page = page, try = try, began = now }
  player.store:run("INSERT INTO visit (player, block, page, try, began) VALUES (?, ?, ?, ?, ?)", player.id, player.block.name,
    page, try, now)
end

--- The page or level of a player who comes back. The script may have lost it: then the next one.
function itinerary.return_to_page(player, now)
  local visit = player.store:first("SELECT * FROM visit WHERE player = ? AND ended IS NULL", player.id)
  player.block = visit and player.study.by_name[visit.block]
  player.page, player.visit = player.block and player.block.pages[visit.page], visit
  if not player.page then
    player.store:atomically(function()
      player.store:run("DELETE FROM visit WHERE player = ? AND ended IS NULL", player.id)
      player:go_on(now)
    end)
  end
  return player
end

--- The levels of the tutorial of a block that the player plays.
function itinerary.lessons(player, block) return player.knows_game and {} or block.tutorial end

--- The number of ratings of each level of the player's block by its name, where plays count that are rated or go on.
---@return table<string, integer>
local function ratings(player, now)
  local counts = {}
  for _, row in ipairs(player.store:run([[SELECT level, count(*) AS n FROM play JOIN player ON player.id = play.player
      WHERE block = ? AND (ended IS NULL AND seen > ? OR EXISTS (SELECT * FROM attempt
        WHERE attempt.player = play.player AND attempt.position = play.position AND rating IS NOT NULL))
      GROUP BY level]], player.block.name, now - math.floor(1000 * player.study.away_seconds))) do counts[row.level] = row.n end
  return counts
end

--- The number of players who play a level just now, by its name.
---@return table<string, integer>
local function going(player, now)
  local counts = {}
  for _, row in ipairs(player.store:run([[SELECT level, count(*) AS n FROM play JOIN player ON player.id = play.player
      WHERE block = ? AND ended IS NULL AND seen > ? GROUP BY level]], player.block.name,
      now - math.floor(1000 * player.study.away_seconds))) do
    counts[row.level] = row.n
  end
  return counts
end

local settling <const> = 60000 -- ms: in which the end of a play is in the database of all workers

--- The values of levels by their outcomes. Each worker has a chooser of its own, which takes the plays that have ended since.
---@return number[]
local function outlook(player, now)
  local block = player.block
  block.chooser = block.chooser or chooser.new(lists.field(block.list))
  for _, row in ipairs(player.store:run([[SELECT play.player, level, play.ended, max(solved) AS solved
      FROM play JOIN attempt USING (player, position) WHERE block = ? AND play.ended >= ? GROUP BY play.player, play.position
      ORDER BY play.ended, play.player]], block.name, (block.chosen_until or 0) - settling)) do
    block.chooser:add(row.player, row.level, row.solved == 1)
    block.chosen_until = row.ended
  end
  return block.chooser:order(block.order, player.id, block.success, going(player, now))
end

--- The values of the levels of the player's block, of which the least is chosen.
---@return number[]
local function values_of(player, now)
  local block = player.block
  if chooser.values[block.order] then return outlook(player, now) end
  local counts = block.order == "random" and {} or ratings(player, now)
  return lists.map(block.list, function(level) return counts[level.name] or 0 end)
end

--- The next level: of the tutorial in its order, then one as the order of the block says, at random among equals. With the
--- orders "given" and "rising" the levels are cut into as many parts as a player gets levels, and each part gives one.
---@return StudyLevel?
function itinerary.choose(player, now)
  local block, played, is_played, is_out, count = player.block, {}, {}, {}, 0
  for _, row in ipairs(player.store:run("SELECT level FROM play WHERE player = ? AND block = ?", player.id, block.name)) do
    played[row.level] = true
  end
  for _, level in ipairs(itinerary.lessons(player, block)) do
    if not played[level.name] then return level end
  end
  for _, level in ipairs(block.list) do count = count + (played[level.name] and 1 or 0) end
  if count >= block.per_player then return nil end
  local values, in_parts = values_of(player, now), block.order == "given" or block.order == "rising"
  for i, level in ipairs(block.list) do
    is_played[i] = played[level.name]
    is_out[i] = played[level.name] or in_parts and (i - 1) * block.per_player // #block.list ~= count
  end
  return block.list[chooser.least(values, is_out, player.random) or chooser.least(values, is_played, player.random)]
end

--- The next page of the player's block that was not shown.
---@return integer?
local function next_page(player)
  local rows = player.store:run("SELECT DISTINCT page FROM visit WHERE player = ? AND block = ?", player.id, player.block.name)
  local seen = lists.set(lists.field(rows, "page"))
  for page in ipairs(player.block.pages) do
    if not seen[page] then return page end
  end
end

--- Tells whether no level begins any more for the player.
local function is_late(player, now)
  local most = player.study.study_seconds
  return most ~= nil and now - player.began >= 1000 * most
end

--- Begins the next page or level of the player's blocks; ends the study if there is none. When the time of the study is over,
--- only blocks without levels are left.
function itinerary.advance(player, now)
  local late = is_late(player, now)
  for _, block in ipairs(player.blocks) do
    if not (late and block.game) then
      player.block = block
      local page = next_page(player)
      if page then return itinerary.show(player, page, 1, now) end
      player.level = block.game and itinerary.choose(player, now)
      if player.level then
        player.store:run("INSERT INTO play (player, position, block, level, began, version) VALUES (?, ?, ?, ?, ?, ?)",
          player.id, player.done + 1, block.name, player.level.name, now, player.study.version)
        return
      end
    end
  end
  player:finish "finished"
end

return itinerary
