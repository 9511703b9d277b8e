--- The options that several commands share: rows of flags, the name of the value, and a line of help.
local output = require "crux.output"

local function integer(option, least)
  return function(text)
    local value = math.tointeger(tonumber(text))
    if value and value >= least then return value end
    return nil, ("%s: found '%s', expected an integer of at least %d"):format(option, text, least)
  end
end

local function tolerance(text)
  local value = tonumber(text)
  if value and value > 0 and value < 1 then return value end
  return nil, ("--tolerance: found '%s', expected a number between 0 and 1"):format(text)
end

local function delimiter(text)
  if text == "\\t" or text == "tab" then return "\t" end
  if #text == 1 and not text:find '["\r\n]' then return text end
  return nil, ("--delimiter: found '%s', expected one character (or tab)"):format(text)
end

return {
  debug = { flags = "--debug", doc = "Show where in crux an error was raised." },
  format = { flags = "--format", value = "FORMAT", choices = output.formats,
    doc = "How to print: table, csv, json or md. CSV and JSON carry every digit." },
  output = { flags = "-o", alias = "--output", value = "FILE", doc = "Write to FILE, whole or not at all, instead of standard output." },
  delimiter = { flags = "--delimiter", value = "CHAR", convert = delimiter, default = ",",
    doc = "What separates the fields of CSV input" },
  with = { flags = "--with", value = "FILE.csv",
    doc = "Join further columns by the column level; rows without a partner are left out." },
  formula = { flags = "--formula", value = "FORMULA",
    doc = "A formula instead of a rule: 'difficulty ~ size + colours'." },
  target = { flags = "--target", value = "COLUMN", doc = "Predict this column instead of the rule's." },
  weights = { flags = "--weights", value = "COLUMN",
    doc = "The column of case weights, for example how many ratings a row stands for." },
  folds = { flags = "--folds", value = "K", convert = integer("--folds", 2), default = "5", doc = "Number of folds" },
  shuffle = { flags = "--shuffle", doc = "Assign rows to folds at random instead of in order." },
  seed = { flags = "--seed", value = "N", convert = integer("--seed", 0),
    doc = "Seed of the shuffle, 1 unless given; shuffles even without --shuffle." },
  tolerance = { flags = "--tolerance", value = "T", convert = tolerance, default = "1e-7",
    doc = "A term is aliased when less than this share of its norm is new" },
}
