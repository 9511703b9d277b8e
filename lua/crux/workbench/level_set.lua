--- The set of the workbench: the levels of its files in their order, what a rule says of each, their measures, and files of
--- them in another order.
local appraisal = require "crux.workbench.appraisal"
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local level_file = require "crux.workbench.level_file"
local level_writer = require "crux.game.level_writer"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"
local pictures = require "crux.workbench.pictures"
local symmetry = require "crux.order.symmetry"
local vector = require "libcrux.vector"

local level_set = {}

---@class SetLevel : FileLevel
---@field path string
---@field place integer      among the levels of the file
---@field entry LevelText
---@field known SetText    what its text gave

---@class SetText
---@field level table?
---@field problem string?
---@field rows table<string, number>
---@field key string|false?    false where it cannot be known
---@field appraised Appraisal?

--- The levels of a file, read once for each text; raises a fault if the game reads none of them.
local function read(game, path, list, entries, by_text)
  local found, problem, are_levels = {}, nil, false
  for i, level in ipairs(list) do
    local known = by_text[level.text]
    if not known then
      local ok, content = fault.catch(game.level, game, entries[i])
      known = { rows = {}, level = ok and content or nil, problem = not ok and content.message or nil }
      by_text[level.text] = known
    end
    problem, are_levels = problem or known.problem, are_levels or known.level ~= nil
    found[i] = lists.merge(level, { path = path, place = i, entry = entries[i], known = known })
  end
  if not are_levels then fault.raise(problem) end
  return found
end

--- The levels of the files of a message.
---@param message { game: string, rule: string?, paths: string[]? }   all files that the game reads unless `paths` names some
---@return SetLevel[]
---@return string[]                  messages about files without levels of the game
---@return table<string, { text: string, version: string }>   the files
function level_set.of(engine, message)
  local game, rule = engine:game(message), engine:rule(message)
  local by_text = engine:kept("set " .. table.concat({ message.game, message.rule }, " "), function() return {} end, function()
    return lists.concat(game.sources, rule and rule.sources or {})
  end)
  local found, problems, files = {}, {}, {}
  for _, path in ipairs(message.paths or engine.files.list()) do
    local ok, result = fault.catch(function()
      local text, version = engine.files.read(path)
      local list, entries = level_file.levels(game, text, path)
      files[path] = { text = text, version = version }
      return read(game, path, list, entries, by_text)
    end)
    if ok then table.move(result, 1, #result, #found + 1, found) else table.insert(problems, result.message) end
  end
  return found, problems, files
end

local function key_of(game, level)
  return symmetry.key(game, game.format and game:text(level.known.level) or level.entry.text)
end

--- The key that a level of the set and its twins have; nil if its text or its game has a mistake.
---@return string?
function level_set.key(engine, message, level)
  local game, known = engine:game(message), level.known
  if known.level and known.key == nil then
    local ok, key = fault.catch(key_of, game, level)
    known.key = ok and key
  end
  return known.key or nil
end

--- What a rule says of a level of the set, its picture, and the `key` that it shares with its twins; or a `problem`.
---@return Appraisal
function level_set.appraised(engine, message, level)
  local game, known = engine:game(message), level.known
  if known.appraised or known.problem then return known.appraised or known end
  local ok, found = fault.catch(function()
    local key = known.key or key_of(game, level)
    local picture = pictures.of(game, game:painting(known.level)).picture
    return lists.merge(appraisal.of(game, engine:rule(message), known.level, appraisal.limits(message), true), { key = key,
      picture = picture })
  end)
  known.appraised = ok and found or { problem = levels.at(level.entry, found.message) }
  return known.appraised
end

--- The measures of a level of the set.
---@param names string[]
---@return table<string, number>
local function row_of(engine, message, level, names)
  local game, row = engine:game(message), level.known.rows
  if level.known.problem then fault.raise(level.known.problem) end
  local missing = lists.select(names, function(name) return row[name] == nil end)
  if #missing == 0 then return row end
  local found = game:measure(level.known.level, game:choose(missing), appraisal.limits(message))
  for _, name in ipairs(missing) do row[name] = found[name] or 0 / 0 end
  return row
end

--- A dataset of levels of the set.
---@param list SetLevel[]
---@param measures string[]
---@param more table<string, userdata>?   further columns
---@return Dataset
function level_set.dataset(engine, message, list, measures, more)
  local columns, rows = lists.merge(more), {}
  for i, level in ipairs(list) do
    engine:tell(i)
    rows[i] = row_of(engine, message, level, measures)
  end
  for _, name in ipairs(measures) do columns[name] = vector.of(lists.field(rows, name)) end
  local names = lists.concat({ "level" }, lists.keys(columns))
  return dataset.of_vectors("the set", names, columns, #list, lists.field(list, "name"))
end

--- The text of a level below its name, unless its comments name it.
local function with_name(game, level)
  local own = levels.of(level.text, "", game.files)[1].name
  return own == "" and level_writer.with_name(level, game.files) or level.text
end

--- The text of a file of levels in an order. Levels of the file itself keep what is between them, byte for byte; others get
--- their names and a blank line in front.
---@param game Game
---@param file string?   the text of the file that is replaced
---@param path string    of the file
---@param wanted { path: string?, name: string, text: string }[]
---@return string
function level_set.arranged(game, file, path, wanted)
  local own, parts = file and level_file.levels(game, file, path) or {}, {}
  for i, level in ipairs(wanted) do
    local between = own[i] and own[i + 1] and file:sub(own[i].to + 1, own[i + 1].from - 1) or "\n"
    local text = level.path == path and level.text or with_name(game, level)
    parts[i] = text .. (text:find "\n$" and "" or "\n") .. (wanted[i + 1] and between or "")
  end
  if #own == 0 then return table.concat(parts) end
  return file:sub(1, own[1].from - 1) .. table.concat(parts) .. file:sub(own[#own].to + 1)
end

return level_set
