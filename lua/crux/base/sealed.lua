--- Tables of crux that scripts see and cannot change. What a step reads of them is the same for all levels.
local sealed = {}

--- These tables, and those behind them.
---@type table<table, true>
local constant = setmetatable({}, { __mode = "k" })

--- A table of these fields, which nobody changes any more.
---@param name string       the table's, in messages
---@param call function?    called when a script calls the table
function sealed.new(name, fields, call)
  local function refuse() error(("found an assignment to a field of %s, expected none"):format(name), 2) end
  local function following(_, key) return next(fields, key) end
  local meta = { __metatable = false, __index = fields, __newindex = refuse, __call = call,
    __pairs = function() return following end }
  local new = setmetatable({}, meta)
  constant[new], constant[meta], constant[fields] = true, true, true
  return new
end

function sealed.has(t) return constant[t] end

return sealed
