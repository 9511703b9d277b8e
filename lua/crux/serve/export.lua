--- Tables of the players in the database of a study and of their attempts. Players have numbers.
local dataset = require "crux.data.dataset"
local file_system = require "libcrux.files"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local plays = require "crux.play.plays"
local tokens = require "crux.serve.tokens"

local export = {}

function export.is_database(path)
  if not file_system.is_regular(path) then return false end
  local file <close> = io.open(path, "rb")
  return file ~= nil and file:read(16) == "SQLite format 3\0"
end

--- The columns of attempts: those of terminals, whether the player left the level after this attempt, the version of the study,
--- times in UTC, the kinds of input, and the block.
---@param enjoyment boolean   the study asks for it
---@param block boolean?      the study has several
function export.columns(enjoyment, block)
  return lists.concat(plays.columns(enjoyment), { "abandoned", "version", "began", "ended", "input" },
    block and { "block" } or {})
end

--- The columns of players that crux makes.
export.of_players = { "came_by", "knows_game", "outcome", "condition", "checks_failed" }

--- The SQL of the name of a level: BLOCK/LEVEL where the study has blocks, as two may have levels of one name.
export.level_name = "CASE WHEN play.block = '' THEN play.level ELSE play.block || '/' || play.level END"

--- The SQL of a time in UTC, of milliseconds since 1970.
local function utc(column) return ("strftime('%%Y-%%m-%%dT%%H:%%M:%%fZ', %s / 1000.0, 'unixepoch')"):format(column) end

--- The names of the blocks of a database, without that of a study of one block.
---@return string[]
function export.blocks(store)
  return lists.field(store:run "SELECT DISTINCT block FROM level WHERE block <> '' ORDER BY block", "block")
end

--- The attempts, in the order of players and of their plays: the columns, with those of own questions, and the rows.
---@param block string?   only of this block, whose levels then have their own names
---@return string[] columns
---@return table[] rows
function export.plays(store, block)
  local rows = store:run(([[SELECT player, %s AS level, position, attempt, rating, enjoyment, time, moves_used, solved, skipped,
    losses, lost_by, tutorial, version, %s AS began, %s AS ended, input, play.block,
    solved + skipped = 0 AND attempt = max(attempt) OVER (PARTITION BY player, position) AS abandoned
    FROM attempt JOIN play USING (player, position) JOIN level ON level.block = play.block AND level.name = play.level
    WHERE ?1 IS NULL OR play.block = ?1 ORDER BY player, position, attempt]]):format(
    block and "play.level" or export.level_name, utc "attempt.began", utc "attempt.ended"), block)
  local has_enjoyment = store:first("SELECT count(enjoyment) AS n FROM attempt").n > 0
  local columns = export.columns(has_enjoyment, export.blocks(store)[1] ~= nil)
  local own = lists.field(store:run "SELECT DISTINCT item FROM level_answer ORDER BY item", "item")
  local last, taken = {}, lists.set(columns) -- rows of plays
  --- The column of a question: databases of earlier versions may have one with the name of a column of now.
  local function column_of(item) return taken[item] and "answer_" .. item or item end
  for _, row in ipairs(rows) do last[row.player .. " " .. row.position] = row end
  for _, found in ipairs(store:run "SELECT * FROM level_answer") do
    local row = last[found.player .. " " .. found.position]
    if row then row[column_of(found.item)] = found.answer end
  end
  return lists.concat(columns, lists.map(own, column_of)), rows
end

---@param block string?   only of this block
function export.dataset(store, block)
  local columns, rows = export.plays(store, block)
  return dataset.of_texts(store.path, columns, lists.map(rows, function(row)
    local texts = {}
    for _, name in ipairs(columns) do texts[name] = tostring(row[name] or "") end
    return { place = ("%s: player %d, position %d, attempt %d"):format(store.path, row.player, row.position, row.attempt),
      texts = texts }
  end))
end

--- The answers of players about themselves and on pages, and their ways: the columns and a row for each player.
---@return string[] columns
---@return table[] rows
function export.players(store)
  local used, columns = store:first [[SELECT count(condition) AS condition, (SELECT count(*) FROM visit) AS checks_failed
    FROM player]], { "player" }
  for _, name in ipairs(export.of_players) do
    if used[name] ~= 0 then table.insert(columns, name) end
  end
  local rows, row = {}, nil
  for _, item in ipairs(store:run "SELECT DISTINCT item FROM answer ORDER BY item") do table.insert(columns, item.item) end
  for _, found in ipairs(store:run [[SELECT id, came_by, knows_game, outcome, condition, item, answer,
    (SELECT total(CASE WHEN wrong = '' THEN 0 ELSE 1 + length(wrong) - length(replace(wrong, '+', '')) END) FROM visit
      WHERE visit.player = id) AS checks_failed
    FROM player LEFT JOIN answer ON player = id ORDER BY id]]) do
    if not row or row.player ~= found.id then
      row = { player = found.id, checks_failed = math.tointeger(found.checks_failed) }
      for _, name in ipairs(export.of_players) do row[name] = row[name] or found[name] end
      table.insert(rows, row)
    end
    if found.item then row[found.item] = found.answer end
  end
  return columns, rows
end

--- The identifiers of players by which a service that sent them knows them: the columns and a row for each player. `link` is
--- the number of a player's personal link among some tokens.
---@param list string[]   tokens
---@return string[] columns
---@return table[] rows
function export.identifiers(store, list)
  local columns, rows, place_of, number_of = { "player", "link" }, {}, {}, {}
  for i, token in ipairs(list) do number_of[tokens.digest(token)] = i end
  for i, player in ipairs(store:run "SELECT id, token FROM player ORDER BY id") do
    rows[i] = { player = player.id, link = number_of[player.token] }
    place_of[player.id] = i
  end
  for _, item in ipairs(store:run "SELECT DISTINCT name FROM identifier ORDER BY name") do table.insert(columns, item.name) end
  for _, found in ipairs(store:run "SELECT * FROM identifier") do rows[place_of[found.player]][found.name] = found.value end
  return columns, rows
end

--- The acts of all players in the order of time, each as a line of JSON.
function export.acts(store)
  local keys = { "player", "number", "level", "position", "act", "value", "result", "client_ms", "server_ms", "input" }
  local rows = store:run(([[SELECT act.*, CASE WHEN act <> 'page' THEN %s END AS level
    FROM act LEFT JOIN play USING (player, position) ORDER BY server_ms, player, number]]):format(export.level_name))
  return table.concat(lists.map(rows, function(row) return json.encode(json.by_name(row, keys)) .. "\n" end))
end

return export
