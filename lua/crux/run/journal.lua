--- Journals of long runs: the results of steps, so that the same command resumes a run that was stopped.
---
--- The steps of a run have a fixed order. Some steps have facts on which the run depends: options, files and their digests; the
--- facts of a journal and of the resumed run must be equal. The other steps have results, which are read from the journal or
--- appended to it.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local sinks = require "crux.out.sinks"
local digest = require "libcrux.digest"
local journals = require "libcrux.journal"
local file_system = require "libcrux.files"
local process = require "libcrux.process"

local journal = {}

---@alias Fact { [1]: string, [2]: string }   name and value

---@class Step
---@field number integer
---@field item any
---@field digest string       of the item
---@field result any          if the step is done
---@field is_done boolean

---@class Journal
---@field path string
---@field file userdata
---@field step integer        number of the current step
---@field pending table[]     steps of facts, { number, facts }, that are written with the next result
---@field count integer       of things that are done
---@field total integer?      of things, if it is known
---@field noun string         name of a thing, in the singular
---@field is_running boolean  results are being computed
local Journal = {}
Journal.__index = Journal

--- A plain value as text, equal for equal values.
local function text_of(value)
  if type(value) ~= "table" then return ("%q"):format(value) end
  local parts = {}
  for key, field in pairs(value) do table.insert(parts, ("[%q]=%s"):format(key, text_of(field))) end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

local function facts_of(values)
  return lists.map(lists.keys(values), function(name)
    return { name, type(values[name]) == "string" and values[name] or text_of(values[name]) }
  end)
end

--- Opens or creates a journal. No other file is opened for writing later.
---@param words string[]   the command line, for people who read the file
function journal.open(path, words)
  local file, problem = journals.open(path, ("crux %s %s"):format(process.version, table.concat(words, " ")))
  if not file then fault.raise(("%s: %s"):format(path, problem)) end
  return setmetatable({ path = path, file = file, step = 0, pending = {}, count = 0, noun = "level", is_running = false },
    Journal)
end

function Journal:refuse(message)
  self.is_running = false
  fault.raise(("%s: %s"):format(self.path, message))
end

function Journal:check(result, message)
  if not result then self:refuse(message) end
  return result
end

--- Goes to the next step; returns its record in the journal, or nil.
---@return table?
function Journal:advance()
  self.step = self.step + 1
  if not self.file:has(self.step) then return nil end
  local found, problem = self.file:read(self.step)
  if type(found) ~= "table" then self:refuse(problem or "found a record of something else") end
  return found
end

--- The first fact that differs: its name, old value and new value.
local function difference(before, now)
  local was, is = {}, {}
  for _, fact in ipairs(before) do was[fact[1]] = fact[2] end
  for _, fact in ipairs(now) do
    if was[fact[1]] ~= fact[2] then return fact[1], was[fact[1]], fact[2] end
    is[fact[1]] = fact[2]
  end
  for _, fact in ipairs(before) do
    if is[fact[1]] == nil then return fact[1], fact[2], nil end
  end
end

local function made_with(name, was, is)
  local function with(text) return text == "" and name or name .. " " .. text end
  if not was then return ("made without %s, now with %s"):format(name, with(is)) end
  return ("made with %s, now %s"):format(with(was), is and with(is) or "without " .. name)
end

--- Raises a fault if the journal was made with other facts.
---@param tell nil|fun(name: string, was: string?, is: string?): string   the message about a fact; made_with unless given
function Journal:agree(facts, tell)
  local found = self:advance()
  if not found then
    table.insert(self.pending, { self.step, facts })
    return
  end
  local name, was, is = difference(self:check(found.facts, "made by another run"), facts)
  if name then self:refuse((tell or made_with)(name, was, is)) end
end

--- Begins a run; raises a fault if the journal is of another version or command line.
---@param options table<string, string>   options and arguments on which results depend
function Journal:begin(command, options)
  local facts = facts_of(options)
  table.insert(facts, 1, { "crux", process.version })
  table.insert(facts, 2, { "the command", command })
  self:agree(facts)
end

--- Raises a fault if the journal was made with other files or other contents of them.
---@param paths string[]   of plain files
function Journal:files(paths)
  local facts = {}
  for i, path in ipairs(paths) do
    if path == "-" or file_system.is_regular(path) == false then
      fault.at(path, "no plain file", "one, as --resume has to tell whether it has changed")
    end
    facts[i] = { path, digest.file(path) }
  end
  self:agree(facts, function(path, was, is)
    return ("%s %s since"):format(path, not was and "is new" or not is and "is gone" or "has changed")
  end)
end

--- The number of things in an item, which may be a list.
local function size_of(item) return type(item) == "table" and #item > 0 and #item or 1 end

--- The name of an item in messages.
local function name_of(item)
  local first = type(item) == "table" and (item[1] or item) or {}
  return first.name and ("level '%s'"):format(first.name) or "what it is about"
end

--- Goes to the next step, which has a result.
---@param item any   plain
function Journal:take(item)
  local step = { item = item, digest = digest.text(text_of(item)) }
  local found = self:advance()
  step.number = self.step
  if not found then return step end
  if found.item ~= step.digest then self:refuse(name_of(item) .. " has changed since") end
  step.is_done, step.result = true, found.result
  self.count = self.count + size_of(item)
  return step
end

--- Appends the result of a step.
---@param result any   plain
function Journal:put(step, result)
  for _, waiting in ipairs(self.pending) do self:check(self.file:append(waiting[1], { facts = waiting[2] })) end
  self.pending = {}
  self:check(self.file:append(step.number, { item = step.digest, result = result }))
  self.count = self.count + size_of(step.item)
end

--- The result of a function, from the journal or computed and appended.
---@param noun string   of the result, such as "evaluation"
---@param compute fun(): any   plain
function Journal:result(noun, compute)
  self.noun = noun
  local step = self:take(noun)
  if step.is_done then return step.result end
  self.is_running = true
  local result = compute()
  self:put(step, result)
  self.is_running = false
  return result
end

--- Iterates over items and results as jobs.map does; gives the items that are not done to `map`. Lost items are not done.
---@param items fun(): any
---@param map fun(items: fun(): any): function, any, any, any   of jobs.map
function Journal:map(setup, items, map)
  self:agree(facts_of(setup))
  local queue, first, last = {}, 1, 0 -- steps that were read and not yet returned
  local unsent, is_open = nil, true -- the last step, if it was not yet given to `map`
  local function read()
    if not is_open then return nil end
    is_open = false -- in case items() raises
    local item = items()
    is_open = item ~= nil
    if not is_open then return nil end
    last = last + 1
    queue[last] = self:take(item)
    return queue[last]
  end
  local function missing()
    local step = unsent or read()
    while step and step.is_done do step = read() end
    unsent = nil
    return step and step.item
  end
  local results, _, _, pool = map(missing)
  local function step_on()
    if first > last then unsent = read() end
    local step, item, result, lost = queue[first]
    if step and step.is_done then
      item, result = step.item, step.result
    else
      item, result, lost = results()
      if item == nil then return nil end
      if not lost then self:put(step, result) end
    end
    queue[first], first = nil, first + 1
    return item, result, lost
  end
  self.is_running = true
  local function close(_, problem)
    local closing <close> = pool
    self.is_running = self.is_running and problem ~= nil
  end
  return step_on, nil, nil, setmetatable({}, { __close = close })
end

--- Closes the journal after the output is written.
function Journal:finish()
  self:check(self.file:close())
  self.file = nil
end

--- Tells how much is done if the run has not ended.
function Journal:__close(problem)
  if not self.file then return end
  self.file:close()
  if not problem or not self.is_running or self.count == 0 then return end
  local all = self.total or self.count
  sinks.say(("crux: %s%s %s in %s; the same command goes on with %s"):format(self.total and number.count(self.count) .. " of "
    or "", number.count(all, self.noun), all == 1 and "is" or "are", self.path, all == 1 and "it" or "them"))
end

return journal
