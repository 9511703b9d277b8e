--- Messages of the view Level: files and their levels, what a rule says of a level, its solution, and saving it.
local appraisal = require "crux.workbench.appraisal"
local board = require "crux.workbench.board"
local fault = require "crux.base.fault"
local generator = require "crux.game.generator"
local level_file = require "crux.workbench.level_file"
local lists = require "crux.base.lists"
local pictures = require "crux.workbench.pictures"
local played = require "crux.play.board"
local tasks = require "crux.task.shared.call"
local validation = require "crux.game.validation"

local kinds = {}

--- Changes of a level at random for what its game requires of it.
local CHANGES <const> = 2000

--- What there is: { named, games, rules, files, tables }. `named` is what the user asked for; a game has the rule of its name
--- unless another is named. games and rules: { name, doc }.
function kinds.desk(engine)
  local named = lists.merge(engine.files.named)
  local function rows(task, key)
    return lists.map(tasks.task(task, {}).tables[1].rows, function(row) return { name = row[key], doc = row.doc } end)
  end
  local answer = { games = rows("games", "game"), rules = rows("rules", "rule"), files = engine.files.list(), named = named,
    tables = engine.files.tables and engine.files.tables() or {} }
  if not named.rule and lists.contains(lists.field(answer.rules), named.game) then named.rule = named.game end
  return answer
end

--- The levels of a file: { path, version, levels = { { name, text, first } } }; see FileLevel. With `strict` a fault
--- if the game reads none.
function kinds.file(engine, message)
  local text, version = engine.files.read(message.path)
  local game = engine:game(message)
  local list, entries = level_file.levels(game, text, message.path)
  local function reads(entry) return (fault.catch(game.level, game, entry)) end
  if message.strict and #lists.select(entries, reads) == 0 then fault.at(message.path, "no level", "levels of the game") end
  return { path = message.path, version = version, levels = list }
end

--- The answer about the text of a level, by a rule: { picture, squares, columns, rows, board, palette, pens, empty, measures,
--- rating, low, high, parts, missing, scale, falls, solution, is_of_measure, comment }. `board` are the Squares of the text,
--- nil if these are not those of the picture; `empty` is the tile of a square that holds nothing, `words` say what tiles stand
--- for, `comment` begins a comment. With `is_of_measure` the solution is of a measure's own search; that of the game, which may
--- take longer, is asked for by the kind `solution`.
function kinds.level(engine, message)
  local game, rule = engine:game(message), engine:rule(message)
  local level, entry = engine:level(message)
  local answer = pictures.of(game, game:painting(level))
  answer.board = board.of(game, message.text, entry, answer.columns, answer.rows)
  answer.rows = answer.board and #answer.board.rows or answer.rows
  if answer.board then
    answer.palette = board.palette(game, answer.board)
    answer.pens = lists.map(game.pens or {}, function(pen) return { sign = pen[1], doc = pen.doc, at_once = pen.at_once } end)
    answer.empty, answer.words = board.empty(game, answer.palette), played.words(game)
  end
  local found = engine:appraisal(message, level, appraisal.limits(message), true)
  answer.measures = lists.map(lists.keys(found.row), function(name)
    return { name = name, value = found.row[name], doc = game.measures[name].doc }
  end)
  for _, name in ipairs { "rating", "low", "high", "parts", "missing" } do answer[name] = found[name] end
  answer.scale, answer.falls = rule and rule.scale, rule and rule.falls
  answer.solution, answer.is_of_measure = found.facts, found.is_of_measure
  answer.comment = game.files.comment
  return answer
end

--- The solution of a level by the game's search: { solution }.
function kinds.solution(engine, message)
  local level = engine:level(message)
  return { solution = validation.facts(engine:game(message).path, engine:solution(message, level)) }
end

--- The text of a level with what a pen of the game draws there, and with its comments: { text }.
---@param message { text: string, pen: string, x: number?, y: number? }   the centre of the first square is at 1, 1
function kinds.draw(engine, message)
  local game, level, entry = engine:game(message), engine:level(message)
  for _, pen in ipairs(game.pens or {}) do
    if pen[1] == message.pen then
      fault.guard(game.path, pen[2], level, message.x or 1, message.y or 1)
      return { text = board.commented(message.text, entry, game:text(level)) }
    end
  end
  fault.at("message: field 'pen'", fault.show(message.pen), "the sign of a pen of " .. game.name)
end

--- A level that the game's generator makes, to begin with: { text }.
function kinds.fresh(engine, message)
  local game = engine:game(message)
  local make = generator.levels({ game = game.path, options = generator.options(game, {}), seed = 1, changes = CHANGES,
    measures = {}, limits = appraisal.limits(message) }, game)
  local made = make({ { name = game.name, stream = 1 } })[1]
  return { text = made.level and game:text(made.level) }
end

--- Writes a level into its file, or a new level behind the others or into a new file: { write }.
---@param message { path: string, version: string?, place: integer?, text: string }   without a version: a new file
function kinds.save(engine, message)
  local game = engine:game(message)
  engine:level(message) -- refuses a text that is no level
  local file, version = "", nil
  if message.version then
    file, version = engine.files.read(message.path)
    if version ~= message.version then
      fault.at(message.path, "a file that changed meanwhile", "it as it was; load it again")
    end
  end
  local text = level_file.replaced(game, file, message.path, message.place, message.text)
  return { write = { path = message.path, text = text, version = version } }
end

return kinds
