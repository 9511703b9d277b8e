--- The share of the best subsets of an ablation study that use each measure (as in Biemer and Cooper, table 1), largest first.
local bars = require "crux.show.plot.bars"
local figure = require "crux.show.plot.figure"

---@param data { measures: string[], shares: table<string, number>, count: integer, target: string }   shares are from 0 to 1
---@return Figure
return function(data)
  local sizes, names, values, texts = {}, {}, {}, {}
  for i, measure in ipairs(data.measures) do sizes[i] = data.shares[measure] end
  for i, place in ipairs(figure.largest(sizes, #sizes)) do
    names[i], values[i] = data.measures[place], 100 * sizes[place]
    texts[i] = ("%.0f %%"):format(values[i])
  end
  return bars { title = ("Measures that predict %s best"):format(data.target), names = names, values = values, texts = texts,
    label = ("percent of the best %d subsets"):format(data.count), high = 100 }
end
