--- The functions that C functions of crux.h call.
local sinks = require "crux.out.sinks"
local call = require "crux.task.shared.call"
local chooser = require "crux.play.chooser"
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local generator = require "crux.game.generator"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local range = require "crux.base.range"
local rules = require "crux.rule.rule"
local pool = require "crux.order.pool"
local process = require "libcrux.process"
local validation = require "crux.game.validation"
local vector = require "libcrux.vector"

local embed = { load = rules.load, from_formula = rules.from_formula, load_game = games.load, next_level = chooser.next }

local function to_dataset(columns)
  return dataset.of_vectors("table", columns.columns, columns.vectors, columns.rows)
end

--- The ratings of a table { rows, columns, vectors }, as a vector.
function embed.rate(rule, columns) return rule:rate(rule:blocks(to_dataset(columns))()) end

--- Fits a rule to a table: returns the rule with coefficients, and the Fitted.
function embed.fit(rule, columns)
  rule:fitting_formula()
  return rule:fit_to(to_dataset(columns))
end

--- The known terms of a rule: { term, estimate, std_error, t, p }.
function embed.terms(rule)
  local known, rows = {}, {}
  for _, row in ipairs(rule.estimates and rule.estimates.terms or {}) do known[row.term] = row end
  for i, term in ipairs(rule.formula and rule.formula.terms or {}) do
    rows[i] = known[term.name] or { term = term.name, estimate = rule.coefficients and rule.coefficients[term.name] }
  end
  return rows
end

function embed.save(rule, path)
  local remark = rule.estimates and ("Fitted by crux %s to %s."):format(process.version, number.count(rule.estimates.n, "row"))
    or ("Written by crux %s."):format(process.version)
  sinks.save(path, rule:script(remark))
end

--- The declarations of all tasks by name, as JSON.
function embed.tasks()
  return json.encode(json.object(lists.map(call.names, function(name) return { name, call.declaration(call.load(name)) } end)))
end

--- Calls a task with texts by name; a name that is given several times has a list. A rule that it makes is saved as `output`.
---@param watch nil|fun(done: integer, total: integer?, noun: string): boolean   of call.task
---@return string   JSON: result, tables, notes, remarks
function embed.call(name, names, texts, watch)
  local values = {}
  for i, key in ipairs(names) do
    local known = values[key]
    values[key] = known == nil and texts[i] or lists.concat(type(known) == "table" and known or { known }, { texts[i] })
  end
  local report = call.task(name, values, { watch = watch })
  if report.script then sinks.save(values.output, report.script) end
  local shown = lists.map(report.tables or { report.data }, function(part)
    return json.object { { "title", part.title }, { "rows", json.objects(part.columns, part.rows) } }
  end)
  return json.encode(json.object { { "result", report.json or shown[1][2][2] }, { "tables", shown },
    { "notes", report.notes or {} }, { "remarks", report.remarks } })
end

---@class EmbeddedLevel
---@field game Game             solves this level once, and again only to count its solutions
---@field content table         the result of parse
---@field limits SolveOptions
---@field text string?          when crux_level_text was called
---@field facts table?          of the solution, when crux_level_solve was called

---@return EmbeddedLevel
local function level_of(game, content, limits)
  local found, once = {}, setmetatable({}, { __index = game })
  function once.solution(_, _, options)
    local counts = options.count or false
    found[counts] = found[counts] or found[true] or game:solution(content, lists.merge(options, { way = true }))
    return found[counts]
  end
  return { game = once, content = content, limits = limits }
end

--- The level of a text.
function embed.level(game, text, limits) return level_of(game, game:only_level(text), limits) end

--- The options of an order, whole numbers as integers where the default is one.
local function options_of(game, given)
  local options = generator.options(game, given, "crux_generate")
  for _, option in ipairs(game.options) do
    local name, default = option[1], option[2]
    local is_whole = math.type(type(default) == "table" and default[1] or default) == "integer"
    if given[name] and is_whole then
      options[name] = math.tointeger(given[name])
        or fault.at(("crux_generate: option '%s'"):format(name), fault.show(given[name]), "an integer")
    end
  end
  return options
end

--- The values in the first row of a table by name, without missing ones.
local function first_row(columns)
  local row = {}
  for name, values in pairs(columns.vectors) do row[name] = values[1] == values[1] and values[1] or nil end
  return row
end

local function wishes_of(game, measures)
  local wishes = {}
  for name, value in pairs(measures) do
    if not game.measures[name] then
      fault.unknown(("crux_generate: game '%s'"):format(game.name), "measure", name, lists.field(game.measures))
    end
    wishes[name] = range.read(number.exact(value))
  end
  return wishes
end

--- Makes the level of that number, from 1, that `crux generate` makes from a seed.
---@param order { seed: integer, changes: integer, options: table, measures: table }   tables of one row
function embed.generate(game, order, place, limits)
  if place < 1 then fault.at("crux_generate: number", fault.show(place), "1 or more") end
  local wishes = wishes_of(game, first_row(order.measures))
  game:expect({ "generate", "format" }, "generate")
  local make = generator.new({ options = options_of(game, first_row(order.options)), seed = order.seed,
    changes = order.changes, measures = {}, limits = limits }, game)
  local product = make { { name = ("%s-%d-%d"):format(game.name, order.seed, place), stream = place - 1, wanted = wishes } }[1]
  if not product.text then fault.raise(("level '%s' was not made: %s"):format(product.name, product.reason)) end
  return embed.level(game, product.text, limits)
end

--- The most ratings of a pool, and the levels to try for what is missing.
local MOST_OF_POOL <const>, TRIES <const> = 10000, 50000

--- A pool of levels.
---@param curve { least: number, greatest: number, count: integer, seed: integer }
---@return LevelPool
function embed.pool(game, rule, curve, limits)
  if curve.count > MOST_OF_POOL then fault.at("crux_pool_new: count", fault.show(curve.count), "at most 10,000") end
  local ends = { least = curve.least, greatest = curve.greatest, tolerance = 0 }
  return pool.new(game, rule, { curve = { ends }, count = curve.count, seed = curve.seed, tries = TRIES,
    own = generator.options(game, {}), limits = limits })
end

function embed.fill(levels, seconds) return levels:fill(seconds) end

--- Takes a level out of a pool.
---@param levels LevelPool
function embed.take(levels, rating, seconds, limits)
  local found = levels:take(rating, seconds) or fault.raise "crux_pool_take: found no level, expected a pool that was filled"
  return embed.level(levels.game, found.text, limits)
end

--- The values of some measures of a level, NaN for none, and their names; of all measures that are not optional for nil.
---@param level EmbeddedLevel
---@param names string[]?
function embed.measure(level, names)
  local columns, values, chosen = {}, {}, level.game:choose(names)
  local row = level.game:measure(level.content, chosen, level.limits)
  for i, measure in ipairs(chosen) do columns[i], values[i] = measure.name, row[measure.name] or 0 / 0 end
  return vector.of(values), columns
end

--- The rating of a level, NaN if a measure is missing.
---@param level EmbeddedLevel
function embed.rate_level(level, rule)
  local values, columns = embed.measure(level, level.game:needed_by(rule))
  local row = {}
  for i, name in ipairs(columns) do row[name] = values[i] end
  return rule:rate_row(row, "level")
end

--- The facts about a level's solution: status, limit, length, text.
---@param level EmbeddedLevel
function embed.solve(level)
  level.facts = level.facts or validation.facts(level.game.path, level.game:solution(level.content, level.limits))
  return level.facts
end

--- The text of a level, as parse reads it.
---@param level EmbeddedLevel
function embed.text(level)
  if not level.game.format then fault.at(level.game.path, "no format", "a function game.format for crux_level_text") end
  level.text = level.text or level.game:text(level.content)
  return level.text
end

return embed
