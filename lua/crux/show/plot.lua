--- Plots: from plain numbers to figures, and from figures to SVG or characters.
---
--- plot.NAME(data) makes a Figure (crux.show.plot.figure); the file in crux/show/plot declares the data. plot.svg and plot.text
--- draw it. Lists of numbers are tables or vectors of libcrux.vector; NaN, a missing number, is left out.
---
---   local figure = plot.scatter { x = { 9, 16, 25 }, y = { 1.5, 2, 4 }, x_name = "size", y_name = "difficulty" }
---   sinks.save("size.svg", plot.svg(figure))
---   io.write(plot.text(figure, { width = 60, ascii = true }))
---
--- A page with several pictures gives each another id, plot.svg(figure, { id = "size", bare = true }), and has their style
--- sheet, require "crux.show.svg".style, once.
local histogram = require "crux.show.plot.histogram"
local residuals = require "crux.show.plot.residuals"

return {
  predicted = require "crux.show.plot.predicted",
  errors = histogram.errors,
  residuals = residuals.fitted,
  quantiles = residuals.quantiles,
  weights = require "crux.show.plot.weights",
  learning = require "crux.show.plot.learning",
  histogram = histogram.values,
  scatter = require "crux.show.plot.scatter",
  curve = require "crux.show.plot.curve",
  correlations = require "crux.show.plot.correlations",
  bars = require "crux.show.plot.bars",
  ablation = require "crux.show.plot.ablation",
  front = require "crux.show.plot.front",
  svg = require "crux.show.plot.picture".draw,
  text = require "crux.show.plot.characters".draw,
}
