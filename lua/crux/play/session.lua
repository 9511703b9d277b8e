--- Playing one level: the position, keys, undo, hints, and counts of moves and time. Uses no terminal.
local vocabulary = require "crux.symbolic.vocabulary"

local function keys_of(rows)
  local keys = {}
  for _, row in ipairs(rows) do
    for key in row[1]:gmatch "%S+" do keys[key] = true end
  end
  return keys
end

---@class Session
---@field level table
---@field rules Rules
---@field position any
---@field private hinted any      the position that a hint shows until the next key
---@field moves integer         made so far, with those that were undone
---@field standing integer      moves since the start or the restart, without those that were undone
---@field losses integer        moves that lost
---@field lost_by string?       cause of the last loss in this attempt, if the game names causes
---@field seconds number        the player's time so far
---@field message string        about the last key
---@field before any           the position before the last key, if that made a move
---@field solution Solution?
---@field private ended { moves: integer, losses: integer, seconds: number }   sums of the attempts that have ended
---@field private before_restart fun()?
---@field private history { position: any, standing: integer }[]   what undo restores, the last one first
---@field private future { position: any, standing: integer }[]    what redo restores
---@field private keys table<string, true>
local Session = {}
Session.__index = Session

--- Begins to play a level.
---@param before_restart fun()?   called when the player restarts after at least one move
---@return Session
function Session.new(rules, level, before_restart)
  vocabulary.enable()
  return setmetatable({ rules = rules, level = level, position = rules.start(level), moves = 0, standing = 0, losses = 0,
    seconds = 0, ended = { moves = 0, losses = 0, seconds = 0 }, before_restart = before_restart, message = "", history = {},
    future = {}, keys = keys_of(rules.keys) }, Session)
end

function Session:done() return not not self.rules.done(self.position, self.level) end

--- Returns true if the last move lost, or the cause of the loss if the game names causes; else false.
---@return boolean|string
function Session:lost() return self.rules.lost and self.rules.lost(self.position) or false end

--- The counts of the attempt that goes on.
---@return { moves: integer, losses: integer, seconds: number, lost_by: string? }
function Session:counts()
  local counts = { lost_by = self.lost_by }
  for name, before in pairs(self.ended) do counts[name] = self[name] - before end
  return counts
end

--- Ends an attempt; the counts of the next one begin at 0.
function Session:end_attempt()
  for name in pairs(self.ended) do self.ended[name] = self[name] end
  self.lost_by = nil
end

--- Adds to the player's time, unless the level is solved.
function Session:pass(seconds)
  if not self:done() then self.seconds = self.seconds + seconds end
end

--- Sets the position; undo restores the one before.
function Session:push(position)
  table.insert(self.history, { position = self.position, standing = self.standing })
  self.position, self.future = position, {}
end

--- Goes to the last position of a list, and adds the one of now to another list.
function Session:swap(from, to, nothing)
  local last = table.remove(from)
  if not last then
    self.message = nothing
    return
  end
  table.insert(to, { position = self.position, standing = self.standing })
  self.position, self.standing = last.position, last.standing
end

function Session:undo() self:swap(self.history, self.future, "nothing to undo") end

function Session:redo() self:swap(self.future, self.history, "nothing to redo") end

--- Tells whether there is something to undo, and to redo.
---@return boolean, boolean
function Session:can_undo() return #self.history > 0, #self.future > 0 end

--- Calls a function that presses keys; undo takes back at once all that they do.
function Session:together(press)
  local first, before = #self.history + 1, { position = self.position, standing = self.standing }
  press()
  if self.history[first] then self.history[first] = before end
  for i = #self.history, first + 1, -1 do self.history[i] = nil end
end

--- Puts a text in front of the message.
function Session:say_first(text) self.message = text .. (self.message ~= "" and "; " .. self.message or "") end

function Session:restart()
  if #self.history == 0 then return end
  if self.before_restart and self.moves > self.ended.moves then self.before_restart() end
  self:push(self.rules.start(self.level))
  self.standing = 0
end

--- Counts a loss, if the last move lost.
function Session:count_loss()
  local cause = self:lost()
  if not cause then return end
  self.losses = self.losses + 1
  self.lost_by = type(cause) == "string" and cause or nil
end

function Session:step(key)
  local position, counts = self.rules.step(self.position, key, self.level)
  if position == nil or rawequal(position, self.position) then return end
  if counts == false then
    self.position = position
  else
    local before = self.position
    self:push(position)
    if counts == "mark" then return end
    self.before = before
    self.moves, self.standing = self.moves + 1, self.standing + 1
    self:count_loss()
  end
end

--- The message about a loss; nil without one.
local function loss(session)
  local cause = session:lost()
  return cause and ("lost%s: u undoes, r restarts"):format(type(cause) == "string" and (" (%s)"):format(cause) or "")
end

--- Tells whether a key of the game does something now.
---@return boolean
function Session:can(key)
  local position = self.rules.step(self.position, key, self.level)
  return position ~= nil and not rawequal(position, self.position)
end

--- Takes a key: one of the game, u, redo, r or ?. Other keys do nothing. After the level is solved, no key does anything.
function Session:press(key)
  self.message, self.hinted, self.before = "", nil, nil
  if self:done() then return end
  if key == "u" then
    self:undo()
  elseif key == "redo" then
    self:redo()
  elseif key == "r" then
    self:restart()
  elseif self:lost() then
    self.message = loss(self)
  elseif key == "?" then
    self.hinted, self.message = self.rules.hint(self.position, self)
  elseif self.keys[key] then
    self:step(key)
  end
  if self.message == "" then self.message = loss(self) or "" end
end

--- The distance from the cursor to a place, in columns or in rows; nil without a cursor.
local function distance(session, axis, place)
  local at = table.pack(session:spot())[axis]
  return at and place - at
end

--- Presses arrows that move the cursor nearer to a place of the drawing, or of the picture if the game paints positions: along
--- the row, the column, and the row again, as there may be no place on the way.
function Session:point(column, row)
  for _, axis in ipairs { 1, 2, 1 } do
    local place, arrows = axis == 1 and column or row, axis == 1 and { "left", "right" } or { "up", "down" }
    local rest = distance(self, axis, place)
    while rest and rest ~= 0 do
      local position, moves, before = self.position, self.moves, rest
      self:press(rest < 0 and arrows[1] or arrows[2])
      rest = distance(self, axis, place)
      if rest and math.abs(rest) >= math.abs(before) then
        if self.moves == moves then self.position = position end -- back to the nearest place
        break
      end
    end
  end
end

--- Returns true if the cursor holds a thing, which the arrows then move.
function Session:holds() return self.rules.holds ~= nil and not not self.rules.holds(self.position) end

function Session:shown()
  if self.hinted ~= nil then return self.hinted end
  return self.position
end

--- The lines of the drawing of what the player sees.
function Session:draw()
  local lines = {}
  local text = self.rules.draw(self:shown(), self.level)
  text = text:sub(1, (text:find "[^\n]\n*$") or 0) .. "\n"
  for line in text:gmatch "([^\n]*)\n" do table.insert(lines, line) end
  return lines
end

--- The picture of what the player sees; nil without one.
---@return Painting?
function Session:paint() return self.rules.paint and self.rules.paint(self:shown(), self.level) end

--- The cursor's place in what a browser shows: its square in the picture, else its column and row in the drawing; nil without
--- one.
---@return integer?, integer?
function Session:spot()
  local find = self.rules.square or self.rules.cursor
  if find then return find(self.position, self.level) end
end

--- The cursor's column and row in the drawing; nil without one.
---@return integer?, integer?
function Session:cursor()
  if self.rules.cursor then return self.rules.cursor(self:shown(), self.level) end
end

return Session
