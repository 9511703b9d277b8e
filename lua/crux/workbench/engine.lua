--- The engine of the workbench: a message in, an answer out. It knows no HTTP, no terminal and no page.
---
---     local engine = require "crux.workbench.engine".new(files)
---     local answer = engine:answer { kind = "level", game = "move", rule = "move", text = "aA . .\n" }
---
--- Messages and answers are plain tables: strings, numbers, booleans, lists, and tables by name. A message names its `kind`;
--- the functions of the kinds are in one file a view: crux.workbench.level, changes, set, formula. Each gets the engine and the
--- message, and returns the answer. What a user can mend is an answer, too: { fault = { message, file, line, column } }, where
--- the last three are missing if they are not known.
---
--- The engine keeps nothing but what it can read again: any engine answers any message. It writes no file: an answer may have
--- `write` = { path =, text =, version = } beside its other fields, `version` is nil for a new file. Its carrier (the server;
--- in a browser without one, a script of the page) then writes the file, and puts `version` into the answer, or `fault`.
local appraisal = require "crux.workbench.appraisal"
local budget = require "libcrux.budget"
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local games = require "crux.game.game"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"
local rules = require "crux.rule.rule"

local engine = {}

local KEPT <const> = 100 -- appraisals, which are forgotten all at once

---@class WorkbenchFiles   the files that an engine reads
---@field named { game: string?, rule: string?, data: string? }   what the user asked for at the start
---@field list fun(): string[]                       paths of level files
---@field sources_of_data string                     where ratings of players come from, in the words of a message
---@field tables nil|fun(): string[]                 paths of tables that may hold ratings of players
---@field read fun(path: string): string, string     the text of a file, and its version; raises a fault if there is none
---@field tell nil|fun(done: integer): boolean?     tells how far a long answer is, a count from 0 on; true if it is wanted soon

---@class Engine
---@field files WorkbenchFiles
---@field private appraisals table   the last ones by what was asked for, and the game and the rule that they are of
---@field private last_solution table?
---@field private loaded table<string, { value: any, stamps: string }>   games, rules and data by kind and path
local Engine = {}
Engine.__index = Engine

---@type table<string, fun(engine: Engine, message: table): table>
engine.kinds = lists.merge(require "crux.workbench.level", require "crux.workbench.changes",
  require "crux.workbench.suggestions", require "crux.workbench.playing", require "crux.workbench.set",
  require "crux.workbench.formula", (require "crux.workbench.script"))

---@param files WorkbenchFiles
---@return Engine
function engine.new(files) return setmetatable({ files = files, loaded = {}, appraisals = {} }, Engine) end

--- A text that changes when one of some files does.
local function stamps_of(paths)
  return table.concat(lists.map(paths, function(path) return file_system.stamp(path) or "" end), "\n")
end

--- A value that is made of files, kept until one of them changes.
---@param sources fun(value: any): string[]   the files
function Engine:kept(key, make, sources)
  local known = self.loaded[key]
  if known and known.stamps == stamps_of(sources(known.value)) then return known.value end
  self.loaded[key] = nil
  local value = make()
  self.loaded[key] = { value = value, stamps = stamps_of(sources(value)) }
  return value
end

local function sources_of(script) return script.sources end

--- The game of a message.
---@return Game
function Engine:game(message)
  local path = message.game or fault.raise "expected a game"
  return self:kept("game " .. path, function() return games.load(path) end, sources_of)
end

--- The rule of a message; nil if it names none.
---@return Rule?
function Engine:rule(message)
  local path = message.rule
  if not path then return nil end
  return self:kept("rule " .. path, function() return rules.load(path) end, sources_of)
end

--- The dataset of a message; nil if it names none.
---@return Dataset?
function Engine:data(message)
  local path = message.data
  if not path then return nil end
  return self:kept("data " .. path, function() return dataset.open(path) end, function() return { path } end)
end

--- The level of a message's text, and its entry.
---@return table
---@return LevelText
function Engine:level(message)
  local game = self:game(message)
  local entries = levels.of(message.text or "", "level", game.files)
  if #entries > 1 then fault.at("level:" .. entries[2].lines[1], "a second level", "one, without a blank line in it") end
  return game:level(entries[1]), entries[1]
end

--- Rates the level of a message by its rule. The engine keeps the last appraisals: several messages are about the same level,
--- and undo asks for an earlier text again.
---@param options SolveOptions
---@param is_brief boolean?   see crux.workbench.appraisal
---@return Appraisal
function Engine:appraisal(message, level, options, is_brief)
  local game, rule, known = self:game(message), self:rule(message), self.appraisals
  if known.game ~= game or known.rule ~= rule or known.count == KEPT then
    known = { game = game, rule = rule, count = 0 }
    self.appraisals = known
  end
  local key = ("%s %s\n%s"):format(options.seconds, is_brief, message.text)
  if not known[key] then
    known[key], known.count = appraisal.of(game, rule, level, options, is_brief), known.count + 1
  end
  return known[key]
end

--- The solution of a message's level, with the states on its way; the last one is kept.
---@return Solution
function Engine:solution(message, level)
  local game, last = self:game(message), self.last_solution
  if not last or last.game ~= game or last.text ~= message.text then
    local options = lists.merge(appraisal.limits(message), { way = true })
    self.last_solution = { game = game, text = message.text, solution = game:solution(level, options) }
  end
  return self.last_solution.solution
end

--- Tells how far a long answer is. True if it is wanted soon, with what there is.
---@param done integer
function Engine:tell(done) return self.files.tell and self.files.tell(done) end

--- A fault as a part of an answer.
local function told(message)
  local file, line, rest = message:match "^([^:]+):(%d+): (.*)$"
  local column = (rest or ""):match "^column (%d+)"
  return { message = message, file = file, line = math.tointeger(tonumber(line)), column = math.tointeger(tonumber(column)) }
end

--- The types of the fields that messages of several kinds have.
local types = { game = "string", rule = "string", data = "string", path = "string", text = "string", version = "string",
  pen = "string", x = "number", y = "number", place = "integer", columns = "integer", rows = "integer", seconds = "number",
  rating = "number", seed = "integer", first = "integer", squares = "table", wanted = "table", versions = "table",
  levels = "table", variant = "table", variants = "table" }

--- Those that a message of a kind must have.
local needed = { file = { "path" }, draw = { "pen" }, save = { "path", "text" }, changes = { "columns", "rows" },
  suggestions = { "rating" }, script = { "path" }, save_script = { "path", "text" }, choose = { "wanted" },
  make = { "wanted" },
  arrange = { "path", "versions", "levels" }, fit = { "variant" }, ratings = { "variant" }, compare = { "variants" },
  rule = { "variant", "path" } }

local function check(message)
  for name, expected in pairs(types) do
    local value = message[name]
    local is_right = type(value) == expected or math.type(value) == expected
    if not is_right and (value ~= nil or lists.contains(needed[message.kind] or {}, name)) then
      fault.at(("message: field '%s'"):format(name), fault.show(value), "the type " .. expected)
    end
  end
end

--- Answers a message. Raises what is a mistake of crux, and a stop after which no script runs again.
---@param message table
---@return table
function Engine:answer(message)
  local answer = engine.kinds[message.kind]
  if not answer then return { fault = told(("found the kind of message %s"):format(fault.show(message.kind))) } end
  local ok, result = pcall(function()
    check(message)
    return answer(self, message)
  end)
  if ok then return result end
  local stopped = budget.stopped()
  if stopped and not budget.forget() or not stopped and not fault.is(result) then error(result, 0) end
  -- A script may have been stopped between two changes of its tables.
  self.loaded, self.appraisals, self.last_solution = {}, {}, nil
  return { fault = told(stopped or result.message) }
end

return engine
