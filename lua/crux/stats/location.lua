--- Mean and median of numbers that are added one by one. NaN is a missing number and is not counted.
local location = {}

--- A mean that is exact for equal numbers.
local Mean = {}
Mean.__index = Mean

function Mean:add(x)
  if x ~= x then return end
  self.n = self.n + 1
  self.first = self.first or x
  self.excess = self.excess + (x - self.first)
end

--- nil without numbers.
function Mean:value() return self.n > 0 and self.first + self.excess / self.n or nil end

function location.mean() return setmetatable({ n = 0, excess = 0 }, Mean) end

local Median = {}
Median.__index = Median

function Median:add(x)
  if x == x then table.insert(self, x) end
end

--- nil without numbers.
function Median:value()
  table.sort(self)
  local n = #self
  if n % 2 == 1 then return self[n // 2 + 1] end
  return n > 0 and (self[n // 2] + self[n // 2 + 1]) / 2 or nil
end

function location.median() return setmetatable({}, Median) end

return location
