--- The task check: finds mistakes in scripts, datasets and levels, and compares searches in C and in Lua.
local budget = require "libcrux.budget"
local formats = require "crux.out.formats"
local arguments = require "crux.option.arguments"
local call = require "crux.task.shared.call"
local check_dataset = require "crux.check.dataset"
local check_game = require "crux.check.game"
local check_levels = require "crux.check.levels"
local check_rule = require "crux.check.rule"
local content = require "crux.task.shared.content"
local data_inputs = require "crux.task.shared.inputs"
local context = require "crux.script.context"
local fault = require "crux.base.fault"
local findings = require "crux.check.findings"
local games = require "crux.game.game"
local lists = require "crux.base.lists"
local natural = require "crux.base.natural"
local number = require "crux.base.number"
local options = require "crux.option.options"
local rules = require "crux.rule.rule"
local script = require "crux.script.script"
local studies = require "crux.serve.study"
local examination = require "crux.task.shared.examination"
local file_system = require "libcrux.files"

local columns = formats.columns { "level", "status", "states", "engine", "heuristic" }
local file_columns = formats.columns { "file", "kind", "errors", "warnings", "holds" }

--- The number of levels on which a game is tried, and of moves in each unless --states is given: more take seconds in Lua.
local SAMPLES <const>, SAMPLE_MOVES <const> = 5, 80000
local OWN_MOVES <const> = 10 -- about the number of possible moves in a state, if each level has its own moves

--- The limit on the states of a search unless --states is given.
local STATES <const> = 100000

--- Searches levels in C and in Lua, with a row for each.
---@return Report
local function compare(args)
  args.levels, args.states = args.files, args.states or STATES
  return examination.report(games.load(args.game), args, { check = true }, columns, function(finding)
    finding.check.level = finding.level
    return finding.check
  end)
end

local function is_script_or_dataset(path) return path:find "%.lua$" or path:find "%.csv$" end

--- The files of words; a folder with scripts or datasets stands for these files.
local function files_of(words)
  local files = {}
  for _, word in ipairs(words) do
    local found = lists.select(file_system.list(word) or {}, function(name)
      return is_script_or_dataset(name) and name:sub(1, 1) ~= "."
    end)
    natural.sort(found)
    for i, name in ipairs(found) do found[i] = word:gsub("/*$", "/") .. name end
    if #found == 0 then found[1] = word end
    table.move(found, 1, #found, #files + 1, files)
  end
  return files
end

---@class CheckInputs
---@field kinds table<string, "rule"|"game"|"study"|"task"|"dataset"|"levels"|"script">   by path; a "script" cannot be loaded
---@field levels string[]
---@field columns table<string, boolean>   of the datasets
---@field game string?      the only game, or that of the only rule
---@field rule Rule?        the only rule
---@field is_broken boolean  that game has an error, or a script cannot be loaded

--- The kind of a file that is a script or a game; nil for another.
local function kind_of_script(path)
  if games.has_levels(path) then return "puzzlescript" end
  if not path:find "%.lua$" then return nil end
  local ok, kind = fault.catch(script.kind, path)
  budget.forget() -- the next script may run; the fault of this one is told later
  return ok and kind or "script"
end

--- Notes the scripts among the inputs, the game and the rule. Errors in scripts are reported later.
local function find_scripts(args)
  local inputs, counts = { kinds = {}, levels = {}, columns = {} }, { game = 0, rule = 0, script = 0 }
  for _, path in ipairs(args.files) do
    local kind = kind_of_script(path)
    inputs.kinds[path] = kind
    if kind == "puzzlescript" then kind = "game" end
    if kind == "game" then inputs.game = path end
    if kind == "rule" then
      local is_right, rule = pcall(rules.load, path)
      inputs.rule = is_right and rule or nil
    end
    if counts[kind] then counts[kind] = counts[kind] + 1 end
  end
  if counts.game > 1 then inputs.game = nil end
  if counts.rule > 1 then inputs.rule = nil end
  inputs.is_broken = not args.game and (inputs.game and not pcall(games.load, inputs.game) or counts.script > 0)
  inputs.game = args.game or inputs.game or inputs.rule and inputs.rule.game
  return inputs
end

local function sort(args)
  local inputs = find_scripts(args)
  local is_loaded, game = pcall(games.load, inputs.game or "")
  local measures = lists.union(is_loaded and lists.field(game.measures) or {},
    inputs.rule and inputs.rule.formula and inputs.rule.formula.variables or {})
  local function reads(path)
    if is_loaded then return game:reads(path) end
    return #check_levels.readers(path) > 0
  end
  for _, path in ipairs(args.files) do
    local kind = inputs.kinds[path] or content.is_dataset(path, args.delimiter, measures, reads) and "dataset" or "levels"
    inputs.kinds[path] = kind
    if kind == "levels" then table.insert(inputs.levels, path) end
    if kind == "dataset" then
      local is_open, data = pcall(data_inputs.data, path, args)
      for _, column in ipairs(is_open and data.columns or {}) do inputs.columns[column] = true end
    end
  end
  return inputs
end

--- The columns that a dataset must have as numbers: the measures of the given game and rule.
local function needed(inputs)
  local names = {}
  local ok, game = pcall(games.load, inputs.game or "")
  for _, measure in ipairs(ok and game.measures or {}) do names[measure.name] = true end
  local is_formula = inputs.rule and not inputs.rule.rating
  for _, name in ipairs(is_formula and inputs.rule.formula:numbers() or {}) do names[name] = true end
  return names
end

local function limits_of(args, states)
  local limits = examination.limits(args)
  limits.states = limits.states or states
  return limits
end

local function sample_states(game)
  local moves = game.search and game.search.moves or { "" }
  return SAMPLE_MOVES // (type(moves) == "function" and OWN_MOVES or #moves)
end

--- The checks by kind of file; each returns a description of the file's content.
local checks = {
  script = function(path, _, found) found:try(path, script.kind, path) end,
  study = function(path, _, found)
    local study = found:try(path, studies.load, path)
    if not study then return nil end
    local count = 0
    for _, block in ipairs(study.blocks) do count = count + #block.list end
    return number.count(count, "level")
  end,
  task = function(path, _, found)
    local task = found:try(path, call.load, path)
    return task and number.count(#task.arguments, "argument")
  end,
  game = function(path, inputs, found, args)
    local ok, game = pcall(games.load, path)
    local has_levels = ok and inputs.game == path and #inputs.levels > 0
    local entries = has_levels and check_levels.samples(game, inputs.levels, SAMPLES) or nil
    local from = #found.list + 1
    local holds = check_game.run(path, entries, found, limits_of(args, ok and sample_states(game) or nil))
    inputs.is_broken = inputs.is_broken or inputs.game == path and found:count(from) > 0
    return holds
  end,
  puzzlescript = function(path, _, found, args)
    local game = found:try(path, games.load, path)
    for _, remark in ipairs(game and game.own.remarks or {}) do found:warn(path, remark.line, remark.message) end
    if game and not game.own.unsolved then
      return check_levels.run(path, path, args.jobs, found, limits_of(args, STATES))
    end
    return game and ("%s, not solved: %s"):format(number.count(#game.own.levels, "level"), game.own.unsolved)
  end,
  rule = function(path, inputs, found) return check_rule.run(path, inputs.columns, found) end,
  dataset = function(path, inputs, found, args)
    return check_dataset.run(path, { rule = inputs.rule, is_named = args.named[path], needed = needed(inputs),
      open = function() return data_inputs.data(path, args) end }, found)
  end,
  levels = function(path, inputs, found, args)
    if inputs.is_broken then return "not looked at: the game's script is wrong" end
    local name = inputs.game or check_levels.game_of(path)
    return check_levels.run(path, name, args.jobs, found, limits_of(args, STATES))
  end,
}

--- Says findings from a place in the list on: file by file, in the order of the lines.
---@return string[] lines   as they were said
local function say(found, from, args)
  local list, order = table.move(found.list, from, #found.list, 1, {}), {}
  for i, finding in ipairs(list) do
    order[finding.path], order[finding] = order[finding.path] or i, i
  end
  table.sort(list, function(a, b)
    if a.path ~= b.path then return order[a.path] < order[b.path] end
    if a.line ~= b.line then return a.line < b.line end
    return order[a] < order[b]
  end)
  return lists.map(list, function(finding)
    local kind = finding.is_warning and "warning: " or ""
    local line = ("%s:%d: %s%s"):format(finding.path, finding.line, kind, finding.message)
    args.say(context.message(line))
    return line
  end)
end

--- Checks each file, with a row for each.
---@return Report
local function check(args, inputs)
  local found, rows = findings.new(), {}
  for i, path in ipairs(args.files) do
    local from, kind = #found.list + 1, inputs.kinds[path]
    local holds = checks[kind](path, inputs, found, args)
    budget.forget() -- what stopped a script is a finding, and the next script may run
    local errors, warnings = found:count(from)
    local lines = table.concat(say(found, from, args), "\n")
    local is_wrong = errors > 0 or args.strict and warnings > 0
    rows[i] = { file = path, kind = kind, errors = errors, warnings = warnings, holds = holds or "",
      case = { name = path, file = path, failure = is_wrong and lines } }
  end
  return { value = found.list, tables = { { columns = file_columns, rows = rows } }, finish = function()
    local errors, warnings = found:count()
    if errors > 0 or args.strict and warnings > 0 then
      local more = warnings > 0 and ", " .. number.count(warnings, "warning") or ""
      fault.raise(number.count(errors, "error") .. more)
    end
  end }
end

local function run(args)
  if #args.files == 0 then fault.raise("expected FILE: scripts, datasets, level files or folders of them", 2) end
  args.named = lists.set(args.files)
  args.files = files_of(args.files)
  local inputs = sort(args)
  if args.game and #inputs.levels == #args.files then
    if args.form == "junit" then
      fault.raise("--format junit is not for --sandbox, nor for --game and levels alone", 2)
    end
    return compare(args)
  end
  if args.journal then fault.raise("--resume is for --game and levels alone", 2) end
  return check(args, inputs)
end

return {
  summary = "Find mistakes in scripts, datasets and levels.",
  details = "Finds mistakes in files and says, line by line, what is wrong and how to mend it. A game script (*.lua) is tried "
    .. "on the levels that are given beside it, or on some that it generates: its hooks, its measures, whether its step "
    .. "uses its arguments alone, its heuristic, and whether it parses the levels that it formats. A rule script: its "
    .. "fields, and the measures that it names. A dataset (CSV): cells that are no numbers, values that are missing or off "
    .. "the scale, columns that are constant or combinations of others, duplicate rows. Level files: levels that cannot be "
    .. "read, duplicates, and levels without solution; the game is that of a script given beside them, or found by trying "
    .. "crux's own. A game of PuzzleScript: its text, and the levels in it. Warnings are about what may be intended.\n\n"
    .. "With --game and levels alone, they are solved: where a game searches states, it is searched twice, in C and in Lua, "
    .. "and all results are compared; a heuristic is refused that says more moves than are needed from some state. Searches "
    .. "end after 100,000 states unless --states is given.",
  arguments = { { name = "files", args = "*", doc = "Scripts, datasets, level files or folders of one of these." } },
  options = examination.options({ { flags = "--game", value = "GAME", doc = arguments.game.doc },
    { flags = "--strict", doc = "Exit with status 1 for warnings, too." }, "with", "delimiter" },
    options.format_with "junit"),
  examples = { "crux check my-rule.lua levels.csv", "crux check move-levels/ one.bff", "crux check --game move move-levels/",
    "crux check --game lazors one.bff" },
  run = run,
}
