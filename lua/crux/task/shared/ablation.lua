--- The options of an ablation study, and the study of a file: for ablate and plot.
local ablation = require "crux.judge.ablation"
local convert = require "crux.option.convert"
local inputs = require "crux.task.shared.inputs"
local options = require "crux.option.options"

local shared = {}

shared.options = {
  options.like("target", { default = "difficulty", doc = "The column to predict" }),
  options.like("measures", { doc = "The measures, at most 20." }),
  "folds",
  { flags = "--top", value = "N", convert = convert.integer(1), default = "10", doc = "The number of subsets to print" },
  { flags = "--test-share", value = "SHARE", convert = convert.share, default = "0.2",
    doc = "Share of the levels in the test part, drawn by --seed; none with 0" },
  { flags = "--metric", value = "METRIC", choices = { "mse" }, default = "mse", doc = "The error that compares subsets" },
  "repeats", "folds_by", options.like("seed", { doc = "Seed of the test part and of the folds" }),
  "tolerance", "with", "delimiter", "output", "format", "resume",
}

--- The study of the dataset in a file.
function shared.study(path, args)
  return ablation.study(inputs.data(path, args), setmetatable({ pass = inputs.pass(args) }, { __index = args }))
end

return shared
