--- Playing a game from a level on, as the original does: a level that is won leads to the next one.
local fault = require "crux.base.fault"
local puzzlescript = require "libcrux.puzzlescript"

---@class Session
---@field game PuzzleScript
---@field number integer          of the level, from 0, with messages
---@field level table             that is played
---@field won boolean             the last level
---@field private program userdata
---@field private play userdata
---@field private has_ended boolean   a message, or the end, follows: nothing more is won
local Session = {}
Session.__index = Session

--- The words of all cells of a level as a string.
---@param cells integer[][]
---@return string
function Session.pack(cells)
  local parts, known = {}, {} -- many cells are one table
  for i, cell in ipairs(cells) do
    known[cell] = known[cell] or string.pack(("i8"):rep(#cell), table.unpack(cell))
    parts[i] = known[cell]
  end
  return table.concat(parts)
end

--- The cells in such a string.
---@param text string
---@param words integer   of a cell
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

---@param game PuzzleScript
---@return userdata
function Session.program(game) return fault.check(puzzlescript.new(game.program)) end

--- Begins with a level; `seed` is that of chance, another one for the levels that follow.
---@param game PuzzleScript
---@param number integer   from 0, messages counted
---@param seed string
---@return Session
function Session.new(game, number, seed)
  local self = setmetatable({ game = game, program = Session.program(game) }, Session)
  self:load(number, seed)
  return self
end

---@private
function Session:load(number, seed)
  local level, following = self.game.levels[number + 1], self.game.levels[number + 2]
  self.number, self.level, self.has_ended = number, level, not following or following.message ~= nil
  self.play = self.program:play(level.width, level.height, Session.pack(level.cells), seed, self.has_ended)
  self.won = false
  self:follow(self.play:start())
end

--- Goes on to the next level when one is won, and there is one behind it.
---@private
function Session:follow(won, problem)
  if won == nil then fault.raise(problem) end
  self.won = self.won or won
  if not won then return end
  if self.has_ended then return end
  self:load(self.number + 1, "" .. self.number)
end

local others = { undo = true, restart = true }

--- Takes an input: 0 to 4 for up, left, down, right, action; "undo", "restart", or "tick" for time that passes.
---@param input integer|string
function Session:input(input)
  local play = self.play
  if others[input] then self:follow(play[input](play)) else self:follow(play:input(input == "tick" and -1 or input)) end
end

--- The objects of each cell, column by column, as sets of words.
---@return integer[][]
function Session:cells() return Session.unpack(self.play:cells(), self.game.object_words) end

return Session
