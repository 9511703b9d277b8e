--- Plays a game from a level on as the original engine does: a win leads to the next level.
local fault = require "crux.base.fault"

---@class Session
---@field game PuzzleScript
---@field number integer          the level, from 0, messages included
---@field level table             the current level
---@field won boolean             true after a win that no level follows
---@field private play userdata
---@field private has_ended boolean   true if a message or the end follows the level: no level is loaded after a win
local Session = {}
Session.__index = Session

--- Packs the words of all cells into a string.
---@param cells integer[][]
---@return string
function Session.pack(cells)
  local parts, known = {}, {} -- equal cells share a table
  for i, cell in ipairs(cells) do
    known[cell] = known[cell] or string.pack(("i8"):rep(#cell), table.unpack(cell))
    parts[i] = known[cell]
  end
  return table.concat(parts)
end

--- Unpacks the cells from a string of Session.pack.
---@param text string
---@param words integer   words a cell
---@return integer[][]
function Session.unpack(text, words)
  local cells, form, at = {}, ("i8"):rep(words), 1
  for i = 1, #text // (8 * words) do
    local cell = { form:unpack(text, at) }
    at, cell[words + 1] = cell[words + 1], nil
    cells[i] = cell
  end
  return cells
end

--- Starts at a level. `seed` seeds its random numbers; each later level is seeded with the number of the level before it.
---@param game PuzzleScript
---@param number integer   from 0, messages included
---@param seed string
---@return Session
function Session.new(game, number, seed)
  local self = setmetatable({ game = game }, Session)
  self:load(number, seed)
  return self
end

---@private
function Session:load(number, seed)
  local level, following = self.game.levels[number + 1], self.game.levels[number + 2]
  self.number, self.level, self.has_ended = number, level, not following or following.message ~= nil
  self.play = self.game.program:play(level.width, level.height, Session.pack(level.cells), seed, self.has_ended)
  self.won = false
  self:follow(self.play:start())
end

--- Loads the next level after a win, unless a message or the end follows.
---@private
function Session:follow(won, problem)
  if won == nil then fault.raise(problem) end
  self.won = self.won or won
  if not won then return end
  if self.has_ended then return end
  self:load(self.number + 1, "" .. self.number)
end

local others = { undo = true, restart = true }

--- Takes an input: 0 to 4 for up, left, down, right, action; "undo"; "restart"; "tick" for a tick of the clock.
---@param input integer|string
function Session:input(input)
  local play = self.play
  if others[input] then self:follow(play[input](play)) else self:follow(play:input(input == "tick" and -1 or input)) end
end

--- Returns the set of objects of each cell, column by column.
---@return integer[][]
function Session:cells() return Session.unpack(self.play:cells(), self.game.object_words) end

return Session
