--- A worker of `crux workbench`: an engine in a process behind the wall, which reads files and writes none.
local budget = require "libcrux.budget"
local digest = require "libcrux.digest"
local engines = require "crux.workbench.engine"
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local json = require "crux.base.json"
local json_reader = require "crux.base.json_reader"
local lists = require "crux.base.lists"
local natural = require "crux.base.natural"
local process = require "libcrux.process"
local sizes = require "libcrux.sizes"
local text_file = require "crux.base.text_file"
local wall = require "libcrux.wall"

---@class WorkbenchSetup
---@field named { game: string?, rule: string?, data: string? }
---@field inputs string[]   level files and folders
---@field is_alone boolean?   in a page without a server
---@field limits table      on scripts, as libcrux.budget sets them

--- The level files of files and folders: in a folder all but scripts, tables and hidden files.
local function files_of(inputs)
  local paths = {}
  for _, input in ipairs(inputs) do
    local names = file_system.list(input)
    local shown = lists.select(names or {}, function(name)
      return not name:find "^%." and not name:find "%.lua$" and not name:find "%.csv$" and not name:find "%.sh$"
        and file_system.is_regular(input .. "/" .. name) == true
    end)
    natural.sort(shown)
    local folder = input:gsub("/*$", "/"):gsub("^%./", "")
    table.move(lists.map(names and shown or { input }, function(name) return names and folder .. name or name end), 1,
      names and #shown or 1, #paths + 1, paths)
  end
  return paths
end

--- The tables of the folder where crux was started.
local function tables()
  local names = lists.select(file_system.list "." or {}, function(name) return name:find "%.csv$" ~= nil end)
  natural.sort(names)
  return names
end

---@param setup WorkbenchSetup
---@return WorkbenchFiles
local function files(setup)
  local function read(path)
    local text = text_file.read(path, sizes.level_file_bytes, "a text file")
    return text, digest.text(text)
  end
  return { named = setup.named, list = function() return files_of(setup.inputs) end, tables = tables, read = read,
    tell = process.note, sources_of_data = setup.is_alone and "a CSV file with ratings, by Open…"
      or "a CSV file with ratings: --data FILE.csv of crux workbench, or one of its folder at Data" }
end

--- Raises the wall and returns the function of the items { setup, message }: the message is JSON, and so is the `body` of the
--- answer; `write` is what the carrier is to write.
return function()
  wall.raise()
  local engine
  local function answer(item)
    if not engine then
      budget.set(item.setup.limits)
      engine = engines.new(files(item.setup))
    end
    local message = json_reader.read(item.message, "message")
    if type(message) ~= "table" then fault.at("message", fault.show(message), "an object") end
    return engine:answer(message)
  end
  return function(item)
    local ok, answered = fault.catch(answer, item)
    if not ok then answered = { fault = { message = answered.message } } end
    local write = answered.write
    answered.write = nil
    return { body = json.encode(json.of(answered, 20)), write = write }
  end
end
