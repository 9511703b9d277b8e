--- Takes records of plays on terminals, or an export, into the database of a study. Players keep no name there.
local attempts = require "crux.data.attempts"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local plays = require "crux.play.plays"
local study = require "crux.data.study"
local tokens = require "crux.serve.tokens"

local import = {}

local columns = plays.columns(false)
local counts, marks = { "position", "attempt" }, { "solved", "skipped", "tutorial" }
local numbers = lists.concat(counts, { "rating", "enjoyment", "time", "moves_used", "losses" })

--- The columns in which two files must agree about an attempt.
local said = { "rating", "enjoyment", "time", "moves_used", "solved", "skipped", "losses", "lost_by" }

--- An attempt of a block as the database has it, and the place of its row.
local function row_of(block, i, used)
  local row, place = {}, block:place(i)
  for _, column in ipairs { "player", "level", "lost_by" } do
    local text = block.texts[column][i]
    row[column] = text ~= "" and text or nil
    if not row[column] and column ~= "lost_by" then
      fault.at(("%s: column '%s'"):format(place, column), "an empty field", "a name")
    end
  end
  for _, column in ipairs(used) do
    local value = block.numbers[column][i]
    row[column] = value == value and (math.tointeger(value) or value) or nil
    if not row[column] and column ~= "rating" and column ~= "enjoyment" then
      fault.at(("%s: column '%s'"):format(place, column), "an empty field", "a number")
    end
  end
  for _, column in ipairs(counts) do
    if math.type(row[column]) ~= "integer" or row[column] < 1 then
      fault.at(("%s: column '%s'"):format(place, column), fault.show(row[column]), "an integer of at least 1")
    end
  end
  for _, column in ipairs(marks) do row[column] = study.is_marked(block, i, column) and 1 or 0 end
  return row, place
end

--- The number of the player of a name, who is added unless they are there.
local function player_of(store, name, now)
  local digest = tokens.digest("import " .. name)
  local found = store:first("SELECT id FROM player WHERE token = ?", digest)
  return found and found.id or store:add_player(digest, "import", false, now)
end

--- Adds the play of an attempt unless it is there.
local function add_play(store, id, row, place, now)
  local known = store:run("SELECT level, position FROM play WHERE player = ? AND (position = ? OR level = ?)", id, row.position,
    row.level)
  for _, play in ipairs(known) do
    if play.level ~= row.level or play.position ~= row.position then
      fault.at(place, ("level '%s' at position %d"):format(row.level, row.position),
        ("level '%s' at position %d, as before"):format(play.level, play.position))
    end
  end
  if not known[1] then
    store:run("INSERT INTO play (player, position, level, began) VALUES (?, ?, ?, ?)", id, row.position, row.level, now)
  end
  if row.solved + row.skipped > 0 then
    store:run("UPDATE play SET ended = ? WHERE player = ? AND position = ? AND ended IS NULL", now, id, row.position)
  end
end

--- Adds an attempt. Returns false if it is there.
local function add_attempt(store, id, row, place)
  local known = store:first("SELECT * FROM attempt WHERE player = ? AND position = ? AND attempt = ?", id, row.position,
    row.attempt)
  if known then
    for _, column in ipairs(said) do
      if known[column] ~= row[column] then
        fault.at(("%s: column '%s'"):format(place, column), fault.show(row[column] or ""),
          ("%s, as in %s"):format(fault.show(known[column] or ""), store.path))
      end
    end
    return false
  end
  store:run("INSERT INTO attempt VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", id, row.position, row.attempt,
    table.unpack(lists.map(said, function(column) return row[column] end), 1, #said))
  return true
end

--- Adds the attempts of a dataset that are not in the database yet.
---@param store Store
---@param data Dataset
---@param now integer   ms
---@return integer added
---@return integer known   those that were there
function import.plays(store, data, now)
  data:expect(columns, "an import needs the column")
  attempts.plays(data) -- refuses attempts at a level that was solved or skipped before
  local levels, ids, added, known = {}, {}, 0, 0
  local used = lists.select(numbers, function(column) return data.has[column] end)
  local further = lists.select(data.columns, function(column) return not lists.contains(plays.columns(true), column) end)
  for _, level in ipairs(store:run "SELECT name, tutorial FROM level") do levels[level.name] = level.tutorial end
  for block in data:blocks { numbers = used, texts = data.columns } do
    for i = 1, block.rows do
      local row, place = row_of(block, i, used)
      if not levels[row.level] then
        fault.unknown(("%s: column 'level'"):format(place), "level", row.level, lists.keys(levels))
      elseif levels[row.level] ~= row.tutorial then
        fault.at(("%s: column 'tutorial'"):format(place), row.tutorial,
          ("%d, as level '%s' in %s"):format(levels[row.level], row.level, store.path))
      end
      local id = ids[row.player] or player_of(store, row.player, now)
      ids[row.player] = id
      add_play(store, id, row, place, now)
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
