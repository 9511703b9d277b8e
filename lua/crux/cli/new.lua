--- crux new: a game or rule script to begin with, which works as it stands, and a test of it.
local fault = require "crux.base.fault"
local game = require "crux.game.game"
local home = require "libcrux.home"
local json = require "crux.base.json"
local number = require "crux.base.number"
local output = require "crux.out.output"
local random = require "libcrux.random"
local system = require "libcrux.system"

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
---@field [1] string    what it is for, and what to try
---@field [2] string    text

--- What the levels of the game measure.
local expected_measures = "level,size,rocks,moves,distance\nFirst,16,3,3,6\nSecond,25,5,5,8\nThird,30,4,3,6\n"

---@return NewFile[]   in the order of `endings`
local function game_files(name)
  local words = { NAME = name }
  return {
    { "the game: crux play NAME.lua NAME.txt", filled(template "game.lua", words) },
    { "some levels", template "game.txt" },
    { "what they measure: crux measure NAME.lua NAME.txt", expected_measures },
    { "checks all of it: sh NAME-test.sh", filled(template "game-test.sh", words) },
  }
end

--- The template's lines, those about a measure once for each.
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

--- Made-up measures of levels, with a rating each, and what the template's formula makes of them.
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
  local self = game.load(owner)
  local measures, names = self:choose(), {}
  for i, measure in ipairs(measures) do names[i] = measure.name end
  if #measures == 0 then fault.at(self.path, "no measure", "some, for a rule") end
  local words = { NAME = name, GAME = owner, MEASURES = table.concat(names, " + ", 1, math.min(2, #names)) }
  local data, rated = ratings(measures)
  return {
    { "the rule: crux rate NAME.lua NAME-ratings.csv", filled(for_each_measure(template "rule.lua", measures), words) },
    { "made-up levels and ratings: crux fit NAME.lua NAME-ratings.csv", data },
    { "how it rates them", rated },
    { "checks all of it: sh NAME-test.sh", filled(template "rule-test.sh", words) },
  }
end

--- What editors with a Lua language server read.
local settings = ".luarc.json"

local function editor_settings()
  return json.encode(json.object {
    { "runtime.version", "Lua 5.4" }, { "diagnostics.globals", { "crux" } },
    { "workspace.library", { home .. "/lua/crux/types" } }, { "workspace.checkThirdParty", false },
  }) .. "\n"
end

--- What follows the name in those of the files, by kind.
local endings = {
  game = { ".lua", ".txt", "-expected.csv", "-test.sh" },
  rule = { ".lua", "-ratings.csv", "-expected.csv", "-test.sh" },
}

--- Opens the files; whether that with the settings is among them.
---@return boolean
local function prepare(args)
  local name = args.name
  if not name:find "^%a[%w_-]*$" then
    fault.raise(("found the name '%s', expected letters, digits, _ and -"):format(name), 2)
  end
  if args.kind == "game" and args.game then fault.raise("--game is for new rules", 2) end
  for _, ending in ipairs(endings[args.kind]) do
    local path = name .. ending
    if system.is_regular(path) ~= nil then fault.raise(("found the file %s, expected none of that name"):format(path)) end
  end
  for _, ending in ipairs(endings[args.kind]) do output.reserve(name .. ending) end
  local is_new = system.is_regular(settings) == nil
  if is_new then output.reserve(settings) end
  output.reserve()
  return is_new
end

local function run(args)
  local name = args.name
  local files = args.kind == "game" and game_files(name) or rule_files(name, args.game or "flow")
  local rows = {}
  for i, ending in ipairs(endings[args.kind]) do
    output.save(name .. ending, files[i][2])
    rows[i] = { file = name .. ending, what = filled(files[i][1], { NAME = name }) }
  end
  if args.prepared then
    output.save(settings, editor_settings())
    table.insert(rows, { file = settings, what = "tells editors what scripts see" })
  end
  output.table(nil, "table", { { key = "file" }, { key = "what" } }, rows)
end

return {
  details = "Writes a script that works as it stands, with comments on everything that one changes, and files to try it with; "
    .. "'sh NAME-test.sh' checks it. Files that are there already are not touched.",
  arguments = {
    { name = "kind", doc = "game or rule.", choices = { "game", "rule" } },
    { name = "name", doc = "What it is to be called: letters, digits, _ and -." },
  },
  options = { { flags = "--game", value = "GAME",
    doc = "The game of a new rule, a script or one of crux's own; flow unless given." } },
  prepare = prepare,
  examples = { "crux new game ice", "crux new rule my-flow --game flow" },
  run = run,
}
