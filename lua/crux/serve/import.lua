--- Takes records of plays on terminals, or an export, into the database of a study. Players keep no name there.
local attempts = require "crux.data.attempts"
local export = require "crux.serve.export"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local plays = require "crux.play.plays"
local study = require "crux.data.study"
local tokens = require "crux.serve.tokens"

local import = {}

local columns = plays.columns(false)
local counts, marks = { "position", "attempt" }, { "solved", "skipped", "tutorial" }
local numbers = lists.concat(counts, { "rating", "enjoyment", "time", "moves_used", "losses" })

--- The columns in which two files must agree about an attempt; those that may be empty.
local said = { "rating", "enjoyment", "time", "moves_used", "solved", "skipped", "losses", "lost_by" }
local optional = lists.set { "rating", "enjoyment", "moves_used", "lost_by", "input" }

--- The milliseconds since 1970 of a time in UTC, as an export has it; nil for an empty cell.
local function milliseconds(store, text, where)
  if text == "" then return nil end
  local found = text:find "Z$" and store:first([[SELECT CAST(strftime('%s', ?1) AS INTEGER) * 1000
    + CAST(substr(strftime('%f', ?1), -3) AS INTEGER) AS ms]], text).ms
  return found or fault.at(where, fault.show(text), "a time such as 2027-01-31T12:00:00.000Z, or nothing")
end

--- An attempt of a block as the database has it, and the place of its row.
local function row_of(store, block, i, used)
  local row, place = {}, block:place(i)
  for _, column in ipairs { "player", "level", "lost_by", "input" } do
    local text = block.texts[column] and block.texts[column][i] or ""
    row[column] = text ~= "" and text or nil
    if not row[column] and not optional[column] then
      fault.at(("%s: column '%s'"):format(place, column), "an empty field", "a name")
    end
  end
  for _, column in ipairs(used) do
    local value = block.numbers[column][i]
    row[column] = value == value and (math.tointeger(value) or value) or nil
    if not row[column] and not optional[column] then
      fault.at(("%s: column '%s'"):format(place, column), "an empty field", "a number")
    end
  end
  for _, column in ipairs(counts) do
    if math.type(row[column]) ~= "integer" or row[column] < 1 then
      fault.at(("%s: column '%s'"):format(place, column), fault.show(row[column]), "an integer of at least 1")
    end
  end
  for _, column in ipairs(marks) do row[column] = study.is_marked(block, i, column) and 1 or 0 end
  for _, column in ipairs { "began", "ended" } do
    local text = block.texts[column] and block.texts[column][i] or ""
    row[column] = milliseconds(store, text, ("%s: column '%s'"):format(place, column))
  end
  return row, place
end

--- The number of the player of a name, who is added unless they are there.
local function player_of(store, name, now)
  local digest = tokens.digest("import " .. name)
  local found = store:first("SELECT id FROM player WHERE token = ?", digest)
  return found and found.id or store:add_player(digest, { came_by = "import", knows_game = false }, now)
end

--- Adds the play of an attempt unless it is there.
local function add_play(store, id, row, level, place, now)
  local known = store:run(("SELECT %s AS level, position FROM play WHERE player = ?1 AND (position = ?2 OR %s = ?3)"):format(
    export.level_name, export.level_name), id, row.position, row.level)
  for _, play in ipairs(known) do
    if play.level ~= row.level or play.position ~= row.position then
      fault.at(place, ("level '%s' at position %d"):format(row.level, row.position),
        ("level '%s' at position %d, as before"):format(play.level, play.position))
    end
  end
  if not known[1] then
    store:run("INSERT INTO play (player, position, block, level, began) VALUES (?, ?, ?, ?, ?)", id, row.position, level.block,
      level.name, now)
  end
  if row.solved + row.skipped > 0 then
    store:run("UPDATE play SET ended = ? WHERE player = ? AND position = ? AND ended IS NULL", now, id, row.position)
  end
end

--- Tells whether an attempt that was not over when it was exported has gone on since then.
local function has_grown(known, row)
  if not row.ended or known.ended ~= nil and row.ended < known.ended or row.began ~= known.began then return false end
  for _, column in ipairs { "time", "moves_used", "losses", "solved", "skipped" } do
    if (row[column] or 0) < (known[column] or 0) then return false end
  end
  return known.solved + known.skipped == 0 or not known.rating and known.time == row.time
end

--- Adds an attempt, or what has come to it. Returns false if it is there.
local function add_attempt(store, id, row, place)
  local known = store:first("SELECT * FROM attempt WHERE player = ? AND position = ? AND attempt = ?", id, row.position,
    row.attempt)
  if known then
    local column = lists.select(said, function(name) return known[name] ~= row[name] end)[1]
    if not column then return false end
    if not has_grown(known, row) then
      fault.at(("%s: column '%s'"):format(place, column), fault.show(row[column] or ""),
        ("%s, as in %s"):format(fault.show(known[column] or ""), store.path))
    end
  end
  store:run([[INSERT OR REPLACE INTO attempt (player, position, attempt, began, ended, input, rating, enjoyment, time,
    moves_used, solved, skipped, losses, lost_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)]], id, row.position,
    row.attempt, row.began, row.ended, row.input,
    table.unpack(lists.map(said, function(column) return row[column] end), 1, #said))
  return true
end

--- Adds the attempts of a dataset that are not in the database yet.
---@param now integer   ms
---@return integer added
---@return integer known   those that were there
function import.plays(store, data, now)
  data:expect(columns, "an import needs the column")
  attempts.plays(data) -- refuses attempts at a level that was solved or skipped before
  local levels, ids, added, known = {}, {}, 0, 0
  local used = lists.select(numbers, function(column) return data.has[column] end)
  local further = lists.select(data.columns, function(column) return not lists.contains(export.columns(true, true), column) end)
  for _, level in ipairs(store:run("SELECT play.level AS name, block, tutorial, " .. export.level_name
    .. " AS full FROM (SELECT *, name AS level FROM level) AS play")) do levels[level.full] = level end
  for block in data:blocks { numbers = used, texts = data.columns } do
    for i = 1, block.rows do
      local row, place = row_of(store, block, i, used)
      local level = levels[row.level]
      if not level then
        fault.unknown(("%s: column 'level'"):format(place), "level", row.level, lists.keys(levels))
      elseif level.tutorial ~= row.tutorial then
        fault.at(("%s: column 'tutorial'"):format(place), row.tutorial,
          ("%d, as level '%s' in %s"):format(level.tutorial, row.level, store.path))
      end
      local id = ids[row.player] or player_of(store, row.player, now)
      ids[row.player] = id
      add_play(store, id, row, level, place, now)
      if add_attempt(store, id, row, place) then added = added + 1 else known = known + 1 end
      for _, item in ipairs(further) do
        local answer = block.texts[item][i]
        if answer ~= "" then
          store:run("INSERT OR REPLACE INTO level_answer VALUES (?, ?, ?, ?)", id, row.position, item, answer)
        end
      end
    end
  end
  return added, known
end

return import
