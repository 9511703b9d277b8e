--- Options that several commands share: rows of flags, the name of the value, its unit, a conversion, and a line of help; a row
--- with `in_journal = false` does not change results. A function in the place of `choices` returns them; it is called for
--- commands with that option alone, as it loads modules that most commands do not need.
local convert = require "crux.option.convert"
local formats = require "crux.out.formats"
local lists = require "crux.base.lists"

--- The option --format.
---@param names string[]   of formats
local function format_of(names)
  return { flags = "--format", value = "FORMAT", choices = names, in_journal = false,
    doc = ("How to print: %s. CSV and JSON carry every digit."):format(table.concat(names, ", "):gsub("(.*), ", "%1 or ")) }
end

---@type table<string, table>
local options = {
  debug = { flags = "--debug", in_journal = false, doc = "Show where in crux an error was raised." },
  format = format_of(formats.names),
  safe_csv = { flags = "--safe-csv", in_journal = false,
    doc = "Print CSV for spreadsheets: an apostrophe precedes cells that they would run as formulas." },
  output = { flags = "-o", alias = "--output", value = "FILE", in_journal = false,
    doc = "Write to FILE, whole or not at all, instead of standard output." },
  rule_output = { flags = "-o", alias = "--output", value = "RULE.lua", convert = convert.script },
  delimiter = { flags = "--delimiter", value = "CHAR", convert = convert.delimiter, default = ",",
    doc = "The character between the fields of CSV input" },
  with = { flags = "--with", value = "FILE.csv",
    doc = "Join further columns, by the columns player and level that both have; rows without a partner are left out." },
  rename = { flags = "--rename", value = "NEW=OLD", convert = convert.rename, repeated = true,
    doc = "Take the column OLD of the study for the column NEW, as time=seconds. More than once renames more." },
  formula = { flags = "--formula", value = "FORMULA",
    doc = "A formula instead of a rule: 'difficulty ~ size + colours'." },
  target = { flags = "--target", value = "COLUMN", doc = "Predict this column instead of the rule's." },
  target_falls = { flags = "--target-falls",
    doc = "Smaller values of the target are the harder levels, as of solve rates and stars." },
  weights = { flags = "--weights", value = "COLUMN",
    doc = "The column of case weights, such as the number of ratings behind a row." },
  fit = { flags = "--fit", value = "METHOD", words = function() return require("crux.fit.fits").names end,
    doc = "How the formula is fitted, instead of the rule's way: see 'crux fit --list'." },
  unconverged = { flags = "--unconverged", doc = "Accept a fit that did not converge." },
  folds = { flags = "--folds", value = "K", convert = convert.integer(2), default = "5", doc = "Number of folds" },
  folds_by = { flags = "--folds-by", value = "HOW", default = "random",
    choices = function() return require("crux.judge.crossval").ways end,
    doc = "Assign rows to folds at random, or in the order of the file" },
  seed = { flags = "--seed", value = "N", convert = convert.integer(0), default = "1", doc = "Seed of the folds" },
  repeats = { flags = "--repeats", value = "R", convert = convert.integer(1),
    doc = "How many times rows are assigned to folds: 10 unless given; once with --loo and with --folds-by order." },
  loo = { flags = "--loo", doc = "Leave out every row alone, or with --group every group." },
  group = { flags = "--group", value = "COLUMN",
    doc = "Keep rows with the same text in this column in the same fold: levels of a pack, or of a player." },
  as_is = { flags = "--as-is", doc = "Judge the stored coefficients instead of refitting." },
  calibrate = { flags = "--calibrate", value = "HOW", choices = function() return require("crux.judge.calibration").names end,
    doc = "Fit the target to the ratings of rules that are not refitted, in each fold: by a line, by a monotone function, or "
      .. "not (none); line if a rule was made for another target or scale, else none." },
  draws = { flags = "--draws", value = "N", convert = convert.integer(0), default = "200",
    doc = "Draws of the bootstrap; none with 0" },
  path = { flags = "--path", value = "PATH", doc = "The solution that measures are of: 'shortest', unless given; 'mean' of all "
    .. "shortest ones (games with moves); or another that the game names, such as 'authors' of dungeongrams." },
  game = { flags = "--game", value = "GAME", doc = "The game of the level files, instead of the rule's." },
  game_of_output = { flags = "--game", value = "GAME",
    doc = "The game of the written rule, which can then rate level files; without one it rates datasets alone." },
  x = { flags = "--x", value = "COLUMNS", convert = convert.names, doc = "The measures, separated by commas." },
  tolerance = { flags = "--tolerance", value = "T", convert = convert.tolerance, default = "1e-7",
    doc = "A term is aliased when less than this share of its norm is new" },
  measures = { flags = "--measures", value = "NAME,...", convert = convert.names,
    doc = "Only these measures, in this order; optional ones must be named here." },
  seconds = { flags = "--seconds", value = "N", unit = "s", convert = convert.positive,
    doc = "Give up a level after this many seconds." },
  states = { flags = "--states", value = "N", convert = convert.integer(1),
    doc = "Give up a level after this many states; 10 million in a search of states unless given." },
  memory = { flags = "--memory", value = "MB", unit = "MB", convert = convert.integer(1), default = "1024",
    doc = "Give up a level that needs more memory" },
  disk = { flags = "--disk", value = "FOLDER",
    doc = "Keep the states of a search in this folder, for one level with more of them than memory holds; the same command "
      .. "goes on where it was stopped (docs/search.md)." },
  limit_time = { flags = "--limit-time", value = "SECONDS", convert = convert.limit, default = "10",
    in_journal = false, doc = "The time of a call of a script's function, such as game.parse or a step of a search" },
  limit_memory = { flags = "--limit-memory", value = "MB", convert = convert.limit, default = "512",
    in_journal = false, doc = "The memory that Lua has while a script runs; the program itself has 14 MB more" },
  limit_run = { flags = "--limit-run", value = "SECONDS", convert = convert.limit, default = "0",
    in_journal = false, doc = "The time of the whole command" },
  limit_instructions = { flags = "--limit-instructions", value = "MILLIONS", convert = convert.limit,
    default = "0", in_journal = false, doc = "The instructions of such a call, the same on every machine; to count them takes "
      .. "almost as much time again as to run them" },
  errors = { flags = "--errors", value = "ERRORS", choices = { "full", "conditional" }, default = "full",
    doc = "Standard errors: full, with those of the coefficients and variances, or conditional on these, as lme4's ranef" },
  jobs = { flags = "--jobs", value = "N", convert = convert.integer(1, 1024), in_journal = false,
    doc = "Number of threads, that of processors unless given. The output does not depend on it." },
  resume = { flags = "--resume", value = "JOURNAL", in_journal = false,
    doc = "Keep results in this file, from which the same command goes on after a crash (docs/journal.md)." },
}

--- A shared option with some fields changed.
function options.like(name, changes) return setmetatable(changes, { __index = options[name] }) end

--- The rows of several lists, of those of the same flag the first.
---@param list (string|table)[][]
function options.together(list)
  local rows, known = {}, {}
  for _, row in ipairs(lists.concat(table.unpack(list))) do
    local flags = row.flags or options[row].flags
    if not known[flags] then table.insert(rows, row) end
    known[flags] = true
  end
  return rows
end

--- The option --format of a command that prints in one more format.
function options.format_with(name) return format_of(lists.concat(formats.names, { name })) end

return options
