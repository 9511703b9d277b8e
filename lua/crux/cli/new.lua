--- crux new: writes a game or rule script that works without changes, and a test of it.
local tables = require "crux.out.tables"
local sinks = require "crux.out.sinks"
local fault = require "crux.base.fault"
local games = require "crux.game.game"
local home = require "libcrux.home"
local json = require "crux.base.json"
local number = require "crux.base.number"
local random = require "libcrux.random"
local file_system = require "libcrux.files"

--- A file of lua/crux/templates/.
local function template(name)
  local file <close> = assert(io.open(("%s/lua/crux/templates/%s"):format(home, name), "rb"))
  return file:read "a"
end

--- A text with words in it replaced.
local function filled(text, words)
  return (text:gsub("%f[%w_]%u+%f[^%w_]", words))
end

---@class NewFile
---@field [1] string    its purpose, and a command line to try
---@field [2] string    text

--- The kinds of games that there are templates of, by the function that declares them; the first is that of most games.
local kinds = { "grid", "path_cover", "exact_cover", "slide" }

---@param kind string
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
local function for_each_measure(text, measures)
  local lines = {}
  for line in text:gmatch "[^\n]*\n" do
    local is_about_one = line:find "%f[%w_]MEASURE%f[^%w_]"
    for _, measure in ipairs(is_about_one and measures or { {} }) do
      table.insert(lines, (filled(line, { MEASURE = measure.name, DOC = measure.doc })))
    end
  end
  return table.concat(lines)
end

--- CSV of made-up measures and ratings of levels, and of the ratings by the template's formula.
local function ratings(measures)
  local names = { "level" }
  for i, measure in ipairs(measures) do names[i + 1] = measure.name end
  local data, rated, rng = { table.concat(names, ",") .. ",difficulty" }, { "level,rating" }, random.new(1)
  for row = 1, #measures + 3 do
    local cells, rating = { row }, 1
    for i = 1, #measures do
      cells[i + 1] = rng:integer(0, 9)
      rating = rating + 0.125 * cells[i + 1]
    end
    data[row + 1] = ("%s,%.1f"):format(table.concat(cells, ","), math.max(1, math.min(10, rating + rng:real() - 0.5)))
    rated[row + 1] = ("%d,%s"):format(row, number.exact(rating))
  end
  return table.concat(data, "\n") .. "\n", table.concat(rated, "\n") .. "\n"
end

---@return NewFile[]
local function rule_files(name, owner)
  local game = games.load(owner)
  local measures, names = game:choose(), {}
  for i, measure in ipairs(measures) do names[i] = measure.name end
  if #measures == 0 then fault.at(game.path, "no measure", "some, for a rule") end
  local words = { NAME = name, GAME = owner, MEASURES = table.concat(names, " + ", 1, math.min(2, #names)) }
  local data, rated = ratings(measures)
  return {
    { "the rule: crux rate NAME.lua NAME-ratings.csv", filled(for_each_measure(template "rule.lua", measures), words) },
    { "made-up levels and ratings: crux fit NAME.lua NAME-ratings.csv", data },
    { "how it rates them", rated },
    { "checks all of it: sh NAME-test.sh", filled(template "rule-test.sh", words) },
  }
end

--- The file of settings for editors with a Lua language server.
local settings = ".luarc.json"

local function editor_settings()
  return json.encode(json.object {
    { "runtime.version", "Lua 5.4" }, { "diagnostics.globals", { "crux" } },
    { "workspace.library", { home .. "/lua/crux/types" } }, { "workspace.checkThirdParty", false },
  }) .. "\n"
end

--- The endings of the files' names, by kind.
local endings = {
  game = { ".lua", ".txt", "-expected.csv", "-test.sh" },
  rule = { ".lua", "-ratings.csv", "-expected.csv", "-test.sh" },
}

--- Opens the files. Returns whether the file of settings is among them.
---@return boolean
local function prepare(args)
  local name = args.name
  if not name:find "^%a[%w_-]*$" then
    fault.raise(("found the name '%s', expected a letter, then letters, digits, _ and -"):format(name), 2)
  end
  if args.what == "game" and args.game then fault.raise("--game is for new rules", 2) end
  if args.what == "rule" and args.kind then fault.raise("--kind is for new games", 2) end
  for _, ending in ipairs(endings[args.what]) do
    local path = name .. ending
    if file_system.is_regular(path) ~= nil then fault.raise(("found the file %s, expected none of that name"):format(path)) end
  end
  for _, ending in ipairs(endings[args.what]) do sinks.reserve(name .. ending) end
  local is_new = file_system.is_regular(settings) == nil
  if is_new then sinks.reserve(settings) end
  sinks.reserve()
  return is_new
end

local function run(args)
  local name = args.name
  local files = args.what == "game" and game_files(name, args.kind or kinds[1]) or rule_files(name, args.game or "flow")
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
  details = "Writes a script that works without changes, with comments on everything that one changes, and files to try it; "
    .. "'sh NAME-test.sh' checks it. Existing files are not changed.",
  arguments = {
    { name = "what", doc = "game or rule.", choices = { "game", "rule" } },
    { name = "name", doc = "Its name: a letter, then letters, digits, _ and -." },
  },
  options = {
    { flags = "--kind", value = "KIND", choices = kinds,
      doc = ("Its family, one of %s: things that move on a grid, unless given; or those of crux.kits.KIND."):format(
        table.concat(kinds, ", ")) },
    { flags = "--game", value = "GAME", doc = "The game of a new rule, a script or one of crux's own; flow unless given." },
  },
  prepare = prepare,
  examples = { "crux new game ice", "crux new game pipes --kind path_cover", "crux new rule my-flow --game flow" },
  run = run,
}
