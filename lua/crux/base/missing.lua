--- The end of a message about a file that does not exist: the file that may be meant.
local file_system = require "libcrux.files"
local home = require "libcrux.home"
local nearest = require "crux.base.nearest"

local missing = {}

local function exists(path) return file_system.is_regular(path) ~= nil end

--- The stem and the ending, such as ".csv", of a file's name; the ending is nil if the name has none.
local function parts(name)
  local stem, ending = name:match "^(.+)(%.[^.]*)$"
  return stem or name, ending
end

--- The file beside a path whose stem is nearest, and that stem; nil if none is near.
---@param ending string?   the file's; any one without
local function beside(path, ending)
  local folder, name = path:match "^(.-)([^/]*)$"
  local stems, files = {}, {}
  for _, file in ipairs(file_system.list(folder == "" and "." or folder) or {}) do
    local stem, its_ending = parts(file)
    if file ~= name and (not ending or its_ending == ending) then -- a link of that name may lead nowhere
      table.insert(stems, stem)
      files[stem] = file
    end
  end
  table.sort(stems)
  local best = nearest.of(parts(name), stems)
  return best and folder .. files[best], best
end

--- The file of crux's own, of the same path or in datasets/, or the nearest one beside the path; nil if there is neither.
---@param has_ending boolean   the path's name has one
local function meant(path, is_dataset, has_ending)
  local inside = path:gsub("^[./]*/", "") .. (is_dataset and not has_ending and ".csv" or "")
  for _, place in ipairs(is_dataset and { "datasets/", home .. "/datasets/", home .. "/" } or { home .. "/" }) do
    if exists(place .. inside) then return place .. inside end
  end
  local near = beside(path, path:match "%.[^./]*$" or is_dataset and ".csv" or nil)
  if near or not is_dataset then return near end
  local own, stem = beside(("%s/datasets/%s"):format(home, inside:match "[^/]*$"), ".csv")
  return own and nearest.is_slip(parts(inside:match "[^/]*$"), stem) and own or nil
end

--- The hint, such as "; did you mean 'levels.csv'?"; empty if no file is near.
---@param problem string?       the system's message; without it, nothing is there
---@param is_dataset boolean?   a CSV file is expected, whose ending may be left out
function missing.hint(path, problem, is_dataset)
  if problem and not problem:find "No such file or directory$" then return "" end
  local has_ending = select(2, parts(path:match "[^/]*$")) ~= nil
  local file = meant(path, is_dataset, has_ending)
  if file then return ("; did you mean '%s'?"):format(file) end
  return is_dataset and not has_ending and ("; expected a file such as '%s/datasets/flow.csv'"):format(home) or ""
end

return missing
