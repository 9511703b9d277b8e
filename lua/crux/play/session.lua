--- One go at a level: the position, keys, undo, hints, and counts of moves and time. No terminal.
local vocabulary = require "libcrux.vocabulary"

--- Other keys for the arrows: a set only when the game has none of its keys.
local aliases = {
  { h = "left", j = "down", k = "up", l = "right" },
  { a = "left", s = "down", w = "up", d = "right" },
}

--- What each key that a player may press means to the rules.
local function meanings(rows)
  local meaning = {}
  for _, row in ipairs(rows) do
    for key in row[1]:gmatch "%S+" do meaning[key] = key end
  end
  for _, set in ipairs(aliases) do
    local free = true
    for key in pairs(set) do free = free and not meaning[key] end
    for key, arrow in pairs(free and set or {}) do meaning[key] = meaning[arrow] end
  end
  return meaning
end

---@class Session
---@field level table
---@field rules Rules
---@field position any
---@field moves integer         made so far: those that were taken back, too
---@field losses integer        how often a move lost
---@field seconds number        that the player had so far
---@field message string        about the last key
---@field solution Solution?
---@field private history any[]
---@field private meaning table<string, string>
local Session = {}
Session.__index = Session

--- Begins to play a level.
---@param rules Rules
---@param level table
---@return Session
function Session.new(rules, level)
  vocabulary.enable()
  return setmetatable({ rules = rules, level = level, position = rules.start(level), moves = 0, losses = 0, seconds = 0,
    message = "", history = {}, meaning = meanings(rules.keys) }, Session)
end

function Session:done() return not not self.rules.done(self.position, self.level) end

function Session:lost() return not not (self.rules.lost and self.rules.lost(self.position)) end

--- Time goes by for the player, until the level is solved.
function Session:pass(seconds)
  if not self:done() then self.seconds = self.seconds + seconds end
end

--- Goes on to a position that undo takes back.
function Session:push(position)
  table.insert(self.history, self.position)
  self.position = position
end

function Session:undo()
  if #self.history == 0 then
    self.message = "nothing to undo"
    return
  end
  self.position = table.remove(self.history)
end

function Session:restart()
  if #self.history > 0 then self:push(self.rules.start(self.level)) end
end

--- Makes the next move of a solution.
function Session:hint()
  local position, said = self.rules.hint(self.position, self)
  self.message = said
  if position == nil then return end
  self:push(position)
  self.moves = self.moves + 1
end

function Session:step(key)
  local position, counts = self.rules.step(self.position, key, self.level)
  if position == nil or rawequal(position, self.position) then return end
  if counts == false then
    self.position = position
  else
    self:push(position)
    self.moves = self.moves + 1
    self.losses = self.losses + (self:lost() and 1 or 0)
  end
end

--- A key is pressed: one of the game's, or u, r or ?. Others do nothing; none does when the level is solved.
---@param key string
function Session:press(key)
  self.message = ""
  if self:done() then return end
  if key == "u" then
    self:undo()
  elseif key == "r" then
    self:restart()
  elseif self:lost() then
    self.message = "lost: u undoes, r restarts"
  elseif key == "?" then
    self:hint()
  elseif self.meaning[key] then
    self:step(self.meaning[key])
  end
  if self:lost() and self.message == "" then self.message = "lost: u undoes, r restarts" end
end

--- The drawing of the position, line by line.
---@return string[]
function Session:draw()
  local lines = {}
  local text = self.rules.draw(self.position, self.level)
  text = text:sub(1, (text:find "[^\n]\n*$") or 0) .. "\n"
  for line in text:gmatch "([^\n]*)\n" do table.insert(lines, line) end
  return lines
end

--- The cursor's column and row in the drawing; nil without one.
---@return integer?, integer?
function Session:cursor()
  if self.rules.cursor then return self.rules.cursor(self.position, self.level) end
end

return Session
