--- What ablate and plot share: the options of an ablation study, and the study of a file.
local ablation = require "crux.judge.ablation"
local convert = require "crux.cli.convert"
local inputs = require "crux.cli.inputs"

local shared = {}

shared.options = {
  { flags = "--target", value = "COLUMN", default = "difficulty", doc = "What to predict" },
  { flags = "--measures", value = "NAME,...", convert = convert.names, doc = "The measures, at most 20." },
  "folds",
  { flags = "--top", value = "N", convert = convert.integer("--top", 1), default = "10", doc = "How many subsets to print" },
  { flags = "--test-share", value = "SHARE", convert = convert.share "--test-share", default = "0.2",
    doc = "How much of the levels is set aside, drawn by --seed; with 0 nothing is" },
  { flags = "--metric", value = "METRIC", choices = { "mse" }, default = "mse", doc = "What makes a subset good" },
  "shuffle",
  { flags = "--seed", value = "N", convert = convert.integer("--seed", 0), default = "1",
    doc = "Seed of the test part and of --shuffle" },
  "tolerance", "with", "delimiter", "output", "format", "resume",
}

--- The study of the dataset in a file.
---@return Study
function shared.study(path, args)
  return ablation.study(inputs.data(path, args), setmetatable({ pass = inputs.pass(args) }, { __index = args }))
end

return shared
