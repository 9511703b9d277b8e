--- Progress of long work: a line on standard error that is overwritten, if that is a terminal.
local number = require "crux.base.number"
local sinks = require "crux.out.sinks"
local process = require "libcrux.process"
local terminal = require "libcrux.terminal"

local progress = {}

local pause = 0.1 -- seconds between two lines
local erase = "\r\27[K" -- moves to the start of the line and clears it

---@class Progress
---@field total integer?
---@field noun string
---@field done integer
---@field start number    when the work began
---@field drawn number    when a line was last written
---@field is_shown boolean
---@field remark string?  behind the line
---@field file file*?     nil writes no lines
local Progress = {}
Progress.__index = Progress

--- A time, rounded up: 9 s, 2 min 05 s, 3 h 20 min.
function progress.duration(seconds)
  seconds = math.ceil(seconds)
  if seconds < 60 then return ("%d s"):format(seconds) end
  if seconds < 3600 then return ("%d min %02d s"):format(seconds // 60, seconds % 60) end
  local minutes = math.ceil(seconds / 60)
  return ("%d h %02d min"):format(minutes // 60, minutes % 60)
end

--- The line: count, rate and time left.
---@param total integer?
---@param seconds number   since the start
function progress.line(done, total, noun, seconds)
  local count = number.count(done)
  local line = total and ("%s of %s %s"):format(count, number.count(total), noun) or ("%s %s"):format(count, noun)
  if done == 0 or seconds <= 0 then return line end
  local rate = done / seconds
  line = ("%s, %s per second"):format(line, rate < 100 and ("%.3g"):format(rate) or number.count(math.floor(rate + 0.5)))
  if not total then return line end
  return ("%s, %s left"):format(line, progress.duration(math.max(0, total - done) / rate))
end

--- Begins to show progress. Use with <close>.
---@param total integer?   if it is known
---@param noun string      in the plural
function progress.new(total, noun)
  local is_visible = terminal.is_terminal(io.stderr) and os.getenv "TERM" ~= "dumb"
  local now = process.seconds()
  return setmetatable({ total = total, noun = noun, done = 0, start = now, drawn = now, is_shown = false,
    file = is_visible and io.stderr or nil }, Progress)
end

--- Counts n more things as done.
---@param n integer?   1 unless given
function Progress:advance(n)
  self.done = self.done + (n or 1)
  local now = process.seconds()
  if not self.file or now - self.drawn < pause then return end
  self.file:write(erase .. progress.line(self.done, self.total, self.noun, now - self.start),
    self.remark and ", " .. self.remark or "")
  self.drawn, self.is_shown = now, true
end

--- Clears the line.
function Progress:clear()
  if self.is_shown then self.file:write(erase) end
  self.is_shown = false
end

Progress.__close = Progress.clear

--- Writes a message of a worker to the terminal of standard error, on which a line may be shown.
function progress.say(message)
  io.stderr:write(erase)
  sinks.say(message)
end

--- Writes a message in place of the line; the next line is below it.
function Progress:say(message)
  self:clear()
  sinks.say(message)
end

return progress
