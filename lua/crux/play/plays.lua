--- The plays of a player in a study: a CSV file to which a row is appended when an attempt at a level ends, because the player
--- solves the level, skips it or restarts. crux.data.study reads such files.
local csv = require "libcrux.csv"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local record = require "crux.play.record"

local plays = {}

--- The columns of plays.
---@param enjoyment boolean   the study asks for it
function plays.columns(enjoyment)
  return lists.concat({ "player", "level", "position", "attempt", "rating" }, enjoyment and { "enjoyment" } or {},
    { "time", "moves_used", "solved", "skipped", "losses", "lost_by", "tutorial" })
end

---@class Plays
---@field record Record
---@field finished table<string, boolean>       by level: solved or skipped
---@field rows PlayRow[]                        of the file when it was opened
---@field private attempts table<string, integer>    by level
---@field private positions table<string, integer>   by level
---@field private levels integer                with a row
local Plays = {}
Plays.__index = Plays

---@class PlayRow
---@field player string
---@field level string
---@field rating number        NaN without one
---@field finished boolean     the level is solved or skipped
---@field place string

--- Raises a fault if two levels have the same name: a study identifies levels by name.
---@param entries { name: string, path: string }[]
function plays.check_names(entries)
  local seen = {}
  for _, entry in ipairs(entries) do
    if seen[entry.name] then
      fault.at(entry.path, ("a level '%s', as in %s"):format(entry.name, seen[entry.name]), "different names, to record them")
    end
    seen[entry.name] = entry.path
  end
end

function Plays:count(level, finished)
  if not self.positions[level] then
    self.levels = self.levels + 1
    self.positions[level] = self.levels
  end
  self.attempts[level] = (self.attempts[level] or 0) + 1
  self.finished[level] = self.finished[level] or finished or nil
end

--- Opens a file for appending; a new one is created with its first row. Use with <close>.
---@param planned Planned?   of a study by plan, whose records have one program each
---@return Plays
function plays.open(path, player, planned)
  local enjoyment = planned and planned.questions.enjoyment
  local earlier = { "player", "level", "rating", "time", "moves_used", "skipped" } -- a row a level
  local self = setmetatable({ finished = {}, rows = {}, attempts = {}, positions = {}, levels = 0 }, Plays)
  self.record = record.open(path, player, { plays.columns(enjoyment),
    lists.concat(earlier, enjoyment and { "enjoyment" } or {}, planned and { "tutorial" } or {}) }, planned ~= nil)
  for i, row in ipairs(self.record.rows) do
    local finished = not self.record.has.solved or row.solved == "1" or row.skipped == "1"
    local rating = csv.number(row.rating)
    if not rating then fault.at(row.place .. ": column 'rating'", fault.show(row.rating), "a number") end
    self.rows[i] = { player = row.player, level = row.level, rating = rating, finished = finished, place = row.place }
    if row.player == player then self:count(row.level, finished) end
  end
  return self
end

--- The row of the attempt that goes on, without the player, the position and the number of the attempt.
---@param row { level: string, rating: integer?, enjoyment: integer?, solved: boolean?, skipped: boolean?, tutorial: boolean? }
function plays.attempt(session, row)
  local counts = session:counts()
  return lists.merge(row, { time = math.floor(counts.seconds * 10 + 0.5) / 10, moves_used = counts.moves,
    losses = counts.losses, lost_by = counts.lost_by, solved = row.solved and 1 or 0, skipped = row.skipped and 1 or 0,
    tutorial = row.tutorial and 1 or 0 })
end

--- Appends a row about the attempt at a level that ends. A file with a row a level, of an earlier version, gets the finished
--- ones alone, with the sums of all attempts.
---@param row table   of plays.attempt
function Plays:add(session, row)
  local finished = row.solved or row.skipped or false
  if not finished and not self.record.has.solved then return end
  local attempt = plays.attempt(session, row)
  session:end_attempt()
  self:count(row.level, finished)
  self.record:append(lists.merge(attempt, { position = self.positions[row.level], attempt = self.attempts[row.level] }))
end

function Plays:__close() self.record:__close() end

return plays
