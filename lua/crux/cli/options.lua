--- The options that several commands share: rows of flags, the name of the value, and a line of help; `in_journal = false` for
--- those that do not matter to what a journal keeps.
local convert = require "crux.cli.convert"
local output = require "crux.output"

local formats = table.concat(output.formats, ", "):gsub("(.*), ", "%1 or ")

---@type table<string, table>
return {
  debug = { flags = "--debug", in_journal = false, doc = "Show where in crux an error was raised." },
  format = { flags = "--format", value = "FORMAT", choices = output.formats, in_journal = false,
    doc = ("How to print: %s. CSV and JSON carry every digit."):format(formats) },
  safe_csv = { flags = "--safe-csv", in_journal = false,
    doc = "Print CSV for a spreadsheet: cells that it would run as formulas begin with an apostrophe." },
  output = { flags = "-o", alias = "--output", value = "FILE", in_journal = false,
    doc = "Write to FILE, whole or not at all, instead of standard output." },
  delimiter = { flags = "--delimiter", value = "CHAR", convert = convert.delimiter, default = ",",
    doc = "What separates the fields of CSV input" },
  with = { flags = "--with", value = "FILE.csv",
    doc = "Join further columns by the column level; rows without a partner are left out." },
  formula = { flags = "--formula", value = "FORMULA",
    doc = "A formula instead of a rule: 'difficulty ~ size + colours'." },
  target = { flags = "--target", value = "COLUMN", doc = "Predict this column instead of the rule's." },
  weights = { flags = "--weights", value = "COLUMN",
    doc = "The column of case weights, for example how many ratings a row stands for." },
  fit = { flags = "--fit", value = "METHOD",
    doc = "How the formula is fitted, instead of the rule's way: see 'crux fit --list'." },
  unconverged = { flags = "--unconverged", doc = "Take a fit that did not converge as it is." },
  folds = { flags = "--folds", value = "K", convert = convert.integer("--folds", 2), default = "5", doc = "Number of folds" },
  shuffle = { flags = "--shuffle", doc = "Assign rows to folds at random instead of in order." },
  seed = { flags = "--seed", value = "N", convert = convert.integer("--seed", 0),
    doc = "Seed of the shuffle, 1 unless given; shuffles even without --shuffle." },
  repeats = { flags = "--repeats", value = "R", convert = convert.integer("--repeats", 1), default = "1",
    doc = "Assign rows to folds so many times, at random if more than one" },
  loo = { flags = "--loo", doc = "Leave out every row alone, or with --group every group." },
  group = { flags = "--group", value = "COLUMN",
    doc = "Keep rows with the same text in this column in the same fold: levels of a pack, or of a player." },
  tolerance = { flags = "--tolerance", value = "T", convert = convert.tolerance, default = "1e-7",
    doc = "A term is aliased when less than this share of its norm is new" },
  measures = { flags = "--measures", value = "NAME,...", convert = convert.names,
    doc = "Only these measures, in this order; optional ones must be named here." },
  seconds = { flags = "--seconds", value = "N", convert = convert.positive "--seconds",
    doc = "Give up a level after so many seconds." },
  states = { flags = "--states", value = "N", convert = convert.integer("--states", 1),
    doc = "Give up a level after so many states; 10 million in a search of states unless given." },
  memory = { flags = "--memory", value = "MB", convert = convert.integer("--memory", 1), default = "1024",
    doc = "Give up a level that takes more memory" },
  jobs = { flags = "--jobs", value = "N", convert = convert.integer("--jobs", 1), in_journal = false,
    doc = "Number of threads; as many as there are processors unless given. The output is the same for all." },
  resume = { flags = "--resume", value = "JOURNAL", in_journal = false,
    doc = "Keep what is done in this file, from which the same command goes on after a crash (docs/journal.md)." },
}
