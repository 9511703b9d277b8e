--- Tells datasets from level files, by what the files hold.
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local file_system = require "libcrux.files"

local content = {}

--- True if columns look like a header: several names that begin with a letter, which may be separated by another delimiter.
local function is_header(data)
  for _, column in ipairs(data.columns) do
    if not column:find "^[%a_\128-\255]" then return false end
  end
  return #data.columns > 1 or data:delimiter_hint() ~= nil
end

--- Tells whether an input is a dataset, not levels: its header names a measure, or looks like a header and no game reads it.
--- Where the text says nothing, as in an empty file, the name does. A pipe, which can be read once, is a dataset.
---@param delimiter string?
---@param measures string[]           known ones
---@param reads fun(path: string): boolean?   whether a game reads the levels of the file
function content.is_dataset(path, delimiter, measures, reads)
  local is_named = path:find "%.csv$" ~= nil or path:find "%.csv%.gz$" ~= nil or path:find "%.csv%.zst$" ~= nil
  if path == "-" or file_system.is_regular(path) == false then return not file_system.list(path) end
  local ok, data = fault.catch(dataset.open, path, { delimiter = delimiter })
  if ok and #lists.select(measures, function(measure) return data.has[measure] end) > 0 then return true end
  return (is_named or ok and is_header(data)) and not reads(path)
end

return content
