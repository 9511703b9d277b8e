--- Plays a game from a level on as the original engine does: a win leads to the next level.
local fault = require "crux.base.fault"
local grid = require "crux.puzzlescript.grid"
local levels = require "crux.puzzlescript.levels"

---@class PuzzleScriptSession
---@field game PuzzleScript
---@field number integer          the level, from 0, messages included
---@field level table             the current level
---@field won boolean             true after a win that no level follows
---@field private play userdata
---@field private has_ended boolean   true if a message or the end follows the level: no level is loaded after a win
local Session = {}
Session.__index = Session

--- Starts at a level. `seed` seeds its random numbers; each later level is seeded with the number of the level before it.
---@param game PuzzleScript
---@param number integer   from 0, messages included
---@return PuzzleScriptSession
function Session.new(game, number, seed)
  local self = setmetatable({ game = game }, Session)
  self:load(number, seed)
  return self
end

---@private
function Session:load(number, seed)
  local level, following = levels.of(self.game, number), self.game.levels[number + 2]
  self.number, self.level, self.has_ended = number, level, not following or following.message ~= nil
  self.play = self.game.program:play(level.width, level.height, grid.pack(level.cells), seed, self.has_ended)
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
function Session:cells() return grid.unpack(self.play:cells(), self.game.object_words) end

return Session
