--- The page for researchers: how far a study is. It only reads.
local attempts = require "crux.data.attempts"
local export = require "crux.serve.export"
local fault = require "crux.base.fault"
local formats = require "crux.out.formats"
local html = require "crux.show.html"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local plot = require "crux.show.plot"
local refit = require "crux.serve.refit"
local report = require "crux.show.report"
local summary = require "crux.data.summary"
local weights = require "crux.judge.weights"

local progress = {}

--- Players by condition: how many began, finished, were screened out, play just now, and went away.
local function players_of(study, store, now)
  return store:run([[SELECT coalesce(condition, 'all') AS condition, count(*) AS began, sum(outcome IS 'finished') AS finished,
      sum(outcome IS 'screened') AS screened, sum(outcome IS NULL AND seen > ?1) AS playing,
      sum(outcome IS NULL AND seen <= ?1) AS gone
    FROM player WHERE came_by <> 'import' GROUP BY 1 ORDER BY 1]], now - math.floor(1000 * study.away_seconds))
end

--- Where players went away: at which page or level of their way.
local function leavers_of(study, store, now)
  local rows = store:run([[SELECT place, count(*) AS n FROM (
      SELECT 'page ' || page || CASE WHEN block <> '' THEN ' of ' || block ELSE '' END AS place, 0 AS position, player
        FROM visit WHERE ended IS NULL
      UNION ALL
      SELECT 'level ' || position || CASE WHEN block <> '' THEN ', ' || block ELSE '' END, position, player
        FROM play WHERE ended IS NULL)
    JOIN player ON player.id = player WHERE outcome IS NULL AND seen <= ? GROUP BY place ORDER BY min(position), place]],
    now - math.floor(1000 * study.away_seconds))
  if not rows[1] then return nil end
  return plot.bars { title = "Where players left", label = "players", names = lists.field(rows, "place"),
    values = lists.field(rows, "n"), texts = lists.map(lists.field(rows, "n"), tostring), is_whole = true }
end

--- Ratings by level.
---@return table<string, number[]>
local function ratings_of(store, block)
  local ratings = {}
  for _, row in ipairs(store:run([[SELECT level, rating FROM attempt JOIN play USING (player, position)
    WHERE block = ? AND rating IS NOT NULL]], block.name)) do
    ratings[row.level] = ratings[row.level] or {}
    table.insert(ratings[row.level], row.rating)
  end
  return ratings
end

local function histogram(values, name, id)
  return report.figure(plot.histogram { values = values, name = name, rows = "ratings" }, id)
end

local columns = lists.concat(
  formats.columns { "level", "plays", "solved", "skipped", "rated", "rating", "deviation", "median_time" },
  { { key = "ratings", html = "ratings" }, { key = "picture", html = "picture" } })

--- The rows of the levels of a block: counts, means, the picture and the histogram of ratings.
---@param played table<string, table>   rows of crux.data.summary by level
local function level_rows(block, played, ratings, id)
  local rows = {}
  for i, level in ipairs(block.list) do
    local picture, content = block.game:picture(level.name, level.level)
    rows[i] = lists.merge({ plays = 0, solved = 0, skipped = 0, rated = 0 }, played[level.name] or {}, { level = level.name,
      picture = ('<div class="picture">%s</div>'):format(
        report.level({ picture = picture, content = content }, ("%s-%d"):format(id, i))),
      ratings = ratings[level.name] and ("<details><summary>%d</summary>%s</details>"):format(#ratings[level.name],
        histogram(ratings[level.name], "rating", ("%s-ratings-%d"):format(id, i))) or "" })
  end
  return rows
end

--- The rule of a block and its fit, as a list for the template; empty without a rule.
local function rule_of(store, block, id)
  if not block.rule then return {} end
  local ok, fitted = fault.catch(function()
    block.measured = block.measured or refit.measured(block)
    return refit.of(store, block, block.measured)
  end)
  return { { heading = ("%s, refitted to the mean ratings of levels"):format(report.named(block.rule:who())),
    problem = ok and {} or { { text = "Not yet: " .. fitted.message } },
    table = ok and html.table { id = id .. "-terms", caption = ("%s, %s"):format(fitted.formula.text,
      number.count(fitted.n, "level")), columns = weights.columns(fitted.terms), rows = fitted.terms } or "" } }
end

local few <const> = 3 -- plays of a level after which it is told that nobody solves it

--- Tells what is wrong with levels: nobody solves them, or their game fails.
local function add_warnings(warnings, store, block, rows)
  local function add(...) table.insert(warnings, { text = (...):format(select(2, ...)) }) end
  for _, row in ipairs(rows) do
    local over = row.solved + row.skipped
    if over >= few and row.solved == 0 then
      add("Level '%s'%s: nobody of %d players solved it.", row.level, block.name ~= "" and " of " .. block.name or "", over)
    end
  end
  for _, row in ipairs(store:run([[SELECT level, value, count(*) AS n FROM act JOIN play USING (player, position)
    WHERE act = 'fail' AND block = ? GROUP BY 1, 2 ORDER BY 1]], block.name)) do
    add("Level '%s' ended for %s, as the game failed: %s", row.level, number.count(row.n, "player"), row.value)
  end
end

local function block_of(store, block, id, warnings)
  local data, played = export.dataset(store, block.name), {}
  local plays = attempts.plays(data)
  for _, row in ipairs(plays[1] and summary.of(plays).levels or {}) do played[row.level] = row end
  local ratings, all = ratings_of(store, block), {}
  local rows = level_rows(block, played, ratings, id)
  for _, values in pairs(ratings) do all = lists.concat(all, values) end
  add_warnings(warnings, store, block, rows)
  local name = block.name ~= "" and block.name or "levels"
  return { id = id, heading = ("%s: %s"):format(name, block.game.name), rule = rule_of(store, block, id),
    ratings = { all[1] and { picture = histogram(all, "ratings of " .. name, id .. "-all") } },
    level_table = html.table { id = id .. "-levels", caption = ("Plays and ratings of %s."):format(name), rows = rows,
      sortable = true, columns = columns } }
end

--- The page as HTML.
---@param template string   web/study/progress.html
---@param now integer       ms
function progress.page(study, store, template, now)
  local warnings, blocks = {}, {}
  for i, block in ipairs(study.blocks) do
    if block.game then table.insert(blocks, block_of(store, block, "block-" .. i, warnings)) end
  end
  local players = players_of(study, store, now)
  local failed = store:first([[SELECT count(DISTINCT player) AS n FROM visit WHERE wrong <> ''
    AND NOT EXISTS (SELECT * FROM player WHERE id = player AND outcome IS 'screened')]]).n
  if failed > 0 then
    table.insert(warnings, { text = ("%s gave wrong answers and went on."):format(number.count(failed, "player")) })
  end
  local total = 0
  for _, row in ipairs(players) do total = total + row.began end
  local leavers = leavers_of(study, store, now)
  return html.fill(template, { title = study.title, time = os.date("!%Y-%m-%d %H:%M:%S", now // 1000), warnings = warnings,
    lead = ("%s began."):format(number.count(total, "player")), blocks = blocks,
    players_table = html.table { id = "by-condition", caption = "Players, by condition. Who did nothing for a while went away.",
      columns = formats.columns { "condition", "began", "finished", "screened", "playing", "gone" }, rows = players },
    leavers = { leavers and { picture = report.figure(leavers, "leavers") } } })
end

return progress
