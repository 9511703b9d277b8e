--- Blocks of a study in browsers: pages, and then levels of one game. A study without `blocks` is one block, with the name "".
local fault = require "crux.base.fault"
local fields = require "crux.serve.fields"
local games = require "crux.game.game"
local lists = require "crux.base.lists"
local plan = require "crux.play.plan"
local play = require "crux.play.play"
local questions = require "crux.serve.questions"
local rules = require "crux.rule.rule"

local block = {}

---@class StudyBlock
---@field name string                    unique in the study
---@field pages StudyPage[]              shown in this order before the levels
---@field game Game?                     nil if there are pages alone
---@field rules Rules?
---@field planned table                  what a Planned says of all players: low, high, questions, skip_seconds, skip_losses
---@field rule Rule?                     that the block is about
---@field order "fewest"|"random"|"given"|"rising"|"variance"|"ability"   how the next level is chosen
---@field success number                 wanted chance of the order "ability"
---@field chooser Chooser?               of the plays that have ended, for the orders of chooser.values
---@field chosen_until integer?          the end of the last of these plays, ms
---@field per_player integer             levels that a player gets, at most
---@field is_limited boolean             the script says how many
---@field tutorial StudyLevel[]
---@field list StudyLevel[]              in the order of the files, or of rising rating; empty without a game
---@field inputs string[]                files and folders of `list`
---@field levels table<string, StudyLevel>   by name

---@class StudyPage
---@field text string
---@field pictures StudyLevel[]
---@field items Item[]
---@field tries integer   after which wrong answers end the study, where they show the page again

---@class StudyLevel
---@field name string
---@field level table
---@field checksum string
---@field message string?   of a game of PuzzleScript, before the level

local orders = { "fewest", "random", "given", "rising", "variance", "ability" }

--- The fields that a block has of its own, and those that all blocks of a study may share.
local own = {
  { "pages", fields.list_of(function(page) return fields.is_text(page) or type(page) == "table" end),
    "a list of texts, and of tables { text = \"...\" }", {} },
  { "game", fields.is_text, "the path of a game script, or the name of one of crux's own" },
  { "levels", fields.list_of(fields.is_text), "a list of level files and folders" },
  { "tutorial", fields.list_of(fields.is_text), "a list of level files and folders", {} },
  { "rule", fields.is_text, "the path of a rule script, or the name of one of crux's own" },
}

local shared = {
  { "questions", fields.list_of(function(item) return lists.contains(plan.questions, item) end),
    "a list of " .. table.concat(plan.questions, ", "), {} },
  { "ask_after", fields.list_of(questions.is_one), questions.expected, {} },
  { "labels", fields.named(fields.is_text), "a table of texts by the NAME of a question", {} },
  { "per_player", fields.is_count, "an integer of at least 1" },
  fields.choice("order", orders, "fewest"),
  { "success", function(value) return fields.is_number(value) and value > 0 and value < 1 end, "a number between 0 and 1",
    0.7 },
  { "skip_seconds", fields.is_number, "a number of seconds", 60 },
  { "skip_losses", fields.is_count, "an integer of at least 1", 2 },
  { "level_seconds", fields.is_count, "an integer of at least 1" },
}

block.fields = lists.concat(own, shared)

local of_pages = {
  { "text", fields.is_text, "a text" },
  { "pictures", fields.list_of(fields.is_text), "a list of level files and folders", {} },
  { "ask", fields.list_of(questions.is_one), questions.expected, {} },
  { "tries", fields.is_count, "an integer of at least 1", 2 },
}

--- The checked fields of one of several blocks, with those of the study that it shares.
---@param given table
---@param study table      checked fields of its script
---@param where string     begins messages
function block.checked(given, study, where)
  local spec = lists.merge(given)
  for _, field in ipairs(shared) do
    if spec[field[1]] == nil then spec[field[1]] = study[field[1]] end
  end
  spec = fields.checked(spec, lists.concat({ { "name", fields.is_identifier, "a name of letters, digits, _ and -" } },
    block.fields), where)
  if not spec.name then fault.at(where, "no field 'name'", "one") end
  return spec
end

--- Raises a fault if a field of one block alone is given beside `blocks`.
function block.refuse_own(spec, path)
  for _, field in ipairs(own) do
    if spec[field[1]] ~= nil then
      fault.at(("%s: field '%s'"):format(path, field[1]), "one beside 'blocks'", "it in a block")
    end
  end
end

local function parsed(game, entries)
  return lists.map(entries, function(entry)
    return { name = entry.name, level = game:level(entry), checksum = plan.checksum(entry), message = entry.message }
  end)
end

---@return StudyPage
local function page_of(given, game, where, context)
  local spec = fields.checked(type(given) == "string" and { text = given } or given, of_pages, where)
  if not spec.text then fault.at(where, "no field 'text'", "one") end
  if spec.pictures[1] and not game then
    fault.at(where .. ": field 'pictures'", "levels without a game", "a 'game' of the block")
  end
  local pictures = spec.pictures[1] and game:expect_entries(lists.map(spec.pictures, context.placed)) or {}
  local items = questions.read(spec.ask, where .. ": field 'ask'", context.labels, context.taken)
  for _, item in ipairs(items) do table.insert(context.taken, item.name) end
  return { text = spec.text, pictures = parsed(game, pictures), items = items, tries = spec.tries }
end

--- The game and the levels of a block.
local function add_game(self, spec, where)
  local game = games.load(spec.game)
  self.game, self.rules, self.rule = game, play.rules(game), spec.rule and rules.load(spec.rule)
  if self.rule and self.rule.formula then game:choose(self.rule.formula.variables) end -- refuses a measure of another game
  if spec.order == "rising" and not self.rule then
    fault.at(where .. ": field 'order'", "'rising' without a field 'rule'", "the rule whose rating rises")
  end
end

local function add_levels(self, spec, where)
  local tutorial, list = plan.entries(self.game, spec.tutorial, self.game:inputs(spec.levels))
  self.tutorial, self.list = parsed(self.game, tutorial), parsed(self.game, list)
  for _, level in ipairs(lists.concat(self.tutorial, self.list)) do self.levels[level.name] = level end
  if #self.list == 0 then fault.at(where, "no level", "at least one beside the tutorial") end
  if (spec.per_player or 1) > #self.list then
    fault.at(where .. ": field 'per_player'", spec.per_player,
      ("at most %d, the levels beside the tutorial"):format(#self.list))
  end
end

--- Makes a block of checked fields, whose paths are placed.
---@param where string     begins messages
---@param study table      checked fields of the study
---@param context { placed: (fun(name: string): string), taken: string[], labels: table<string, string> }   where files lie;
--- names that no question may have, to which those of the pages are added; words of questions
---@return StudyBlock
function block.make(spec, where, study, context)
  local placed = context.placed
  if spec.game and not spec.levels then fault.at(where, "no field 'levels'", "one") end
  local self = { name = spec.name or "", order = spec.order, success = spec.success,
    inputs = lists.map(spec.levels or {}, placed), tutorial = {}, list = {}, levels = {} }
  for _, name in ipairs { "game", "rule" } do
    if (spec[name] or ""):find "[/.]" then spec[name] = placed(spec[name]) end
  end
  spec.levels, spec.tutorial = self.inputs, lists.map(spec.tutorial, placed)
  if spec.game then add_game(self, spec, where) end
  context = lists.merge(context, { labels = spec.labels })
  self.pages = {}
  for i, page in ipairs(spec.pages) do
    self.pages[i] = page_of(page, self.game, ("%s: page %d"):format(where, i), context)
  end
  if spec.game then
    add_levels(self, spec, where)
  elseif not self.pages[1] then
    fault.at(where, "no field 'game'", "one, or 'pages'")
  end
  self.per_player = spec.game and spec.per_player or #self.list
  self.is_limited = spec.per_player ~= nil or not spec.game
  self.planned = { low = study.scale[1], high = study.scale[2], questions = lists.set(spec.questions),
    skip_seconds = study.is_preview and 0 or spec.skip_seconds, skip_losses = spec.skip_losses,
    level_seconds = spec.level_seconds,
    ask_after = questions.read(spec.ask_after, where .. ": field 'ask_after'", spec.labels, context.taken) }
  return self
end

--- The questions of a block as the database keeps them.
---@param ends string[]?   words for the ends of the scale
---@return table[]
function block.described(self, ends)
  local list, planned = {}, self.planned
  local function add(...) table.insert(list, questions.described(...)) end
  local function right(item) return item.right and item.right.hint end
  for i, page in ipairs(self.pages) do
    for _, item in ipairs(page.items) do add("page " .. i, item.name, item.label, item.hint, self.name, right(item)) end
  end
  if not self.game then return list end
  local asked, scale = "solved", ("%d..%d"):format(planned.low, planned.high)
  for _, question in ipairs { "skipped", "tutorial" } do
    if planned.questions[question] then asked = asked .. "+" .. question end
  end
  add(asked, "rating", ends and table.concat(ends, " .. "), scale, self.name)
  if planned.questions.enjoyment then add(asked, "enjoyment", nil, scale, self.name) end
  for _, item in ipairs(planned.ask_after) do add(asked, item.name, item.label, item.hint, self.name, right(item)) end
  return list
end

return block
