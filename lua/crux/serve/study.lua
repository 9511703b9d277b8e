--- Studies in browsers: scripts `return crux.study { ... }`.
local blocks = require "crux.serve.block"
local export = require "crux.serve.export"
local fault = require "crux.base.fault"
local fields = require "crux.serve.fields"
local games = require "crux.game.game"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local questions = require "crux.serve.questions"
local script = require "crux.script.script"

local study = {}

---@class Study
---@field title string
---@field blocks StudyBlock[]
---@field by_name table<string, StudyBlock>
---@field block_order "fixed"|"random"      random: each player gets the blocks with levels in an order of their own
---@field conditions table<string, string[]>?   names of the blocks that the players of a condition get, in order
---@field ends string[]?                 words for the lowest and the highest rating of difficulty; the page's own without
---@field items Item[]                   asked beforehand
---@field public_players integer?        players who may begin without a personal link; any number without
---@field link_days number               days after the begin in which a player may play
---@field consent string
---@field contact string
---@field identifiers string[]           names of parameters of the link that are kept
---@field completion table<string, string>   by outcome, "finished", "screened" or "left": a code, or a link to return to
---@field study_seconds number?          after the begin, in which a player may begin levels
---@field away_seconds number            a play is abandoned when its player has done nothing for so long
---@field described StudyVersion
---@field version integer?               its number in the database
---@field is_preview boolean?            pages and levels may be passed at once
---@field was_stopped boolean?           a limit stopped a game's script, whose values may be half changed

---@class StudyVersion
---@field source string                  path of the script; of the game's if there is none of the study
---@field scale string                   1..10
---@field per_player integer?            levels that a player gets; all unless given
---@field consent string
---@field questions string               JSON: a list of questions in the order in which they are asked

local outcomes = lists.set { "finished", "screened", "left" }

local function is_scale(value)
  return fields.list_of(function(rating) return math.type(rating) == "integer" and rating >= 0 end)(value) and #value == 2
    and value[1] < value[2]
end

local own = {
  { "title", fields.is_text, "a text" },
  { "blocks", function(value) return fields.list_of(fields.is_table)(value) and #value > 0 end, "a list of tables" },
  fields.choice("block_order", { "fixed", "random" }, "fixed"),
  { "conditions", function(value) return fields.named(fields.list_of(fields.is_text))(value) and next(value) ~= nil end,
    "a table of lists of names of blocks" },
  { "scale", is_scale, "{ LOWEST, HIGHEST }, two integers from 0 on", { 1, 10 } },
  { "ends", function(value) return fields.list_of(fields.is_text)(value) and #value == 2 end,
    "{ \"very easy\", \"very hard\" }" },
  { "ask", fields.list_of(questions.is_one), questions.expected, {} },
  { "public_players", function(value) return value == 0 or fields.is_count(value) end, "an integer of at least 0" },
  { "link_days", fields.is_number, "a number of days", 365 },
  { "study_seconds", fields.is_count, "an integer of at least 1" },
  { "identifiers", fields.list_of(fields.is_identifier), "a list of names of at most 40 letters, digits, _ and -", {} },
  { "completion", fields.named(function(code, outcome) return outcomes[outcome] and fields.is_text(code) end),
    "{ finished = \"CODE or URL\", screened = \"CODE or URL\", left = \"CODE or URL\" }", {} },
  { "away_seconds", fields.is_number, "a number of seconds", 1800 },
  { "consent", fields.is_any_text, "a text", "" },
  { "contact", fields.is_any_text, "a text", "" },
}

local known = lists.concat(own, blocks.fields)

--- Columns that `crux study export` and `crux aggregate` make.
local taken = lists.concat(export.columns(true, true), export.of_players, { "difficulty", "scaled", "rated", "attempts" })

--- Raises a fault if a label is of no question.
local function check_labels(self, spec, path)
  local items = lists.copy(self.items)
  for _, block in ipairs(self.blocks) do
    items = lists.concat(items, block.planned.ask_after)
    for _, page in ipairs(block.pages) do items = lists.concat(items, page.items) end
  end
  local names = lists.field(items)
  for name in pairs(spec.labels) do
    if not lists.contains(names, name) then fault.unknown(path .. ": field 'labels'", "question", name, names) end
  end
end

local function check_conditions(self, spec, path)
  for name, list in pairs(spec.conditions or {}) do
    for _, block in ipairs(list) do
      if not self.by_name[block] then
        fault.unknown(("%s: condition '%s'"):format(path, name), "block", block, lists.field(self.blocks))
      end
    end
    if #lists.union({}, list) ~= #list or #list == 0 then
      fault.at(("%s: condition '%s'"):format(path, name), "no block, or one twice", "different blocks")
    end
  end
end

--- What the database keeps of a study.
---@return StudyVersion
local function described(self, spec, source)
  local list, per_player = lists.map(self.items, function(item)
    return questions.described("before", item.name, item.label, item.hint, "", item.right and item.right.hint)
  end), 0
  for _, block in ipairs(self.blocks) do
    list = lists.concat(list, blocks.described(block, spec.ends))
    per_player = block.is_limited and per_player and per_player + block.per_player or nil
  end
  return { source = source, scale = ("%d..%d"):format(table.unpack(spec.scale)), per_player = per_player,
    consent = spec.consent, questions = json.encode(list) }
end

--- Makes a study of checked fields.
---@param path string     begins messages
---@param source string?  its script; that of the game unless given
---@param placed fun(name: string): string   the path of a file that the script names
local function make(spec, path, source, placed)
  local self = { title = spec.title, blocks = {}, by_name = {}, block_order = spec.block_order, conditions = spec.conditions,
    ends = spec.ends, consent = spec.consent, contact = spec.contact, away_seconds = spec.away_seconds,
    public_players = spec.public_players, identifiers = spec.identifiers, completion = spec.completion,
    study_seconds = spec.study_seconds, link_days = spec.link_days, is_preview = spec.is_preview }
  local where = path .. ": field 'ask'"
  self.items = questions.read(spec.ask, where, spec.labels, taken)
  for _, item in ipairs(self.items) do
    if item.right and item.wrong == "again" then
      fault.at(where, ("'again' for question '%s'"):format(item.name), "'end' or 'note'; pages can be shown again")
    end
  end
  local context = { placed = placed, labels = spec.labels, taken = lists.concat(taken, lists.field(self.items)) }
  for i, given in ipairs(spec.blocks or { spec }) do
    local at = spec.blocks and ("%s: block %d"):format(path, i) or path
    local block = blocks.make(spec.blocks and blocks.checked(given, spec, at) or given, at, spec, context)
    if self.by_name[block.name] then fault.at(at, ("the name '%s' again"):format(block.name), "another name") end
    self.blocks[i], self.by_name[block.name] = block, block
  end
  check_labels(self, spec, path)
  check_conditions(self, spec, path)
  self.title = self.title or (self.blocks[1].game or {}).name or path
  self.described = described(self, spec, source or self.blocks[1].game.path)
  return self
end

--- The study of a script. Its paths are seen from its folder.
---@param is_preview boolean?
function study.load(path, is_preview)
  local spec, source = script.load("study", path)
  spec.name = nil
  if spec.blocks then blocks.refuse_own(spec, path) end
  spec = fields.checked(spec, known, path)
  spec.is_preview = is_preview
  local folder = path:match "^.*/" or ""
  return make(spec, path, source, function(name) return name:find "^/" and name or folder .. name end)
end

--- The blocks with levels.
---@return StudyBlock[]
function study.playable(self)
  return lists.select(self.blocks, function(block) return block.game ~= nil end)
end

--- The study of a command line: a script; or a game, if there are levels, with the defaults of a script.
---@param is_preview boolean?
function study.open(name, inputs, is_preview)
  if not inputs[1] and not games.has_levels(name) then return study.load(name, is_preview) end
  local spec = fields.checked({ game = name, levels = inputs }, known, "crux serve")
  spec.is_preview = is_preview
  return make(spec, "crux serve", nil, function(path) return path end)
end

return study
