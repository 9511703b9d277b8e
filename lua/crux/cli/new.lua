--- crux new: writes a game, rule or study script that works without changes, and a test of a game or rule.
local tables = require "crux.out.tables"
local sinks = require "crux.out.sinks"
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local generator = require "crux.game.generator"
local lists = require "crux.base.lists"
local home = require "libcrux.home"
local json = require "crux.base.json"
local number = require "crux.base.number"
local play = require "crux.play.play"
local random = require "libcrux.random"
local vocabulary = require "crux.symbolic.vocabulary"
local file_system = require "libcrux.files"

local function template(name)
  local file <close> = assert(io.open(("%s/templates/%s"):format(home, name), "rb"))
  return file:read "a"
end

--- A text with words in it replaced.
local function filled(text, words)
  return (text:gsub("%f[%w_]%u+%f[^%w_]", words))
end

---@class NewFile
---@field [1] string    its purpose, and a command line to try
---@field [2] string    text

--- The kinds of games with a template, by the function that declares them; the first is the default.
local kinds = { "grid", "slide", "deduce", "path_cover", "exact_cover" }

---@return NewFile[]   in the order of `endings`
local function game_files(name, kind)
  local words = { NAME = name }
  local function of(ending) return template(("games/%s.%s"):format(kind, ending)) end
  return {
    { "the game: crux play NAME.lua NAME.txt", filled(of "lua", words) },
    { "some levels", of "txt" },
    { "what they measure: crux measure NAME.lua NAME.txt", of "csv" },
    { "checks all of it: sh NAME-test.sh", filled(template "game-test.sh", words) },
  }
end

--- The template's lines; those about a measure once for each measure.
---@param weights table<string, number>   by measure
local function for_each_measure(text, measures, weights)
  local lines = {}
  for line in text:gmatch "[^\n]*\n" do
    local is_about_one = line:find "%f[%w_]MEASURE%f[^%w_]"
    for _, measure in ipairs(is_about_one and measures or { {} }) do
      local words = { MEASURE = measure.name, DOC = measure.doc, WEIGHT = number.exact(weights[measure.name] or 0) }
      table.insert(lines, (filled(line, words)))
    end
  end
  return table.concat(lines)
end

--- The limits on changes to make a level for the ratings, and on the states of the search for its solution.
local CHANGES <const>, STATES <const> = 2000, 100000

--- Measures of levels that the game's generator makes; without a generator, random numbers.
---@return table<string, number>[]
local function measured_levels(game, measures)
  local rows, count, rng = {}, #measures + 3, random.new(1)
  if game.generate and game.vary then
    local production = { game = game.path, options = generator.options(game, {}), seed = 1, changes = CHANGES,
      measures = lists.field(measures), limits = { states = STATES } }
    local make = generator.new(production, game)
    for task in generator.tasks(game, 1, count) do
      local row, is_complete = make { task }[1].row, true
      for _, measure in ipairs(measures) do is_complete = is_complete and row and row[measure.name] end
      if is_complete then table.insert(rows, row) end
    end
  end
  while #rows < count do
    local row = {}
    for _, measure in ipairs(measures) do row[measure.name] = rng:integer(0, 9) end
    table.insert(rows, row)
  end
  return rows
end

--- Weights that rate the rows on a scale from 1 to 10 and give each measure the same share of it, from its least value in the
--- rows to its greatest; and the rating of a level whose measures are all 0.
---@return table<string, number>, number
local function weights_of(rows, measures)
  local weights, least = {}, 1
  for _, measure in ipairs(measures) do
    local low, high = math.huge, -math.huge
    for _, row in ipairs(rows) do low, high = math.min(low, row[measure.name]), math.max(high, row[measure.name]) end
    local weight = high > low and tonumber(("%.2g"):format(9 / #measures / (high - low))) or 0
    weights[measure.name], least = weight, least - weight * low
  end
  return weights, tonumber(("%.2f"):format(least))
end

--- CSV of measures and made-up ratings of levels, and of the ratings by the template's formula.
local function ratings(rows, measures, weights, least)
  local names = lists.field(measures)
  local data, rated = { "level," .. table.concat(names, ",") .. ",difficulty" }, { "level,rating" }
  local rng = random.new(2)
  for i, row in ipairs(rows) do
    local cells, rating = { i }, least
    for k, name in ipairs(names) do cells[k + 1], rating = number.exact(row[name]), rating + weights[name] * row[name] end
    data[i + 1] = ("%s,%.1f"):format(table.concat(cells, ","), math.max(1, math.min(10, rating + rng:real() - 0.5)))
    rated[i + 1] = ("%d,%s"):format(i, number.exact(rating))
  end
  return table.concat(data, "\n") .. "\n", table.concat(rated, "\n") .. "\n"
end

---@return NewFile[]
local function rule_files(name, owner)
  local game = games.load(owner)
  local measures = game:choose()
  local names = lists.field(measures)
  if #measures == 0 then fault.at(game.path, "no measure", "some, for a rule") end
  local rows = measured_levels(game, measures)
  local weights, least = weights_of(rows, measures)
  local words = { NAME = name, GAME = owner, MEASURES = table.concat(names, " + ", 1, math.min(2, #names)),
    LEAST = number.exact(least), CONSTANT = "least" }
  while lists.contains(names, words.CONSTANT) do words.CONSTANT = words.CONSTANT .. "_rating" end -- params are named apart
  local data, rated = ratings(rows, measures, weights, least)
  return {
    { "the rule: crux rate NAME.lua NAME-ratings.csv",
      filled(for_each_measure(template "rule.lua", measures, weights), words) },
    { (game.vary and "levels, and made-up ratings" or "made-up measures and ratings") .. ": crux fit NAME.lua NAME-ratings.csv",
      data },
    { "how it rates them", rated },
    { "checks all of it: sh NAME-test.sh", filled(template "rule-test.sh", words) },
  }
end

--- The texts of some levels that a game makes and that are not solved at their start.
local function made_levels(game, count)
  if not game.generate then fault.at(game.path, "no generator", "one, which makes the levels") end
  local production = { game = game.path, options = generator.options(game, {}), seed = 1, changes = CHANGES, measures = {},
    limits = { states = STATES } }
  local make, texts, rules = generator.new(production, game), {}, play.rules(game)
  vocabulary.enable()
  for task in generator.tasks(game, 1, 10 * count) do
    local product = make { task }[1]
    local level = product.text and game:only_level(product.text)
    if level and not rules.done(rules.start(level), level) then
      table.insert(texts, ("%s %s\n%s"):format(game.files.comment, product.name, product.text))
    end
    if #texts == count then return texts end
  end
  fault.at(game.path, number.count(#texts, "level"), ("%d that are not solved at their start"):format(count))
end

---@return NewFile[]
local function study_files(name, owner)
  local texts = made_levels(games.load(owner), 10)
  return {
    { "the study: crux serve NAME.lua", filled(template "study.lua", { NAME = name, GAME = owner }) },
    { "its levels, made at random", table.concat(texts, "\n", 3) },
    { "levels to learn the game with, made at random, too", table.concat(texts, "\n", 1, 2) },
  }
end

--- The file of settings for editors with a Lua language server.
local settings = ".luarc.json"

local function editor_settings()
  return json.encode(json.object {
    { "runtime.version", "Lua 5.4" }, { "diagnostics.globals", { "crux" } },
    { "workspace.library", { home .. "/types" } }, { "workspace.checkThirdParty", false },
  }) .. "\n"
end

--- The endings of the files' names, by kind.
local endings = {
  game = { ".lua", ".txt", "-expected.csv", "-test.sh" },
  rule = { ".lua", "-ratings.csv", "-expected.csv", "-test.sh" },
  study = { ".lua", "-levels.txt", "-tutorial.txt" },
}

--- Opens the files. Returns whether the file of settings is among them.
local function prepare(args)
  local name = args.name
  if not name:find "^%a[%w_-]*$" then
    fault.raise(("found the name '%s', expected a letter, then letters, digits, _ and -"):format(name), 2)
  end
  if args.what == "game" and args.game then fault.raise("--game is for new rules and studies", 2) end
  if args.what ~= "game" and args.kind then fault.raise("--kind is for new games", 2) end
  for _, ending in ipairs(endings[args.what]) do
    local path = name .. ending
    if file_system.is_regular(path) ~= nil then fault.raise(("found the file %s, expected none of that name"):format(path)) end
  end
  for _, ending in ipairs(endings[args.what]) do sinks.reserve(name .. ending) end
  local is_new = file_system.is_regular(settings) == nil
  if is_new then sinks.reserve(settings) end
  sinks.reserve()
  sinks.join()
  return is_new
end

local function run(args)
  local name = args.name
  local files = args.what == "game" and game_files(name, args.kind or kinds[1])
    or args.what == "rule" and rule_files(name, args.game or "flow") or study_files(name, args.game or "move")
  local rows = {}
  for i, ending in ipairs(endings[args.what]) do
    sinks.save(name .. ending, files[i][2])
    rows[i] = { file = name .. ending, what = filled(files[i][1], { NAME = name }) }
  end
  if args.prepared then
    sinks.save(settings, editor_settings())
    table.insert(rows, { file = settings, what = "tells editors what scripts see" })
  end
  tables.save(nil, "table", { { key = "file" }, { key = "what" } }, rows)
end

return {
  summary = "Begin a game, rule or study.",
  details = "Writes a script that works without changes, with comments on everything that one changes, and files to try it; "
    .. "'sh NAME-test.sh' checks a game or rule. Existing files are not changed.",
  arguments = {
    { name = "what", doc = "game, rule or study.", choices = { "game", "rule", "study" } },
    { name = "name", doc = "Its name: a letter, then letters, digits, _ and -." },
  },
  options = {
    { flags = "--kind", value = "KIND", choices = kinds,
      doc = ("Its family, one of %s: things that move on a grid, unless given; or those of crux.kits.KIND."):format(
        table.concat(kinds, ", ")) },
    { flags = "--game", value = "GAME",
      doc = "The game of a new rule or study, a script or one of crux's own; flow or move unless given." },
  },
  prepare = prepare,
  examples = { "crux new game ice", "crux new game pipes --kind path_cover", "crux new rule my-flow --game flow",
    "crux new study my-study --game move" },
  run = run,
}
