--- The codebook of a study's export: what each column means, its unit and its values.
local export = require "crux.serve.export"

local codebook = {}

codebook.columns = { "table", "column", "meaning", "unit", "values" }

local utc, mark, count = "2027-01-31T12:00:00.000Z; empty: not known", "1: yes, 0: no", "integers from 0 on"

--- Meaning, unit and values of the columns that all studies have.
local known = {
  player = { "the player's number in this database", "", "integers from 1 on" },
  level = { "name of the level", "", "text" },
  position = { "place of the level in the player's order", "", "integers from 1 on" },
  attempt = { "number of the attempt at the level; a restart begins another one", "", "integers from 1 on" },
  rating = { "how hard the player found the level, in the row of the attempt that ends it", "points" },
  enjoyment = { "how enjoyable the player found the level, in the row of the attempt that ends it", "points" },
  time = { "time that the attempt took while the page was visible", "s", "numbers from 0 on" },
  moves_used = { "moves of the attempt, with those that were undone", "moves", count .. "; empty: not known" },
  solved = { "the attempt solved the level", "", mark },
  skipped = { "the player skipped the level in this attempt", "", mark },
  losses = { "moves of the attempt that lost", "moves", count },
  lost_by = { "cause of the last loss of the attempt", "", "text; empty: no loss, or the game names no causes" },
  tutorial = { "the level teaches the game", "", mark },
  abandoned = { "the player left the level after this attempt: time, moves_used and losses are lower bounds", "", mark },
  version = { "version of the study in which the player began the level, or rated it if the study changed in between", "",
    "integers from 1 on; empty: not known" },
  began = { "when the level was shown, or the attempt before it ended, by the server's clock", "UTC", utc },
  ended = { "when the attempt ended, or its last act was made, by the server's clock", "UTC", utc },
  input = { "by what the player acted in the attempt", "", "keys, mouse, touch, or several with + between; empty: not known" },
  came_by = { "how the player came to the study", "", "public: by the link for everybody, link: by a personal link, "
    .. "import: from a file" },
  block = { "block of the study; where all blocks are exported, levels are named BLOCK/LEVEL", "", "text" },
  outcome = { "how the study ended for the player", "", "finished, screened (by an answer), empty: neither" },
  condition = { "condition to which the player was assigned", "", "text" },
  checks_failed = { "questions with a right answer that the player answered wrongly, each time counted", "", count },
  knows_game = { "the player said to know the game, and played no tutorial", "", mark },
}

--- Meaning and values of the questions that players were asked, by name. Where versions of the study asked differently, each
--- says which version it is of.
---@return table<string, { meaning: string, values: string }>
local function questions_of(store)
  local found, variants = {}, {}
  for _, row in ipairs(store:run [[SELECT json_extract(value, '$.asked') AS asked, json_extract(value, '$.name') AS name,
      json_extract(value, '$.label') AS label, json_extract(value, '$.values') AS allowed,
      json_extract(value, '$.block') AS block, json_extract(value, '$.right') AS expected,
      group_concat(version.id, ', ') AS versions FROM version, json_each(questions)
      WHERE version.id IN (SELECT version FROM play) GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY min(version.id)]]) do
    variants[row.name] = variants[row.name] or {}
    table.insert(variants[row.name], row)
  end
  for name, rows in pairs(variants) do
    local meanings, values = {}, {}
    for i, row in ipairs(rows) do
      local of = rows[2] and (" (version %s%s)"):format(row.versions, row.block and ", block " .. row.block or "") or ""
      local when = row.asked == "before" and "before the first level" or row.asked:find "^page" and "on a page"
        or ("after %s levels"):format(row.asked:gsub("%+", " and "))
      if row.expected then when = ("%s, right: %s"):format(when, row.expected) end
      meanings[i] = ("%sasked %s%s"):format(row.label and row.label .. ", " or "", when, of)
      values[i] = (row.allowed == "" and "text" or row.allowed) .. of
    end
    found[name] = { meaning = table.concat(meanings, "; "), values = table.concat(values, "; ") .. "; empty: no answer" }
  end
  return found
end

--- The rows of the codebook of a database, for the columns that its exports have.
---@return table[]   with the keys of `codebook.columns`
function codebook.rows(store)
  local questions, rows = questions_of(store), {}
  for _, part in ipairs { { "plays", (export.plays(store)) }, { "players", (export.players(store)) } } do
    for _, name in ipairs(part[2]) do
      local fixed, asked = known[name] or { "answer of the player", "" }, questions[name]
      table.insert(rows, { table = part[1], column = name, meaning = fixed[1] .. (asked and ": " .. asked.meaning or ""),
        unit = fixed[2], values = fixed[3] or asked and asked.values or "not known; empty: no answer" })
    end
  end
  return rows
end

return codebook
