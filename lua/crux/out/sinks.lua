--- Places that results are written to: files and folders, which appear whole or not at all, and standard output.
local budget = require "libcrux.budget"
local compression = require "libcrux.compression"
local fault = require "crux.base.fault"
local number = require "crux.base.number"
local plain = require "crux.base.plain"
local file_system = require "libcrux.files"
local terminal = require "libcrux.terminal"

local sinks = {}

---@class Sink
---@field file file*
---@field path string?         nil for standard output
---@field temporary userdata?  the file until it is renamed; nil for a device or pipe
---@field target string?       its final name
---@field compressor userdata|false|nil   of a file of .gz or .zst
---@field is_terminal boolean  control characters are escaped
---@field waits boolean?       its commit waits for sinks.finish
local Sink = {}
Sink.__index = Sink

---@class FolderSink
---@field path string
---@field sinks Sink[]         files without a final name
---@field count integer        how many of them are written
---@field temporary userdata?  the folder, if it is new
---@field is_complete boolean?
---@field waits boolean?       its commit waits for sinks.finish
local FolderSink = {}
FolderSink.__index = FolderSink

--- Reserved places that are not yet taken, by path; "-" is standard output.
---@type table<string, Sink|FolderSink>
local reserved = {}

--- Complete sinks that wait for sinks.finish.
---@type (Sink|FolderSink)[]
local waiting = {}

--- Takes the place that is reserved for a path, if there is one.
local function take(path)
  local sink = reserved[path]
  reserved[path] = nil
  return sink
end

--- Opens a file, which is replaced by a commit, or standard output, which gets everything at the commit. Use with <close>:
--- without a commit nothing is written.
---@param path string?  nil or "-" for standard output
---@return Sink
function sinks.open(path)
  local sink = take(path or "-")
  if sink then return sink end
  if not path or path == "-" then
    if not file_system.can_write(io.stdout) then fault.at("<stdout>", "it closed", "it open for writing") end
    return setmetatable({ file = fault.check(io.tmpfile()), is_terminal = terminal.is_terminal(io.stdout) }, Sink)
  end
  if file_system.is_regular(path) == false then -- a device or pipe cannot be replaced
    local file = fault.check(io.open(path, "w"))
    return setmetatable({ file = file, path = path, is_terminal = terminal.is_terminal(file) }, Sink)
  end
  local compressor = fault.check(compression.open(path))
  local file, temporary, target = fault.check(file_system.create_beside(path))
  return setmetatable({ file = file, path = path, temporary = temporary, target = target, compressor = compressor }, Sink)
end

--- Opens a folder, new or not, for level files. Use with <close>.
---@param count integer   the most files that will be written
---@return FolderSink
function sinks.open_folder(path, count)
  local folder = take(path)
  if folder then return folder end
  local made = fault.check(file_system.make_folder(path))
  folder = setmetatable({ path = path:gsub("/+$", ""), sinks = {}, count = 0 }, FolderSink)
  if made ~= true then folder.temporary = made end
  local ok, problem = pcall(function()
    local limit = fault.check(file_system.allow_files(count))
    if limit < count then
      fault.at(path, number.count(count, "file"), ("at most %d in a folder, as ulimit -n allows"):format(limit))
    end
    for i = 1, count do folder.sinks[i] = sinks.open(("%s/level-%d"):format(folder.path, i)) end
  end)
  if ok then return folder end
  folder:__close()
  error(problem, 0)
end

--- Opens a place for a later sinks.open or sinks.open_folder: a place that cannot be written is an error before any work is
--- done, and nothing is opened after scripts begin to run. What killed runs have left in that folder is removed.
---@param path string?
---@param count integer?   of files in a folder
function sinks.reserve(path, count)
  if reserved[path or "-"] then fault.raise(("found %s as two outputs, expected different files"):format(path or "-"), 2) end
  local sink = count and sinks.open_folder(path, count) or sinks.open(path)
  reserved[path or "-"] = sink
  if count then file_system.clean(sink.path .. "/") elseif sink.target then file_system.clean(sink.target) end
end

--- Makes the reserved places wait for each other: what is written and what is printed appear together.
function sinks.join()
  for _, sink in pairs(reserved) do sink.waits = true end
end

--- Refuses to write what a stopped command has made: the error that stopped it may have been caught on its way, so that a part
--- is missing.
local function expect_running()
  local message = budget.stopped()
  if message then fault.raise(message) end
end

--- Gives the files that wait their final names, then prints, once. Nothing here takes memory, so that a lack of it prevents
--- all or none.
function sinks.finish()
  expect_running()
  for _, sink in ipairs(waiting) do sink:rename() end
  for _, sink in ipairs(waiting) do
    if not sink.path and sink.waits then sink:print() end
    sink.waits = nil
  end
end

--- Closes reserved places that were not taken, or wait.
function sinks.release()
  for _, sink in ipairs(waiting) do
    sink.waits = nil
    sink:__close()
  end
  for path, sink in pairs(reserved) do
    reserved[path] = nil
    sink:__close()
  end
end

function Sink:check(ok, problem)
  if not ok then fault.raise(("%s: %s"):format(self.path or "<stdout>", problem)) end
end

function Sink:write(...)
  for i = 1, select("#", ...) do
    local text = select(i, ...)
    if self.is_terminal then text = plain.text(text) end
    self:check(self.file:write(self.compressor and self.compressor:add(text) or text))
  end
end

--- Writes a text with control characters escaped.
function Sink:show(text) self:write(plain.text(text)) end

--- Writes a text that has escape sequences of crux.
function Sink:colour(text) self:check(self.file:write(text)) end

--- Writes what is buffered. A temporary file stays open: it is locked until it has its final name.
function Sink:complete()
  if self.compressor then self:check(self.file:write(self.compressor:finish())) end
  self:check(self.file:flush())
  if self.temporary then
    self:check(file_system.settle(self.file))
  elseif self.path then
    self:check(self.file:close())
  end
  self.is_complete = true
end

--- Gives the file its final name.
function Sink:rename()
  if self.temporary then
    fault.check(file_system.rename(self.temporary, self.target))
    self.temporary = nil
    self.file:close()
  end
end

--- Prints what was written for standard output.
function Sink:print() self:check(file_system.copy(self.file, io.stdout)) end

--- Gives the file its final name, or prints; later, if it waits.
function Sink:commit()
  expect_running()
  if not self.is_complete then self:complete() end
  if self.waits then
    table.insert(waiting, self)
  elseif self.path then
    self:rename()
  else
    self:print()
  end
end

function Sink:__close()
  if self.waits and self.is_complete then return end -- sinks.release closes it
  if io.type(self.file) ~= "closed file" then self.file:close() end -- this text takes no memory, as it is there already
  if self.temporary then file_system.remove(self.temporary) end
  self.temporary = nil
end

--- Writes one text to a file of the folder.
function FolderSink:write(name, text)
  self.count = self.count + 1
  local sink = self.sinks[self.count]
  sink.path = ("%s/%s"):format(self.path, name)
  sink.target = sink.path
  sink:write(text)
  sink:complete()
end

function FolderSink:rename()
  for i = 1, self.count do self.sinks[i]:rename() end
  if self.temporary then file_system.keep(self.temporary) end
  self.temporary = nil
end

--- Gives the written files their final names; later, if the folder waits.
function FolderSink:commit()
  expect_running()
  self.is_complete = true
  if self.waits then table.insert(waiting, self) else self:rename() end
end

function FolderSink:__close()
  if self.waits and self.is_complete then return end -- sinks.release closes it
  for _, sink in ipairs(self.sinks) do sink:__close() end
  if self.temporary then file_system.remove(self.temporary) end
  self.sinks, self.temporary = {}, nil
end

--- Writes one text to a file, or to standard output for nil, whole or not at all.
---@param path string?
function sinks.save(path, text)
  local sink <close> = sinks.open(path)
  sink:write(text)
  sink:commit()
end

--- Writes a line to standard error.
function sinks.say(message) io.stderr:write(plain.text(message), "\n") end

return sinks
