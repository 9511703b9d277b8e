--- A worker of `crux serve`, which serves the players that crux.serve.front gives it.
local budget = require "libcrux.budget"
local lists = require "crux.base.lists"
local Server = require "crux.serve.server"
local store = require "crux.serve.store"
local studies = require "crux.serve.study"

--- Opens a database and returns the function of a worker's items: first true, when there is no script yet; then the name of a
--- study, its levels, their order and the limits on scripts; then lists of requests, for which it returns the answers.
---@param path string   of the database
return function(path)
  local opened, server = store.open(path, false), nil
  return function(item)
    if item == true then return true end
    if server then return server:answer_all(item) end
    collectgarbage("incremental", 200, 1) -- small steps; Lua's own make some answers wait for 15 ms
    budget.set(item.limits)
    local study = studies.open(item.study, item.levels)
    if item.names then study.list = lists.pick(study.levels, item.names) end
    server = Server.new(study, opened)
    return true
  end
end
