-- Tests of the handles of bindings (src/lua/binding.h): a handle that was closed says so, and closing it twice does nothing.
local csv = require "libcrux.csv"
local errors = require "libcrux.errors"
local journal = require "libcrux.journal"
local luaunit = require "luaunit"
local shell = require "shell"

local Handles = {}

function Handles.test_closed_handles()
  local path = shell.path "handles.journal"
  for _, case in ipairs {
    { assert(csv.open("datasets/flow.csv", ",")), "columns", "the reader was closed" },
    { assert(journal.open(path, "handles")), "has", "the journal was closed" },
    { errors.new(1, 1), "part", "the object was closed" },
  } do
    local handle, method, message = table.unpack(case)
    luaunit.assertNil(handle.__gc)
    for _ = 1, 2 do
      local closing <close> = handle
    end
    luaunit.assertErrorMsgContains(message, handle[method], handle, 1)
    luaunit.assertErrorMsgContains("expected, got table", handle[method], {}, 1)
  end
end

return { Handles = Handles }
