--- Things in 26 colours, each a letter of levels of tiles:
---
---     tiles = { { "." }, { "a", "ball" }, { "A", "goal" }, { "aA", "ball", "goal" } }, coloured = { "ball", "goal" }
---
--- In a tile of one or two coloured things, a letter stands for each thing, and for all letters of its case: "bA" is a ball of
--- the second colour on a goal of the first one. A level has a board for each letter, and for each thing the list of its boards
--- in the colours that the level has; as it is drawn it has a board of all letters of each thing.
local letters = require "crux.kits.letters"
local lists = require "crux.base.lists"

local coloured = {}

---@class Coloured
---@field things string[]
---@field kinds table<string, string[]>   by thing, its letter in each colour
local Coloured = {}
Coloured.__index = Coloured

local colours <const> = 26

--- All letters of the case of a letter.
local function of_case(letter)
  local all, first = {}, letter:find "%u" and "A" or "a"
  for colour = 1, colours do all[colour] = string.char(first:byte() + colour - 1) end
  return all
end

--- A tile whose n-th item, a thing, is in the colour of a letter.
local function with(tile, n, letter)
  local copy = lists.copy(tile)
  copy[1], copy[n] = tile[1]:sub(1, n - 2) .. letter .. tile[1]:sub(n), letter
  copy.told = (tile.told and tile.told .. ", " or "") .. tile[n] .. ": " .. letter -- in words
  return copy
end

--- The rows of a legend, those with coloured things once for each colour.
---@param things string[]
---@return table rows
---@return Coloured
function coloured.new(rows, things)
  local self = setmetatable({ things = things, kinds = {} }, Coloured)
  local function is_coloured(row) return lists.contains(things, row[2]) end
  local all, each = lists.select(rows, function(row) return not is_coloured(row) end), lists.select(rows, is_coloured)
  all.separated, all.expected = rows.separated, rows.expected
  for _, row in ipairs(each) do
    if not row[1]:find "^%a%a?$" or #row ~= #row[1] + 1 then
      error(("tiles: found '%s', expected a letter for each of one or two coloured things"):format(row[1]), 0)
    end
    for n = 2, #row do self.kinds[row[n]] = of_case(row[1]:sub(n - 1, n - 1)) end
  end
  for colour = 1, colours do
    for _, row in ipairs(each) do
      local tile = with(row, 2, self.kinds[row[2]][colour])
      for _, letter in ipairs(row[3] and self.kinds[row[3]] or { false }) do
        table.insert(all, letter and with(tile, 3, letter) or tile)
      end
    end
  end
  return all, self
end

--- Boards by letter, of lists of boards by thing; `of` are the colours of the lists, all unless given.
---@param of integer[]?
---@return table<string, userdata>
function Coloured:spread(planes, of)
  local all = lists.merge(planes)
  for _, thing in ipairs(self.things) do
    all[thing] = nil
    for i, board in pairs(planes[thing] or {}) do all[self.kinds[thing][of and of[i] or i]] = board end
  end
  return all
end

--- Adds the board of all letters of each thing to those of the letters. Returns the numbers of the colours that there are.
function Coloured:unite(planes)
  local found = {}
  for _, thing in ipairs(self.things) do planes[thing] = planes[self.kinds[thing][1]] end
  for colour = 1, #self.things > 0 and colours or 0 do
    local is_there = false
    for _, thing in ipairs(self.things) do
      local board = planes[self.kinds[thing][colour]]
      if board:any() then planes[thing], is_there = planes[thing] | board, true end
    end
    if is_there then table.insert(found, colour) end
  end
  return found
end

--- Adds to a level the numbers of its colours, and for each thing the list of its boards.
---@param found integer[]
function Coloured:add(level, found)
  if #self.things > 0 then level.colours = found end
  for _, thing in ipairs(self.things) do
    level[thing] = lists.map(found, function(colour) return level[self.kinds[thing][colour]] end)
  end
end

--- The letters of each colour, which may be exchanged.
function Coloured:alike()
  local names = {}
  for colour = 1, colours do
    names[colour] = table.concat(lists.map(self.things, function(thing) return self.kinds[thing][colour] end))
  end
  return names
end

--- Rows of `look`, those of coloured things once for each colour.
function Coloured:look(rows)
  local all = lists.merge(rows)
  for i in ipairs(rows) do all[i] = nil end
  for _, row in ipairs(rows) do
    for colour, letter in ipairs(self.kinds[row[1]] or { false }) do
      local tinted = letter and { letter, (row[2]:gsub("colour", letters.tint(colour))), sign = row.sign and letter }
      table.insert(all, letter and lists.merge(row, tinted) or row)
    end
  end
  return all
end

return coloured
