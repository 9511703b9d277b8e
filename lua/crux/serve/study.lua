--- Studies in browsers: scripts `return crux.study { ... }`, and their games and levels.
local export = require "crux.serve.export"
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local interview = require "crux.play.interview"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local plan = require "crux.play.plan"
local play = require "crux.play.play"
local rules = require "crux.rule.rule"
local script = require "crux.script.script"

local study = {}

---@class Study
---@field title string
---@field game Game
---@field rules Rules
---@field planned table                  what a Planned says of all players: low, high, questions, skip_seconds, skip_losses
---@field ends string[]?                 words for the lowest and the highest rating of difficulty; the page's own without
---@field items Item[]                   asked beforehand
---@field rule Rule?                     that the study is about
---@field order "fewest"|"random"|"given"|"rising"|"variance"|"ability"   how the next level is chosen
---@field success number                 wanted chance of the order "ability"
---@field chooser Chooser?               of the plays that have ended, for the orders of chooser.values
---@field chosen_until integer?          the end of the last of these plays, ms
---@field public_players integer?        players who may begin without a personal link; any number without
---@field link_days number               days after the begin in which a player may play
---@field per_player integer             levels that a player gets, at most
---@field is_limited boolean             the script says how many
---@field consent string
---@field contact string
---@field identifiers string[]           names of parameters of the link that are kept
---@field completion table<string, string>   by outcome, "finished" or "left": a code, or a link to return to
---@field study_seconds number?          after the begin, in which a player may begin levels
---@field away_seconds number            a play is abandoned when its player has done nothing for so long
---@field tutorial StudyLevel[]
---@field list StudyLevel[]              in the order of the files, or of rising rating
---@field inputs string[]                files and folders of `list`
---@field levels table<string, StudyLevel>   by name
---@field described StudyVersion
---@field version integer?               its number in the database
---@field was_stopped boolean?           a limit stopped the game's script, whose values may be half changed

---@class StudyVersion
---@field source string                  path of the script; of the game's if there is none of the study
---@field scale string                   1..10
---@field per_player integer?            levels that a player gets; all unless given
---@field consent string
---@field questions string               JSON: a list of questions in the order in which they are asked

---@class StudyLevel
---@field name string
---@field level table
---@field checksum string

local function is_any_text(value) return type(value) == "string" end
local function is_text(value) return type(value) == "string" and value ~= "" end
local function is_number(value) return math.type(value) and value >= 0 and value < math.huge end
local function is_count(value) return math.type(value) == "integer" and value >= 1 end

local function is_identifier(value) return is_text(value) and #value <= 40 and value:find "^[%w_-]+$" ~= nil end

local outcomes = lists.set { "finished", "left" }

local function is_completion(value)
  if type(value) ~= "table" then return false end
  for outcome, code in pairs(value) do
    if not outcomes[outcome] or not is_text(code) then return false end
  end
  return true
end

local function is_labels(value)
  if type(value) ~= "table" then return false end
  for name, label in pairs(value) do
    if type(name) ~= "string" or not is_text(label) then return false end
  end
  return true
end

--- A check of lists: `is_right` of each item.
local function list_of(is_right)
  return function(value)
    if type(value) ~= "table" then return false end
    for key, item in pairs(value) do
      if math.type(key) ~= "integer" or key < 1 or key > #value or not is_right(item) then return false end
    end
    return true
  end
end

local function is_scale(value)
  return list_of(function(rating) return math.type(rating) == "integer" and rating >= 0 end)(value) and #value == 2
    and value[1] < value[2]
end

local orders = { "fewest", "random", "given", "rising", "variance", "ability" }

--- The fields of a study script: name, check, what is expected, the value unless given.
local fields = {
  { "title", is_text, "a text" },
  { "game", is_text, "the path of a game script, or the name of one of crux's own" },
  { "levels", list_of(is_text), "a list of level files and folders" },
  { "tutorial", list_of(is_text), "a list of level files and folders", {} },
  { "scale", is_scale, "{ LOWEST, HIGHEST }, two integers from 0 on", { 1, 10 } },
  { "ends", function(value) return list_of(is_text)(value) and #value == 2 end, "{ \"very easy\", \"very hard\" }" },
  { "questions", list_of(function(item) return lists.contains(plan.questions, item) end),
    "a list of " .. table.concat(plan.questions, ", "), {} },
  { "ask", list_of(is_text), "a list of NAME, NAME: LOW..HIGH and NAME: CHOICE, CHOICE", {} },
  { "ask_after", list_of(is_text), "a list of NAME, NAME: LOW..HIGH and NAME: CHOICE, CHOICE", {} },
  { "labels", is_labels, "a table of texts by the NAME of a question", {} },
  { "per_player", is_count, "an integer of at least 1" },
  { "order", function(value) return lists.contains(orders, value) end, "one of " .. table.concat(orders, ", "), "fewest" },
  { "success", function(value) return is_number(value) and value > 0 and value < 1 end, "a number between 0 and 1", 0.7 },
  { "rule", is_text, "the path of a rule script, or the name of one of crux's own" },
  { "public_players", function(value) return value == 0 or is_count(value) end, "an integer of at least 0" },
  { "link_days", is_number, "a number of days", 365 },
  { "skip_seconds", is_number, "a number of seconds", 60 },
  { "skip_losses", is_count, "an integer of at least 1", 2 },
  { "level_seconds", is_count, "an integer of at least 1" },
  { "study_seconds", is_count, "an integer of at least 1" },
  { "identifiers", list_of(is_identifier), "a list of names of at most 40 letters, digits, _ and -", {} },
  { "completion", is_completion, "{ finished = \"CODE or URL\", left = \"CODE or URL\" }", {} },
  { "away_seconds", is_number, "a number of seconds", 1800 },
  { "consent", is_any_text, "a text", "" },
  { "contact", is_any_text, "a text", "" },
}

local known = lists.set(lists.field(fields, 1))

--- The checked fields of a script, with those that are not given.
local function checked(spec, path)
  for name in pairs(spec) do
    if not known[name] then fault.unknown(path, "field", name, lists.field(fields, 1)) end
  end
  local result = {}
  for _, field in ipairs(fields) do
    local name, is_right, expected, default = table.unpack(field)
    result[name] = spec[name]
    if spec[name] == nil then
      result[name] = default
    elseif not is_right(spec[name]) then
      fault.at(("%s: field '%s'"):format(path, name), fault.show(spec[name]), expected)
    end
  end
  return result
end

local function parsed(game, entries)
  return lists.map(entries, function(entry)
    return { name = entry.name, level = game:level(entry), checksum = plan.checksum(entry) }
  end)
end

--- Columns that `crux study export` and `crux aggregate` make.
local taken = lists.concat(export.columns(true), { "difficulty", "scaled", "rated", "attempts", "came_by", "knows_game" })

--- The items of the fields `ask` and `ask_after`, with their labels.
---@return Item[] before
---@return Item[] after
local function items_of(spec, path)
  local by_name, found = {}, {}
  for _, field in ipairs { "ask", "ask_after" } do
    local where = ("%s: field '%s'"):format(path, field)
    found[field] = interview.parse(table.concat(spec[field], "; "), where)
    for _, item in ipairs(found[field]) do
      if by_name[item.name] or lists.contains(taken, item.name) then
        fault.at(where, fault.show(item.name), "a name that no other question and no column of an export has")
      end
      by_name[item.name], item.label = item, spec.labels[item.name] or item.name
    end
  end
  for name in pairs(spec.labels) do
    if not by_name[name] then fault.unknown(path .. ": field 'labels'", "question", name, lists.keys(by_name)) end
  end
  return found.ask, found.ask_after
end

--- What the database keeps of a study. `asked` says when a question is asked: before the levels, or after those that are
--- solved, and which others.
---@return StudyVersion
local function described(spec, source, items, after)
  local scale, list = ("%d..%d"):format(table.unpack(spec.scale)), {}
  local function add(asked, name, label, values)
    table.insert(list, json.object { { "asked", asked }, { "name", name }, { "label", label }, { "values", values } })
  end
  local function has(question) return lists.contains(spec.questions, question) end
  local asked = "solved" .. (has "skipped" and "+skipped" or "") .. (has "tutorial" and "+tutorial" or "")
  for _, item in ipairs(items) do add("before", item.name, item.label, item.hint) end
  add(asked, "rating", spec.ends and table.concat(spec.ends, " .. "), scale)
  if has "enjoyment" then add(asked, "enjoyment", nil, scale) end
  for _, item in ipairs(after) do add(asked, item.name, item.label, item.hint) end
  return { source = source, scale = scale, per_player = spec.per_player, consent = spec.consent, questions = json.encode(list) }
end

--- Makes a study of checked fields.
---@param path string     begins messages
---@param source string?  its script; that of the game unless given
local function make(spec, path, source)
  local game, items, after = games.load(spec.game), items_of(spec, path)
  local self = { game = game, rules = play.rules(game), title = spec.title or game.name, ends = spec.ends, items = items,
    rule = spec.rule and rules.load(spec.rule), order = spec.order, success = spec.success, consent = spec.consent,
    contact = spec.contact, away_seconds = spec.away_seconds, public_players = spec.public_players,
    identifiers = spec.identifiers, completion = spec.completion, study_seconds = spec.study_seconds,
    link_days = spec.link_days, inputs = spec.levels, levels = {},
    planned = { low = spec.scale[1], high = spec.scale[2], questions = lists.set(spec.questions),
      skip_seconds = spec.skip_seconds, skip_losses = spec.skip_losses, level_seconds = spec.level_seconds,
      ask_after = after },
    described = described(spec, source or game.path, items, after) }
  if self.rule and self.rule.formula then game:choose(self.rule.formula.variables) end -- refuses a measure of another game
  if spec.order == "rising" and not self.rule then
    fault.at(path .. ": field 'order'", "'rising' without a field 'rule'", "the rule whose rating rises")
  end
  local tutorial, list = plan.entries(game, spec.tutorial, game:inputs(spec.levels))
  self.tutorial, self.list = parsed(game, tutorial), parsed(game, list)
  for _, level in ipairs(lists.concat(self.tutorial, self.list)) do self.levels[level.name] = level end
  if #self.list == 0 then fault.at(path, "no level", "at least one beside the tutorial") end
  if (spec.per_player or 1) > #self.list then
    fault.at(path .. ": field 'per_player'", spec.per_player, ("at most %d, the levels beside the tutorial"):format(#self.list))
  end
  self.per_player, self.is_limited = spec.per_player or #self.list, spec.per_player ~= nil
  return self
end

--- The study of a script. Its paths are seen from its folder.
function study.load(path)
  local spec, source = script.load("study", path)
  spec.name = nil
  spec = checked(spec, path)
  for _, name in ipairs { "game", "levels" } do
    if not spec[name] then fault.at(path, ("no field '%s'"):format(name), "one") end
  end
  local folder = path:match "^.*/" or ""
  local function placed(name) return name:find "^/" and name or folder .. name end
  spec.levels, spec.tutorial = lists.map(spec.levels, placed), lists.map(spec.tutorial, placed)
  for _, name in ipairs { "game", "rule" } do
    if (spec[name] or ""):find "[/.]" then spec[name] = placed(spec[name]) end
  end
  return make(spec, path, source)
end

--- The study of a game and levels, with the defaults of a script.
function study.of(game, inputs)
  return make(checked({ game = game, levels = inputs }, "crux serve"), "crux serve")
end

--- An item for the page.
---@return table   json.object
function study.shown(item)
  return json.object { { "name", item.name }, { "label", item.label }, { "low", item.low }, { "high", item.high },
    { "choices", item.choices } }
end

--- The study of a command line: a script; or a game, if there are levels.
function study.open(name, inputs)
  if inputs[1] or games.has_levels(name) then return study.of(name, inputs) end
  return study.load(name)
end

return study
