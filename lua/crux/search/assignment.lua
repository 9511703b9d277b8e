--- The cheapest assignment of rows to columns, for estimates that add up over the rows.
local assignment = {}

local error, ipairs, type = error, ipairs, type

--- Raises at the line of the script unless the costs are a square matrix of integers.
local function check(costs)
  if type(costs) ~= "table" then error("crux.prices: found no list, expected a list of rows", 3) end
  for i, row in ipairs(costs) do
    for j = 1, #costs do
      if type(row) ~= "table" or #row ~= #costs or math.type(row[j]) ~= "integer" then
        error(("crux.prices: found row %d, expected %d integers"):format(i, #costs), 3)
      end
    end
  end
end

--- Returns a price for each column: the cheapest assignment costs the sum of the prices and, for each row, the least of its
--- costs less prices. For any other rows this sum is at most the cost of their cheapest assignment.
--- Kuhn, The Hungarian method for the assignment problem, 1955.
---@param costs integer[][]   a row for each row, with a cost for each column
function assignment.prices(costs)
  check(costs)
  local n, row_prices, prices, row_of, before = #costs, {}, {}, {}, {}
  for i = 0, n do row_prices[i], prices[i], row_of[i] = 0, 0, 0 end
  for i = 1, n do
    local least, used, column = {}, {}, 0
    row_of[0] = i
    repeat -- the shortest way from row i to a free column, by costs less prices
      local row, nearest, step = row_of[column], 0, math.maxinteger
      used[column] = true
      for j = 1, n do
        if not used[j] then
          local cost = costs[row][j] - row_prices[row] - prices[j]
          if not least[j] or cost < least[j] then least[j], before[j] = cost, column end
          if least[j] < step then step, nearest = least[j], j end
        end
      end
      for j = 0, n do
        if used[j] then
          row_prices[row_of[j]], prices[j] = row_prices[row_of[j]] + step, prices[j] - step
        elseif j > 0 then
          least[j] = least[j] - step
        end
      end
      column = nearest
    until row_of[column] == 0
    while column ~= 0 do
      row_of[column], column = row_of[before[column]], before[column]
    end
  end
  prices[0] = nil
  return prices
end

return assignment
