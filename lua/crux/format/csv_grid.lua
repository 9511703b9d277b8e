--- Reading grids of spreadsheets, saved as CSV: a cell a square, which holds what the cell says.
local tile_map = require "crux.format.tile_map"

local csv_grid = {}

--- True if the first line has several fields, and is not the name of a level in crux's own text: "; NAME".
function csv_grid.is_one(text, path)
  return path:find "%.csv$" and text:find "^[^\r\n]*[,;\t]" and not text:find "^; "
end

--- The fields of a line, separated by commas, semicolons or tabs; quoted ones have no line ends.
local function fields_of(line)
  local fields, at = {}, 1
  while at <= #line + 1 do
    local quoted, behind = line:match('^"(.-)"()[,;\t]', at)
    if not quoted then quoted, behind = line:match('^"([^"]*)"()$', at) end
    local field = quoted or line:match("^[^,;\t]*", at)
    table.insert(fields, (field:match "^%s*(.-)%s*$"))
    at = (behind or at + #field) + 1
  end
  return fields
end

--- The grid of a file as one map: as many columns as the longest row has, up to the last row that is not empty.
---@return TileMap[]
function csv_grid.read(text, path)
  local rows, width, height = {}, 0, 0
  for line in text:gmatch "([^\r\n]*)\r?\n?" do
    local row = fields_of(line)
    table.insert(rows, row)
    for x, field in ipairs(row) do
      if field ~= "" then width, height = math.max(width, x), #rows end
    end
  end
  tile_map.check_size(path, width, height)
  local cells = {}
  for y = 1, height do
    for x = 1, width do
      local field = rows[y][x] or ""
      table.insert(cells, field ~= "" and field or 0)
    end
  end
  local function names(field) return { field, math.tointeger(field) } end
  local layers = { { name = "cells", cells = cells, names = names } }
  return { { path = path, width = width, height = height, notes = {}, layers = layers } }
end

return csv_grid
