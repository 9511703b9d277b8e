--- A worker of `crux serve`, which serves the players that crux.serve.front gives it.
local budget = require "libcrux.budget"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local Server = require "crux.serve.server"
local sinks = require "crux.out.sinks"
local store = require "crux.serve.store"
local studies = require "crux.serve.study"
local wall = require "libcrux.wall"

--- Opens a database, raises the wall, and returns the function of a worker's items: first true, when there is no script yet;
--- then a Served; then lists of requests, for which it returns the answers.
---@param path string   of the database
return function(path)
  local opened, given, study, server = store.open(path, false), nil, nil, nil
  wall.raise()
  local function load()
    local loaded = studies.open(given.study, given.levels, given.is_preview)
    for name, names in pairs(given.names) do
      local block = loaded.by_name[name]
      block.list = lists.pick(block.levels, names)
    end
    study, server = loaded, Server.new(loaded, opened, given.may_differ)
  end
  --- Loads the study again, as its script may have been stopped between two changes. If the script has been edited and is wrong
  --- now, the study stays as it is.
  local function renew()
    study.was_stopped = false
    local ok, problem = pcall(load)
    if ok then return end
    if not budget.forget() and budget.stopped() then error(problem, 0) end
    sinks.say(fault.message(problem))
  end
  return function(item)
    if item == true then return true end
    if server then
      local answers = server:answer_all(item)
      if study.was_stopped then renew() end
      return answers
    end
    collectgarbage("incremental", 200, 1) -- small steps; Lua's own make some answers wait for 15 ms
    given = item
    budget.set(given.limits)
    load()
    return true
  end
end
