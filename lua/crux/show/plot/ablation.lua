--- How many of the best subsets of an ablation study use each measure (as Biemer and Cooper, table 1), the most used first.
local bars = require "crux.show.plot.bars"
local figure = require "crux.show.plot.figure"

---@param self { measures: string[], shares: table<string, number>, count: integer, target: string }   shares are from 0 to 1
---@return Figure
return function(self)
  local sizes, names, values, texts = {}, {}, {}, {}
  for i, measure in ipairs(self.measures) do sizes[i] = self.shares[measure] end
  for i, place in ipairs(figure.largest(sizes, #sizes)) do
    names[i], values[i] = self.measures[place], 100 * sizes[place]
    texts[i] = ("%.0f %%"):format(values[i])
  end
  return bars { title = ("Measures that predict %s best"):format(self.target), names = names, values = values, texts = texts,
    label = ("percent of the best %d subsets"):format(self.count), high = 100 }
end
