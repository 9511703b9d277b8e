--- Tables of the players in the database of a study and of their attempts. Players have numbers.
local file_system = require "libcrux.files"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local plays = require "crux.play.plays"

local export = {}

--- Tells whether a file is a database.
---@param path string
function export.is_database(path)
  if not file_system.is_regular(path) then return false end
  local file <close> = io.open(path, "rb")
  return file ~= nil and file:read(16) == "SQLite format 3\0"
end

--- The attempts, in the order of players and of their plays: the columns that the plays of terminals have, and the rows.
---@param store Store
---@return string[] columns
---@return table[] rows
function export.plays(store)
  local rows = store:run [[SELECT player, level, position, attempt, rating, enjoyment, time, moves_used, solved, skipped,
    losses, lost_by, tutorial FROM attempt JOIN play USING (player, position) JOIN level ON level.name = play.level
    ORDER BY player, position, attempt]]
  return plays.columns(store:first("SELECT count(enjoyment) AS n FROM attempt").n > 0), rows
end

--- The answers of players about themselves: the columns and a row for each player.
---@param store Store
---@return string[] columns
---@return table[] rows
function export.players(store)
  local columns, rows, row = { "player" }, {}, nil
  for _, item in ipairs(store:run "SELECT DISTINCT item FROM answer ORDER BY item") do table.insert(columns, item.item) end
  for _, found in ipairs(store:run "SELECT id, item, answer FROM player LEFT JOIN answer ON player = id ORDER BY id") do
    if not row or row.player ~= found.id then
      row = { player = found.id }
      table.insert(rows, row)
    end
    if found.item then row[found.item] = found.answer end
  end
  return columns, rows
end

--- The acts of all players in the order of time, each as a line of JSON.
---@param store Store
---@return string
function export.acts(store)
  local keys = { "player", "number", "level", "position", "act", "value", "result", "client_ms", "server_ms" }
  return table.concat(lists.map(store:run [[SELECT act.*, level FROM act JOIN play USING (player, position)
    ORDER BY server_ms, player, number]], function(row) return json.encode(json.by_name(row, keys)) .. "\n" end))
end

return export
