--- A player of a study in a browser: the acts that the player may make, and what the page shows. The database has each act; a
--- level that is being played is rebuilt from them.
local budget = require "libcrux.budget"
local canvas = require "crux.show.canvas"
local chooser = require "crux.play.chooser"
local fault = require "crux.base.fault"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local Participation = require "crux.play.participation"
local plan = require "crux.play.plan"
local plays = require "crux.play.plays"
local studies = require "crux.serve.study"
local sinks = require "crux.out.sinks"
local sizes = require "libcrux.sizes"
local svg = require "crux.show.svg"
local versions = require "crux.serve.versions"

---@class BrowserPlayer
---@field id integer
---@field acts integer              number of the last act
---@field private recorded integer  number of the last act in the database
---@field private study Study
---@field private store Store
---@field private random userdata   of libcrux.random
---@field private began integer     ms
---@field private knows_game boolean and plays no tutorial
---@field private done integer      plays that have ended
---@field private level StudyLevel? that is being played; nil if all are done
---@field private participation Participation?   in that level alone
---@field private clock integer     the begin of the play with the time that its acts have added, ms
---@field private inputs_made integer   in that level
---@field private before integer    number of the last act before this play
---@field private attempt { number: integer, began: integer, ended: integer, inputs: table<string, boolean> }   that goes on:
--- times of its begin and of its last act, ms, and the kinds of input of its acts
---@field private attempts table[]   that have ended and are not saved
---@field private is_rebuilding boolean   the acts that are made are those of the database
---@field private has_failed boolean   the script failed in this level, which does not go on
local Player = {}
Player.__index = Player

--- The kinds of input: by what a person acts.
Player.inputs = { "keys", "mouse", "touch" }

--- Begins to play the level, as a study of this level alone, behind those that the player has done.
function Player:enter_level()
  local study, level, done = self.study, self.level, {}
  self.inputs_made = 0
  for i = 1, self.done do done[i] = { player = self.id, finished = true } end
  self.participation = Participation.new(study.rules, lists.merge(study.planned, { before = self.done, may_change = true }),
    { { name = level.name, level = level.level, tutorial = lists.contains(study.tutorial, level) } },
    { rows = done, record = { player = self.id }, add = function(_, session, row)
      if not self.is_rebuilding then table.insert(self.attempts, self:row_of(session, row)) end
      session:end_attempt()
      self:begin_attempt(self.attempt.number + 1, self.attempt.ended)
    end })
end

function Player:begin_attempt(number, now) self.attempt = { number = number, began = now, ended = now, inputs = {} } end

--- The row of the attempt that goes on.
---@param row table   of plays.attempt
function Player:row_of(session, row)
  local attempt = self.attempt
  return lists.merge(plays.attempt(session, row), { attempt = attempt.number, began = attempt.began, ended = attempt.ended,
    input = table.concat(lists.keys(attempt.inputs), "+") })
end

--- Writes the row of an act that was made.
function Player:record(number, act, value, result, client, now, input)
  self.store:run("INSERT INTO act VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", self.id, number, self.done + 1, act, value, result,
    client, now, input)
  self.store:run("UPDATE player SET seen = ?, acts = ? WHERE id = ?", now, number, self.id)
  self.recorded = number
end

--- Calls a method that runs the script of the game. If the script fails, that is recorded as the next act, and nil is returned.
function Player:try(now, method, ...)
  local ok, result = pcall(method, self, ...)
  if ok then return result end
  self.study.was_stopped = budget.forget() or self.study.was_stopped
  if budget.stopped() then error(result, 0) end
  self:fail(fault.message(result), now)
end

--- Ends the level, as the script failed, and records that as the next act.
function Player:fail(message, now)
  sinks.say(("%s; level '%s' ends for player %d"):format(message, self.level.name, self.id))
  self.participation, self.attempts, self.is_rebuilding, self.has_failed = nil, {}, false, true
  self.acts = self.recorded + 1 -- in place of acts of the same request, which are not recorded yet
  self.store:atomically(self.record, self, self.acts, "fail", message, "failed", 0, now)
end

--- Writes the row of an attempt, in place of what was written about it before.
function Player:save_attempt(attempt)
  local position = self.done + 1
  self.store:run("INSERT OR REPLACE INTO attempt VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", self.id, position,
    attempt.attempt, attempt.rating, attempt.enjoyment, attempt.time, attempt.moves_used, attempt.solved, attempt.skipped,
    attempt.losses, attempt.lost_by, attempt.began, attempt.ended, attempt.input)
  for _, item in ipairs(self.study.planned.ask_after) do
    local answer = attempt[item.name]
    if answer then
      self.store:run("DELETE FROM level_answer WHERE player = ? AND position = ? AND item = ?", self.id, position, item.name)
    end
    if answer and answer ~= "" then
      self.store:run("INSERT INTO level_answer VALUES (?, ?, ?, ?)", self.id, position, item.name, answer)
    end
  end
end

--- Writes the attempts that have ended; if none has, the one that goes on, so that nothing is lost if the player leaves.
function Player:save()
  local part = self.participation
  if part and not self.attempts[1] then self.attempts[1] = self:row_of(part.session, part:result()) end
  for _, attempt in ipairs(self.attempts) do self:save_attempt(attempt) end
  self.attempts = {}
end

--- The levels of the tutorial that the player plays.
function Player:lessons() return self.knows_game and {} or self.study.tutorial end

--- The number of ratings of each level by its name, where plays count that are rated or go on.
---@return table<string, integer>
function Player:ratings(now)
  local counts = {}
  for _, row in ipairs(self.store:run([[SELECT level, count(*) AS n FROM play JOIN player ON player.id = play.player
      WHERE ended IS NULL AND seen > ? OR EXISTS (SELECT * FROM attempt
        WHERE attempt.player = play.player AND attempt.position = play.position AND rating IS NOT NULL)
      GROUP BY level]], now - math.floor(1000 * self.study.away_seconds))) do counts[row.level] = row.n end
  return counts
end

--- The number of players who play a level just now, by its name.
---@return table<string, integer>
function Player:going(now)
  local counts = {}
  for _, row in ipairs(self.store:run([[SELECT level, count(*) AS n FROM play JOIN player ON player.id = play.player
      WHERE ended IS NULL AND seen > ? GROUP BY level]], now - math.floor(1000 * self.study.away_seconds))) do
    counts[row.level] = row.n
  end
  return counts
end

local settling <const> = 60000 -- ms: in which the end of a play is in the database of all workers

--- The values of levels by their outcomes. Each worker has a chooser of its own, which takes the plays that have ended since.
---@return number[]
function Player:outlook(now)
  local study = self.study
  study.chooser = study.chooser or chooser.new(lists.field(study.list, "name"))
  for _, row in ipairs(self.store:run([[SELECT play.player, level, play.ended, max(solved) AS solved
      FROM play JOIN attempt USING (player, position) WHERE play.ended >= ? GROUP BY play.player, play.position
      ORDER BY play.ended, play.player]], (study.chosen_until or 0) - settling)) do
    study.chooser:add(row.player, row.level, row.solved == 1)
    study.chosen_until = row.ended
  end
  return study.chooser:order(study.order, self.id, study.success, self:going(now))
end

--- The values of the levels of the study's list, of which the least is chosen.
---@return number[]
function Player:values(now)
  local study = self.study
  if chooser.values[study.order] then return self:outlook(now) end
  local counts = study.order == "random" and {} or self:ratings(now)
  return lists.map(study.list, function(level) return counts[level.name] or 0 end)
end

--- The next level: of the tutorial in its order, then one as the order of the study says, at random among equals. With the
--- orders "given" and "rising" the levels are cut into as many parts as a player gets levels, and each part gives one.
---@return StudyLevel?
function Player:choose(now)
  local study, played, is_played, is_out, count = self.study, {}, {}, {}, 0
  for _, row in ipairs(self.store:run("SELECT level FROM play WHERE player = ?", self.id)) do played[row.level] = true end
  for _, level in ipairs(self:lessons()) do
    if not played[level.name] then return level end
  end
  for _, level in ipairs(study.list) do count = count + (played[level.name] and 1 or 0) end
  if count >= study.per_player then return nil end
  local values, in_parts = self:values(now), study.order == "given" or study.order == "rising"
  for i, level in ipairs(study.list) do
    is_played[i] = played[level.name]
    is_out[i] = played[level.name] or in_parts and (i - 1) * study.per_player // #study.list ~= count
  end
  return study.list[plan.least(values, is_out, self.random) or plan.least(values, is_played, self.random)]
end

--- Begins the next level, which is entered when it is shown: the script then takes no time of a transaction.
function Player:begin_level(now)
  local most = self.study.study_seconds
  self.level, self.participation, self.has_failed = nil, nil, false
  if not most or now - self.began < 1000 * most then self.level = self:choose(now) end
  if not self.level then return end
  self.store:run("INSERT INTO play (player, position, level, began, version) VALUES (?, ?, ?, ?, ?)", self.id, self.done + 1,
    self.level.name, now, self.study.version)
  self.clock, self.before = now, self.acts
  self:begin_attempt(1, now)
end

--- Ends the level and begins the next one.
function Player:end_level(now)
  self.store:run("UPDATE play SET ended = ? WHERE player = ? AND position = ?", now, self.id, self.done + 1)
  self.done = self.done + 1
  self:begin_level(now)
end

--- A player who begins.
---@param digest string                  of the token
---@param person { answers: table<string, string>, identifiers: table<string, string>, came_by: "public"|"link",
--- knows_game: boolean }   answers by item, and identifiers of the link by name
function Player.new(study, store, random, digest, person, now)
  local id = store:add_player(digest, person.came_by, person.knows_game, now)
  for name, value in pairs(person.identifiers) do store:run("INSERT INTO identifier VALUES (?, ?, ?)", id, name, value) end
  for item, answer in pairs(person.answers) do
    if answer ~= "" then store:run("INSERT INTO answer VALUES (?, ?, ?)", id, item, answer) end
  end
  local self = setmetatable({ id = id, acts = 0, recorded = 0, study = study, store = store, random = random, began = now,
    done = 0, knows_game = person.knows_game, attempts = {} }, Player)
  self:begin_level(now)
  return self
end

--- The memory that the player takes, in positions: one for each act in the level, which may be undone, and some for the rest.
function Player:size() return 20 + self.acts - (self.before or 0) end

--- The time that an act adds to the player's, in milliseconds: what the page says, but no more in all than has passed here
--- since the play began. A slow network delivers acts later than they were made, and some at once.
function Player:elapsed(client, now) return math.max(0, math.min(client, now - self.clock)) end

--- The inputs of a gesture, which may each have the milliseconds since the one before behind them: "1,1 space 2,1+80 drop".
--- Acts of one input are named by it: a key, "point" to a square, or "drop" what the cursor holds.
---@return string[]
local function inputs_of(act, value)
  if act ~= "gesture" then return { act == "drop" and act or value } end
  local list = {}
  for input in value:gmatch "%S+" do table.insert(list, input:match "^(.+)%+%d+$" or input) end
  return list
end

local function is_square(input) return input:find "^%d%d?%d?,%d%d?%d?$" ~= nil end

--- Makes an input: points to a square, drops what the cursor holds, or presses a key.
function Player:make_input(input)
  local part = self.participation
  local session = part.session
  if is_square(input) then
    session:point(tonumber(input:match "^%d+"), tonumber(input:match "%d+$"))
    part:look()
  elseif input ~= "drop" then
    part:key(input)
  elseif session:holds() then
    part:key(self.study.rules.click)
  end
end

--- Makes an act that was checked: the player goes back, makes a gesture, or answers the question. Returns what came of it:
--- "solved", "lost", "skipped", "rated" or "".
function Player:make(act, value, client, now, input)
  local part, attempt = self.participation, self.attempt
  local session = part.session
  local losses, outcome = session.losses, part.outcome
  local elapsed = self:elapsed(client, now)
  if not part.question then
    attempt.ended = now
    if input then attempt.inputs[input] = true end
  end
  part:pass(elapsed / 1000)
  self.clock = self.clock + elapsed
  if act == "answer" then
    part.question:take(value)
    part:key "enter"
    return "rated"
  elseif act == "back" then
    part:back()
  elseif act == "gesture" then
    local inputs = inputs_of(act, value)
    self.inputs_made = self.inputs_made + #inputs
    session:together(function()
      for _, one in ipairs(inputs) do
        if not part.question then self:make_input(one) end
      end
    end)
  else
    self.inputs_made = self.inputs_made + 1
    self:make_input(inputs_of(act, value)[1])
  end
  if session.losses > losses then return "lost" end
  return part.outcome ~= outcome and part.outcome:lower() or ""
end

--- Enters the level and makes the acts of the database.
function Player:rebuild(acts)
  self.is_rebuilding = true
  self:enter_level()
  for _, act in ipairs(acts) do self:make(act.act, act.value, act.client_ms, act.server_ms, act.input) end
  self.is_rebuilding = false
end

--- A player who comes back; nil if there is none.
---@param digest string     of the token
---@param failure string?   why the level fails
---@return BrowserPlayer?
function Player.load(study, store, random, digest, now, failure)
  local row = store:first("SELECT * FROM player WHERE token = ?", digest)
  if not row then return nil end
  local self = setmetatable({ id = row.id, acts = row.acts, recorded = row.acts, study = study, store = store, random = random,
    began = row.began, knows_game = row.knows_game == 1, attempts = {} }, Player)
  self.done = store:first("SELECT count(*) AS n FROM play WHERE player = ? AND ended IS NOT NULL", self.id).n
  local play = store:first("SELECT * FROM play WHERE player = ? AND ended IS NULL", self.id)
  self.level = play and study.levels[play.level]
  if not self.level then return self end
  local acts = store:run("SELECT * FROM act WHERE player = ? AND position = ? ORDER BY number", self.id, play.position)
  self.clock, self.before = play.began, self.acts - #acts
  self:begin_attempt(1, play.began)
  if not versions.ask_alike(store, play.version, study.version) then
    -- to be rated on the scale of now; what was answered on another one is kept, and nothing more is asked
    local has_answered = lists.contains(lists.field(acts, "act"), "answer")
    store:atomically(function()
      if has_answered then return self:end_level(now) end
      store:run("UPDATE play SET version = ? WHERE player = ? AND position = ?", study.version, self.id, play.position)
    end)
    if has_answered then return self end
  end
  self.has_failed = #acts > 0 and acts[#acts].act == "fail"
  if failure and not self.has_failed then
    self:fail(failure, now)
  elseif not self.has_failed then
    self:try(now, self.rebuild, acts)
  end
  return self
end

--- Writes anew the attempts that were made before rows of attempts that go on had numbers of moves.
function Player.complete(study, store, random, now)
  for _, row in ipairs(store:run [[SELECT DISTINCT token FROM attempt JOIN play USING (player, position)
    JOIN player ON player.id = play.player WHERE moves_used IS NULL AND play.ended IS NULL AND came_by <> 'import']]) do
    Player.load(study, store, random, row.token, now):save()
  end
end

local named_keys = lists.set { "up", "down", "left", "right", "enter", "space" }

--- Tells whether an input may be made in the level: a key that games may have, or a square or "drop" where there is a cursor.
function Player:is_input(input)
  if named_keys[input] or input:find "^[!-~]$" and not input:find "[q?xur]" then return true end
  return self.participation.session:spot() ~= nil and (is_square(input) or input == "drop" and self.study.rules.click ~= nil)
end

local commands = lists.set { "u", "redo", "r" }

--- By act, whether it may have an input.
local may_have = {
  key = function(input) return not is_square(input) and input ~= "drop" end,
  point = is_square,
  drop = function() return true end,
  gesture = function() return true end,
}

--- Tells whether the player can do that now.
function Player:can(act, value, client, now)
  local part = self.participation
  if not part then return false end
  if act == "back" then
    return part.question ~= nil and part:answered()[1] ~= nil
  elseif part.asked then
    return act == "answer" and part.question:take(value)
  elseif part.question then
    return act == "key" and value == "enter"
  elseif act == "key" and value == "x" then
    return part:may_skip(self:elapsed(client, now) / 1000)
  end
  local fits, inputs = may_have[act], inputs_of(act, value)
  if not fits or self.inputs_made + #inputs > sizes.acts or part:time_left(self:elapsed(client, now) / 1000) == 0 then
    return false
  end
  if act == "key" and commands[value] then return true end
  for _, input in ipairs(inputs) do
    if not fits(input) or not self:is_input(input) then return false end
  end
  return inputs[1] ~= nil
end

--- Tells whether the time in which the player may play is over.
function Player:is_late(now) return now - self.began > 86400000 * self.study.link_days end

--- Tells whether this act was made: a page that got no answer sends it again. An act of this number that is another one came
--- from another window.
function Player:has_made(number, act, value, client)
  local row = self.store:first("SELECT act, value, client_ms FROM act WHERE player = ? AND number = ?", self.id, number)
  return row ~= nil and (row.act == "fail" or row.act == act and row.value == value and row.client_ms == client)
end

--- What acts are about now: a level, or a question about it.
---@return string
function Player:subject()
  local part = self.participation
  return ("%d %s"):format(self.done + 1, self.has_failed and "failed"
    or part and part.question and "question " .. (part.asked or "") or "play")
end

--- Makes an act. The acts of a player are numbered from 1 on; one that came before is not made again.
---@param client integer   ms since the act before, as the page says
---@param input string?     kind of input
---@return boolean is_right   false if another act was expected
---@return fun()? record      records the act; to be called in a transaction, after `save` and in the order of the acts
function Player:act(number, act, value, client, now, input)
  if number <= self.acts then return self:has_made(number, act, value, client) end
  if number ~= self.acts + 1 or self:is_late(now) then return false end
  local part, had_failed, result = self.participation, self.has_failed, ""
  local skips_failed = had_failed and act == "key" and value == "x"
  if not skips_failed then
    local can = self:try(now, self.can, act, value, client, now)
    result = can and self:try(now, self.make, act, value, client, now, input)
    if not result then return self.has_failed and not had_failed end -- the failure is this act
  end
  self.acts = number
  return true, function()
    self:record(number, act, value, result, client, now, input)
    if skips_failed or part:is_over() then self:end_level(now) end
  end
end

--- The buttons of the game with their pictures, and whether each does something now.
function Player:pad()
  local session, where = self.participation.session, self.study.game.path .. ": play.pad"
  return lists.map(self.study.rules.pad(session.level), function(row)
    if type(row) ~= "table" or type(row.key) ~= "string" or type(row.doc) ~= "string" or type(row.paint) ~= "function" then
      fault.at(where, fault.show(row), "rows { key = \"a\", doc = \"what it does\", paint = function(canvas) ... end }")
    end
    local pen, finish = canvas.new()
    fault.guard(where, row.paint, pen)
    local painting = finish() or fault.at(where, "no size", "canvas:size(columns, rows)")
    return json.object { { "key", row.key }, { "doc", row.doc }, { "width", painting.width }, { "height", painting.height },
      { "content", painting.content }, { "can", session:can(row.key) } }
  end)
end

--- What is on the square of the cursor, for those who hear the page: a letter, digit or sign of the drawing; "" for nothing.
--- Other characters draw lines and empty squares.
local function character_at_cursor(session, lines)
  local column, row = session:cursor()
  local line = column and lines[row]
  local place = line and utf8.offset(line, column)
  return (place and line:sub(place, place) or ""):match "^[%w#@*$+&^<>/]$" or ""
end

--- The board: a picture with the cursor, the drawing as text, and where a pointer points to.
function Player:board()
  local session, study = self.participation.session, self.study
  local game = study.game
  local lines = session:draw()
  local text = table.concat(lines, "\n") .. "\n"
  local painting = session:paint() or canvas.drawing(text, game.colours or {})
  local left, top, width, height = table.unpack(painting.squares)
  local x, y = session:spot()
  local function frame(class)
    return x and svg.element("rect", { class = class, x = left + (x - 1) * width, y = top + (y - 1) * height, width = width,
      height = height }) or ""
  end
  local rules = study.rules
  local can_undo, can_redo = session:can_undo()
  local hand = rules.hand and rules.hand(session.position, session.level)
  return { { "text", text }, { "note", painting.note }, { "squares", painting.squares },
    { "hand", hand and json.of(hand) }, { "pad", rules.pad and self:pad() }, { "tap", rules.tap }, { "can_undo", can_undo },
    { "can_redo", can_redo },
    { "at", character_at_cursor(session, lines) }, { "has_cursor", x ~= nil }, { "cursor", x and { x, y } },
    { "picture", svg.picture({ width = painting.width, height = painting.height, title = game.name, class = "crux-level",
      bare = true, description = game.name }, painting.content, frame "cursor-edge",
      frame(session:holds() and "cursor holds" or "cursor")) } }
end

--- How others fared on the levels that the player has done.
function Player:comparison()
  return lists.map(self.store:run([[SELECT mine.position, own.solved, own.rating,
      (SELECT avg(rating) FROM attempt JOIN play USING (player, position) WHERE level = mine.level AND player <> mine.player)
        AS others, (SELECT avg(solved) FROM attempt JOIN play USING (player, position) WHERE level = mine.level
        AND player <> mine.player AND solved + skipped > 0) AS solved_by
    FROM play AS mine JOIN attempt AS own ON own.player = mine.player AND own.position = mine.position
      AND own.solved + own.skipped > 0
    JOIN level ON level.name = mine.level
    WHERE mine.player = ? AND mine.ended IS NOT NULL AND NOT level.tutorial ORDER BY mine.position]], self.id), function(row)
    return json.object { { "solved", row.solved == 1 }, { "rating", row.rating }, { "others", row.others },
      { "solved_by", row.solved_by } }
  end)
end

--- The number of the level, the number of all unless players play as many as they like, and whether it is of the tutorial.
function Player:place()
  local study = self.study
  return { { "position", self.done + 1 }, { "count", study.is_limited and #self:lessons() + study.per_player or nil },
    { "tutorial", lists.contains(study.tutorial, self.level) } }
end

--- The fields of a level, and of a question about it, for the page.
function Player:shown()
  local part, study = self.participation, self.study
  local session, question = part.session, part.question
  local left = part:time_left()
  local skip_in = math.max(0, math.ceil(part.skip_seconds - session.seconds))
  local ends = part.asked == "rating" and study.ends or json.null
  local given = question and lists.map(part:answered(), function(row)
    local column, asked = table.unpack(row)
    return json.object { { "asked", column }, { "label", asked.item and asked.item.label }, { "answer", part.answers[column] } }
  end)
  return lists.concat({ { "stage", question and "question" or "play" }, { "moves", session.standing },
    { "seconds", math.floor(session.seconds) }, { "lost", session:lost() }, { "holds", session:holds() },
    { "skip_in", part:may_skip() and 0 or skip_in }, { "time_left", left and math.ceil(left) },
    { "keys", study.rules.keys }, { "click", study.rules.click },
    { "outcome", part.outcome }, { "asked", part.asked }, { "low", study.planned.low }, { "high", study.planned.high },
    { "ends", ends }, { "given", given }, { "answer", part.asked and part.answers[part.asked] },
    { "item", part.asked and question.item and studies.shown(question.item) } }, self:place(), self:board())
end

--- All that the page shows.
---@param leaves boolean?   the player wants to see the end now
---@return table   json.object
function Player:view(now, leaves)
  if self.level and not self.participation and not self.has_failed then self:try(now, self.enter_level) end
  local is_done = not self.level
  local rows = not is_done and self:is_late(now) and { { "stage", "late" }, { "days", self.study.link_days } }
    or (is_done or leaves) and { { "stage", "thanks" }, { "left", not is_done },
      { "completion", self.study.completion[is_done and "finished" or "left"] }, { "levels", self:comparison() } }
    or not self.has_failed and self:try(now, self.shown) or lists.concat({ { "stage", "failed" } }, self:place())
  return json.object(lists.concat({ { "title", self.study.title }, { "doc", self.study.game.doc },
    { "contact", self.study.contact }, { "acts", self.acts }, { "subject", self:subject() } }, rows))
end

--- All that is kept about the player.
---@return table   json.object
function Player:kept(token)
  local function rows(sql) return self.store:run(sql, self.id) end
  return json.object {
    { "player", self.id }, { "token", token },
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

--- Deletes all that is kept about the player.
function Player:forget() self.store:run("DELETE FROM player WHERE id = ?", self.id) end

return Player
