--- The share of the best subsets of an ablation study that use each measure (as in Biemer and Cooper, table 1), largest first.
local bars = require "crux.show.plot.bars"
local lists = require "crux.base.lists"

---@param data { measures: string[], shares: table<string, number>, count: integer, target: string }   shares are from 0 to 1
---@return Figure
return function(data)
  local names = lists.sort(lists.copy(data.measures), function(measure) return -data.shares[measure] end)
  local values = lists.map(names, function(measure) return 100 * data.shares[measure] end)
  local texts = lists.map(values, function(value) return ("%.0f %%"):format(value) end)
  return bars { title = ("Measures that predict %s best"):format(data.target), names = names, values = values, texts = texts,
    label = ("percent of the best %d subsets"):format(data.count), high = 100 }
end
