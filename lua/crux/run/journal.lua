--- Journals of long runs: what each step came to, so that the same command goes on where a run was stopped.
---
--- A run comes to its steps in an order that is always the same. Some say what the run depends on, facts: options, files and
--- their digests; those of a journal and of this run must agree. The others have results, found in the journal or put there.
local fault = require "crux.base.fault"
local number = require "crux.base.number"
local output = require "crux.out.output"
local primitive = require "libcrux.journal"
local system = require "libcrux.system"

local journal = {}

---@alias Fact { [1]: string, [2]: string }   what it is about, and what is so

---@class Step
---@field number integer
---@field item any
---@field digest string       of the item
---@field result any          of a step that is done
---@field is_done boolean

---@class Journal
---@field path string
---@field file userdata
---@field step integer        the number of the last one that this run came to
---@field pending table[]    steps of facts, { number, facts }, that are not yet written: the first result brings them
---@field count integer       things that are done
---@field total integer?      of them, when it is known
---@field noun string         what is counted, a single one
---@field is_running boolean  between two steps of many
local Journal = {}
Journal.__index = Journal

--- A plain value as a text that is the same for the same value.
local function text_of(value)
  if type(value) ~= "table" then return ("%q"):format(value) end
  local parts = {}
  for key, field in pairs(value) do table.insert(parts, ("[%q]=%s"):format(key, text_of(field))) end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

--- Values by name as facts.
local function facts_of(values)
  local facts = {}
  for name, value in pairs(values) do table.insert(facts, { name, type(value) == "string" and value or text_of(value) }) end
  table.sort(facts, function(a, b) return a[1] < b[1] end)
  return facts
end

--- Opens a journal, or makes one; nothing else has to be opened for writing later.
---@param path string
---@param words string[]   the command line, for people who look into the file
---@return Journal
function journal.open(path, words)
  local file, problem = primitive.open(path, ("crux %s %s"):format(system.version, table.concat(words, " ")))
  if not file then fault.raise(("%s: %s"):format(path, problem)) end
  return setmetatable({ path = path, file = file, step = 0, pending = {}, count = 0, noun = "level", is_running = false },
    Journal)
end

--- Raises a fault of the journal itself.
function Journal:refuse(message)
  self.is_running = false
  fault.raise(("%s: %s"):format(self.path, message))
end

function Journal:check(result, message)
  if not result then self:refuse(message) end
  return result
end

--- Comes to the next step; what the journal has of it, or nil.
---@return table?
function Journal:advance()
  self.step = self.step + 1
  if not self.file:has(self.step) then return nil end
  local found, problem = self.file:read(self.step)
  if type(found) ~= "table" then self:refuse(problem or "found a record of something else") end
  return found
end

--- The first fact that is another now: what it is about, what was, what is.
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

--- Refuses a journal that was made with other facts.
---@param facts Fact[]
---@param tell nil|fun(name: string, was: string?, is: string?): string   says what differs; made_with unless given
function Journal:agree(facts, tell)
  local found = self:advance()
  if not found then
    table.insert(self.pending, { self.step, facts })
    return
  end
  local name, was, is = difference(self:check(found.facts, "made by another run"), facts)
  if name then self:refuse((tell or made_with)(name, was, is)) end
end

--- Begins a run: refuses a journal of another version or command line.
---@param command string
---@param said table<string, string>   what the command line says that matters to results: options and arguments
function Journal:begin(command, said)
  local facts = facts_of(said)
  table.insert(facts, 1, { "crux", system.version })
  table.insert(facts, 2, { "the command", command })
  self:agree(facts)
end

--- Refuses a journal that was made with other files, or with others in them.
---@param paths string[]   of plain files
function Journal:files(paths)
  local facts = {}
  for i, path in ipairs(paths) do
    if path == "-" or system.is_regular(path) == false then
      fault.at(path, "no plain file", "one, as --resume has to tell whether it has changed")
    end
    facts[i] = { path, primitive.digest_file(path) }
  end
  self:agree(facts, function(path, was, is)
    return ("%s %s since"):format(path, not was and "is new" or not is and "is gone" or "has changed")
  end)
end

--- How many things a step is about: an item may be a list.
local function size_of(item) return type(item) == "table" and #item > 0 and #item or 1 end

--- What an item is called.
local function name_of(item)
  local first = type(item) == "table" and (item[1] or item) or {}
  return first.name and ("level '%s'"):format(first.name) or "what it is about"
end

--- Comes to a step with a result.
---@param item any   plain: what the result is of
---@return Step
function Journal:take(item)
  local step = { item = item, digest = primitive.digest(text_of(item)) }
  local found = self:advance()
  step.number = self.step
  if not found then return step end
  if found.item ~= step.digest then self:refuse(name_of(item) .. " has changed since") end
  step.is_done, step.result = true, found.result
  self.count = self.count + size_of(item)
  return step
end

--- Appends the result of a step.
---@param step Step
---@param result any   plain
function Journal:put(step, result)
  for _, waiting in ipairs(self.pending) do self:check(self.file:append(waiting[1], { facts = waiting[2] })) end
  self.pending = {}
  self:check(self.file:append(step.number, { item = step.digest, result = result }))
  self.count = self.count + size_of(step.item)
end

--- What a function returns, or has returned before.
---@param noun string   what it computes, such as "evaluation"
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

--- Iterates as jobs.map does: over items that are done, with their results, and over the others, which go to `map`. An item
--- that was lost is not done.
---@param setup table
---@param items fun(): any
---@param map fun(items: fun(): any): function, any, any, any   of jobs.map
function Journal:map(setup, items, map)
  self:agree(facts_of(setup))
  local queue, first, last = {}, 1, 0 -- steps that were read and whose turn has not come
  local held, is_open = nil, true -- the last of them, when nobody asked whether it is done
  local function read()
    if not is_open then return nil end
    is_open = false -- should it raise
    local item = items()
    is_open = item ~= nil
    if not is_open then return nil end
    last = last + 1
    queue[last] = self:take(item)
    return queue[last]
  end
  local function missing()
    local step = held or read()
    while step and step.is_done do step = read() end
    held = nil
    return step and step.item
  end
  local results, _, _, pool = map(missing)
  local function step_on()
    if first > last then held = read() end
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

--- Ends a run whose output is written.
function Journal:finish()
  self:check(self.file:close())
  self.file = nil
end

--- Says what is there, when a run did not come to its end.
function Journal:__close(problem)
  if not self.file then return end
  self.file:close()
  if not problem or not self.is_running or self.count == 0 then return end
  local all = self.total or self.count
  output.say(("crux: %s%s %s in %s; the same command goes on with %s"):format(self.total and number.count(self.count) .. " of "
    or "", number.count(all, self.noun), all == 1 and "is" or "are", self.path, all == 1 and "it" or "them"))
end

return journal
