--- What `require "crux"` gives to trusted Lua code: the engine's modules under one name.
return {
  version = require "libcrux.system".version,
  rule = require "crux.rule",
  formula = require "crux.formula",
  dataset = require "crux.dataset",
  design = require "crux.design",
  fit = require "crux.fit",
  crossval = require "crux.crossval",
  accuracy = require "crux.accuracy",
  correlation = require "crux.correlation",
  study = require "crux.study",
}
