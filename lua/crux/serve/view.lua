--- What the page of a study shows to a player, and all that is kept about them.
local board = require "crux.play.board"
local canvas = require "crux.show.canvas"
local itinerary = require "crux.serve.itinerary"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local questions = require "crux.serve.questions"

local view = {}

--- How others fared on the levels that the player has done.
local function comparison_of(player)
  return lists.map(player.store:run([[SELECT mine.position, own.solved, own.rating,
      (SELECT avg(rating) FROM attempt JOIN play USING (player, position) WHERE block = mine.block
        AND level = mine.level AND player <> mine.player) AS others,
      (SELECT avg(solved) FROM attempt JOIN play USING (player, position) WHERE block = mine.block
        AND level = mine.level AND player <> mine.player AND solved + skipped > 0) AS solved_by
    FROM play AS mine JOIN attempt AS own ON own.player = mine.player AND own.position = mine.position
      AND own.solved + own.skipped > 0
    JOIN level ON level.block = mine.block AND level.name = mine.level
    WHERE mine.player = ? AND mine.ended IS NOT NULL AND NOT level.tutorial ORDER BY mine.position]], player.id), function(row)
    return json.object { { "solved", row.solved == 1 }, { "rating", row.rating }, { "others", row.others },
      { "solved_by", row.solved_by } }
  end)
end

--- The number of the level, the number of all unless players play as many as they like in a block, and whether it is of the
--- tutorial.
local function place_of(player)
  local count = 0
  for _, block in ipairs(player.blocks) do
    count = count and block.is_limited and count + #itinerary.lessons(player, block) + block.per_player or nil
  end
  return { { "position", player.done + 1 }, { "count", count }, { "doc", player.block.game.doc },
    { "message", player.level.message },
    { "tutorial", lists.contains(player.block.tutorial, player.level) } }
end

--- The fields of a level, and of a question about it, for the page.
local function level_of(player)
  local part, block = player.participation, player.block
  local session, question = part.session, part.question
  local left = part:time_left()
  local skip_in = math.max(0, math.ceil(part.skip_seconds - session.seconds))
  local ends = part.asked == "rating" and player.study.ends or json.null
  local given = question and lists.map(part:answered(), function(row)
    local column, asked = table.unpack(row)
    return json.object { { "asked", column }, { "label", asked.item and asked.item.label }, { "answer", part.answers[column] } }
  end)
  return lists.concat({ { "stage", question and "question" or "play" }, { "moves", session.standing },
    { "seconds", math.floor(session.seconds) }, { "lost", session:lost() }, { "holds", session:holds() },
    { "skip_in", part:may_skip() and 0 or skip_in }, { "time_left", left and math.ceil(left) },
    { "keys", block.rules.keys }, { "click", block.rules.click },
    { "outcome", part.outcome }, { "asked", part.asked }, { "low", block.planned.low }, { "high", block.planned.high },
    { "ends", ends }, { "given", given }, { "answer", part.asked and part.answers[part.asked] },
    { "item", part.asked and question.item and questions.shown(question.item) } }, place_of(player),
    board.of(session, block.game, block.rules))
end

--- The fields of a page of text, pictures and questions.
local function page_of(player)
  local page, game = player.page, player.block.game
  return { { "stage", "page" }, { "text", page.text }, { "items", lists.map(page.items, questions.shown) },
    { "is_again", player.visit.try > 1 },
    { "pictures", lists.map(page.pictures, function(level)
      local painting = game:painting(level.level) or canvas.drawing(game:text(level.level), game.colours or {})
      return board.picture(game, painting)
    end) } }
end

--- The last page; while the player may go on, it is that of who stops here.
local function thanks_of(player)
  local outcome = player.outcome or player.level == nil and player.page == nil and "finished" or "left"
  return { { "stage", "thanks" }, { "outcome", outcome }, { "completion", player.study.completion[outcome] },
    { "levels", comparison_of(player) } }
end

--- All that the page shows.
---@param leaves boolean?   the player wants to see the end now
---@return table   json.object
function view.of(player, now, leaves)
  if player.level and not player.participation and not player.has_failed then player:try(now, player.enter_level) end
  local study, rows = player.study
  if not player.level and not player.page or leaves and not player:is_late(now) then
    rows = thanks_of(player)
  elseif player:is_late(now) then
    rows = { { "stage", "late" }, { "days", study.link_days } }
  elseif player.page then
    rows = page_of(player)
  else
    rows = not player.has_failed and player:try(now, level_of)
      or lists.concat({ { "stage", "failed" } }, place_of(player))
  end
  return json.object(lists.concat({ { "title", study.title }, { "contact", study.contact }, { "acts", player.acts },
    { "subject", player:subject() },
    { "preview", study.is_preview and { player.condition or "", player.block and player.block.name or "" } or nil } }, rows))
end

--- All that is kept about the player.
---@return table   json.object
function view.kept(player, token)
  local function rows(sql) return player.store:run(sql, player.id) end
  return json.object {
    { "player", player.id }, { "token", token },
    { "answers", json.objects({ { key = "position" }, { key = "item" }, { key = "answer" } },
      rows [[SELECT NULL AS position, item, answer FROM answer WHERE player = ?1
        UNION ALL SELECT NULL, name, value FROM identifier WHERE player = ?1
        UNION ALL SELECT position, item, answer FROM level_answer WHERE player = ?1 ORDER BY position]]) },
    { "plays", json.objects({ { key = "position" }, { key = "rating" }, { key = "enjoyment" }, { key = "time" },
      { key = "moves_used" }, { key = "solved" }, { key = "skipped" } },
      rows "SELECT * FROM attempt WHERE player = ? ORDER BY position, attempt") },
    { "acts", rows("SELECT count(*) AS n FROM act WHERE player = ?")[1].n },
  }
end

return view
