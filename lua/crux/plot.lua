--- Plots: from plain numbers to figures, and from figures to SVG or characters.
---
--- plot.NAME(data) makes a Figure (crux.plot.figure); its file in crux/plot says what data are. plot.svg and plot.text draw it.
--- Lists of numbers are tables or vectors of libcrux.vector; what is missing is NaN, and left out.
local histogram = require "crux.plot.histogram"
local residuals = require "crux.plot.residuals"

return {
  predicted = require "crux.plot.predicted",
  errors = histogram.errors,
  residuals = residuals.fitted,
  quantiles = residuals.quantiles,
  weights = require "crux.plot.weights",
  learning = require "crux.plot.learning",
  histogram = histogram.values,
  scatter = require "crux.plot.scatter",
  correlations = require "crux.plot.correlations",
  bars = require "crux.plot.bars",
  ablation = require "crux.plot.ablation",
  svg = require "crux.plot.picture".draw,
  text = require "crux.plot.characters".draw,
}
