--- A dataset in memory for tests, named "data", of a table of lists: memory { x = { 1, 2 }, y = { 3, 4 } }.
local dataset = require "crux.data.dataset"
local vector = require "libcrux.vector"

return function(columns)
  local names, vectors, rows = {}, {}, nil
  for name, values in pairs(columns) do
    table.insert(names, name)
    vectors[name], rows = vector.of(values), #values
  end
  return dataset.of_vectors("data", names, vectors, rows)
end
