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
--- times in UTC and the kinds of input.
---@param enjoyment boolean   the study asks for it
function export.columns(enjoyment)
  return lists.concat(plays.columns(enjoyment), { "abandoned", "version", "began", "ended", "input" })
end

--- The SQL of a time in UTC, of milliseconds since 1970.
local function utc(column) return ("strftime('%%Y-%%m-%%dT%%H:%%M:%%fZ', %s / 1000.0, 'unixepoch')"):format(column) end

--- The attempts, in the order of players and of their plays: the columns, with those of own questions, and the rows.
---@return string[] columns
---@return table[] rows
function export.plays(store)
  local rows = store:run(([[SELECT player, level, position, attempt, rating, enjoyment, time, moves_used, solved, skipped,
    losses, lost_by, tutorial, version, %s AS began, %s AS ended, input,
    solved + skipped = 0 AND attempt = max(attempt) OVER (PARTITION BY player, position) AS abandoned
    FROM attempt JOIN play USING (player, position) JOIN level ON level.name = play.level
    ORDER BY player, position, attempt]]):format(utc "attempt.began", utc "attempt.ended"))
  local columns = export.columns(store:first("SELECT count(enjoyment) AS n FROM attempt").n > 0)
  local own = lists.field(store:run "SELECT DISTINCT item FROM level_answer ORDER BY item", "item")
  local last, taken = {}, lists.set(columns) -- rows of plays
  --- The column of a question: databases of earlier versions may have one with the name of a column of now.
  local function column_of(item) return taken[item] and "answer_" .. item or item end
  for _, row in ipairs(rows) do last[row.player .. " " .. row.position] = row end
  for _, found in ipairs(store:run "SELECT * FROM level_answer") do
    local row = last[found.player .. " " .. found.position]
    row[column_of(found.item)] = found.answer
  end
  return lists.concat(columns, lists.map(own, column_of)), rows
end

function export.dataset(store)
  local columns, rows = export.plays(store)
  return dataset.of_texts(store.path, columns, lists.map(rows, function(row)
    local texts = {}
    for _, name in ipairs(columns) do texts[name] = tostring(row[name] or "") end
    return { place = ("%s: player %d, position %d, attempt %d"):format(store.path, row.player, row.position, row.attempt),
      texts = texts }
  end))
end

--- The answers of players about themselves: the columns and a row for each player.
---@return string[] columns
---@return table[] rows
function export.players(store)
  local columns, rows, row = { "player", "came_by", "knows_game" }, {}, nil
  for _, item in ipairs(store:run "SELECT DISTINCT item FROM answer ORDER BY item") do table.insert(columns, item.item) end
  for _, found in ipairs(store:run [[SELECT id, came_by, knows_game, item, answer
    FROM player LEFT JOIN answer ON player = id ORDER BY id]]) do
    if not row or row.player ~= found.id then
      row = { player = found.id, came_by = found.came_by, knows_game = found.knows_game }
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
  return table.concat(lists.map(store:run [[SELECT act.*, level FROM act JOIN play USING (player, position)
    ORDER BY server_ms, player, number]], function(row) return json.encode(json.by_name(row, keys)) .. "\n" end))
end

return export
