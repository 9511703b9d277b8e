--- A player of a study in a browser: the acts that the player may make. The database has each act; a level that is being played
--- is rebuilt from them. crux.serve.view says what the page shows.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local gestures = require "crux.play.gestures"
local lists = require "crux.base.lists"
local Participation = require "crux.play.participation"
local plays = require "crux.play.plays"
local forms = require "crux.serve.forms"
local itinerary = require "crux.serve.itinerary"
local sinks = require "crux.out.sinks"
local sizes = require "libcrux.sizes"
local questions = require "crux.serve.questions"
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
---@field private blocks StudyBlock[]     in the order of this player
---@field private block StudyBlock?       of the level or page; nil if the study is over
---@field private page StudyPage?    that is shown
---@field private try integer        how often it was shown
---@field private level StudyLevel?  that is being played
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
  local block, level, done = self.block, self.level, {}
  self.inputs_made = 0
  for i = 1, self.done do done[i] = { player = self.id, finished = true } end
  self.participation = Participation.new(block.rules, lists.merge(block.planned, { before = self.done, may_change = true }),
    { { name = level.name, level = level.level, tutorial = lists.contains(block.tutorial, level) } },
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
  for _, item in ipairs(self.block.planned.ask_after) do
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

--- Goes on with the next page or level. A level is entered when it is shown: the script then takes no time of a transaction.
function Player:go_on(now)
  self.level, self.page, self.participation, self.has_failed = nil, nil, nil, false
  itinerary.advance(self, now)
  if not self.level then return end
  self.clock, self.before = now, self.acts
  self:begin_attempt(1, now)
end

--- Ends the level and begins the next one.
function Player:end_level(now)
  self.store:run("UPDATE play SET ended = ? WHERE player = ? AND position = ?", now, self.id, self.done + 1)
  self.done = self.done + 1
  self:go_on(now)
end

--- A player who begins.
---@param digest string                  of the token
---@param person { answers: table<string, string>, identifiers: table<string, string>, came_by: "public"|"link",
--- knows_game: boolean }   answers by item, and identifiers of the link by name
function Player.new(study, store, random, digest, person, now)
  local condition, blocks = itinerary.assign(study, store, random)
  local id = store:add_player(digest, { came_by = person.came_by, knows_game = person.knows_game, condition = condition,
    blocks = blocks }, now)
  for name, value in pairs(person.identifiers) do store:run("INSERT INTO identifier VALUES (?, ?, ?)", id, name, value) end
  local self = Player.of(study, store, random, store:first("SELECT * FROM player WHERE id = ?", id))
  self.done = 0
  if self:answer(study.items, person.answers, { block = "", page = 0, try = 1, began = now }, now) == "end" then
    self:finish "screened"
  else
    self:go_on(now)
  end
  return self
end

--- A player of a row of the database.
function Player.of(study, store, random, row)
  return setmetatable({ id = row.id, acts = row.acts, recorded = row.acts, study = study, store = store, random = random,
    began = row.began, knows_game = row.knows_game == 1, condition = row.condition, outcome = row.outcome, attempts = {},
    blocks = itinerary.blocks(study, row.blocks) }, Player)
end

--- Ends the study for the player.
---@param outcome "finished"|"screened"
function Player:finish(outcome)
  self.block, self.page, self.outcome = nil, nil, outcome
  self.store:run("UPDATE player SET outcome = ? WHERE id = ?", outcome, self.id)
end

--- Writes answers to the items of a page. Returns what follows wrong ones.
---@param visit { block: string, page: integer, try: integer, began: integer }
---@return "end"|"again"|"note"
function Player:answer(items, answers, visit, now)
  for item, answer in pairs(answers) do
    if answer ~= "" then self.store:run("INSERT OR REPLACE INTO answer VALUES (?, ?, ?)", self.id, item, answer) end
  end
  local wrong, consequence = questions.wrong(items, answers)
  if visit.page > 0 or wrong ~= "" then
    self.store:run("INSERT OR REPLACE INTO visit VALUES (?, ?, ?, ?, ?, ?, ?)", self.id, visit.block, visit.page, visit.try,
      visit.began, now, wrong)
  end
  return self.study.is_preview and "note" or consequence
end

--- The answers of an act that leaves a page; nil if one is not as asked for.
function Player:answers_of(page, value)
  return questions.answers(page.items, forms.read(value), self.study.is_preview)
end

--- Leaves the page: to the next one; to the same again or to the end after wrong answers.
function Player:leave_page(page, answers, now)
  local follows = self:answer(page.items, answers, self.visit, now)
  if follows == "note" then return self:go_on(now) end
  if follows == "end" or self.visit.try >= page.tries then return self:finish "screened" end
  itinerary.show(self, self.visit.page, self.visit.try + 1, now)
end

--- The memory that the player takes, in positions: one for each act in the level, which may be undone, and some for the rest.
function Player:size() return 20 + self.acts - (self.before or 0) end

--- The time that an act adds to the player's, in milliseconds: what the page says, but no more in all than has passed here
--- since the play began. A slow network delivers acts later than they were made, and some at once.
function Player:elapsed(client, now) return math.max(0, math.min(client, now - self.clock)) end

--- The inputs of an act. One of a single input is named by it: a key, "point" to a square, or "drop" what the cursor holds.
---@return string[]
local function inputs_of(act, value)
  return act == "gesture" and gestures.inputs(value) or { act == "drop" and act or value }
end

function Player:make_input(input)
  local part = self.participation
  gestures.make(part.session, self.block.rules, input, function(key) part:key(key) end)
  if gestures.is_square(input) then part:look() end
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
  local self = Player.of(study, store, random, row)
  self.done = store:first("SELECT count(*) AS n FROM play WHERE player = ? AND ended IS NOT NULL", self.id).n
  if self.outcome then return self end
  local play = store:first("SELECT * FROM play WHERE player = ? AND ended IS NULL", self.id)
  if not play then return itinerary.return_to_page(self, now) end
  self.block = study.by_name[play.block]
  self.level = self.block and self.block.levels[play.level]
  if not self.level then return self end
  local acts = store:run("SELECT * FROM act WHERE player = ? AND position = ? AND act <> 'page' ORDER BY number", self.id,
    play.position)
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
  return self.participation.session:spot() ~= nil
    and (gestures.is_square(input) or input == "drop" and self.block.rules.click ~= nil)
end

local commands = lists.set { "u", "redo", "r" }

--- By act, whether it may have an input.
local may_have = {
  key = function(input) return not gestures.is_square(input) and input ~= "drop" end,
  point = gestures.is_square,
  drop = function() return true end,
  gesture = function() return true end,
}

--- Tells whether the player can do that now.
function Player:can(act, value, client, now)
  local part = self.participation
  if self.page then return act == "page" and self:answers_of(self.page, value) ~= nil end
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

--- What acts are about now: a page, a level, or a question about it.
---@return string
function Player:subject()
  local part, visit = self.participation, self.visit
  if self.page then return ("page %s %d %d"):format(visit.block, visit.page, visit.try) end
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
  local part, page, had_failed, result = self.participation, self.page, self.has_failed, ""
  local skips_failed = had_failed and act == "key" and value == "x"
  if not skips_failed then
    local can = self:try(now, self.can, act, value, client, now)
    result = can and (page and "" or self:try(now, self.make, act, value, client, now, input))
    if not result then return self.has_failed and not had_failed end -- the failure is this act
  end
  self.acts, self.page = number, nil -- the page takes no other act of the same request
  return true, function()
    self:record(number, act, value, result, client, now, input)
    if page then
      self:leave_page(page, self:answers_of(page, value), now)
    elseif skips_failed or part:is_over() then
      self:end_level(now)
    end
  end
end

--- Deletes all that is kept about the player.
function Player:forget() self.store:run("DELETE FROM player WHERE id = ?", self.id) end

return Player
