--- Reads levels: from rows of characters to sets of objects.
local parser = require "crux.puzzlescript.parser"
local program = require "crux.puzzlescript.program"

local levels = {}

--- Returns the set of objects that a character of a level stands for.
local function glyph(game, character, refuse)
  if not game.source.names[character] then
    refuse(("Error, symbol \"%s\", used in map, not found."):format(character))
  end
  if game.properties[character] then
    refuse(("Error, symbol \"%s\" is defined using OR, and therefore ambiguous - it cannot be used in a map. "
      .. "Did you mean to define it in terms of AND?"):format(character))
  end
  return program.set_of(game, character)
end

--- Returns the set of the objects on the layer of an object.
local function layer_of(game, object)
  local set, layer = {}, game.objects[object].layer
  for i = 1, game.object_words do set[i] = 0 end
  for _, name in ipairs(game.source.layers[layer + 1]) do
    local number = game.objects[name].number
    if game.objects[name].layer == layer then set[number // 64 + 1] = set[number // 64 + 1] | 1 << number % 64 end
  end
  return set
end

--- Returns the first background object in the level, else that of the game, and the set of the objects of its layer.
local function background_of(game, cells)
  local object = game.properties.background and game.properties.background[1] or game.synonyms.background or "background"
  local layer = layer_of(game, object)
  for _, cell in ipairs(cells) do
    for i, word in ipairs(cell) do
      if word & layer[i] ~= 0 then
        local set = {}
        for k = 1, #cell do set[k] = cell[k] & layer[k] end
        return set, layer
      end
    end
  end
  return program.set_of(game, object), layer
end

--- Returns a set of objects with the background added if it has no object of that layer.
local function with_background(set, background, layer)
  for i = 1, #set do
    if set[i] & layer[i] ~= 0 then return set end
  end
  local result = {}
  for i = 1, #set do result[i] = set[i] | background[i] end
  return result
end

--- Reads a level from rows of text. Equal cells share one table.
---@param game PuzzleScript
---@param rows string[]
---@param refuse fun(row: integer, message: string)
---@return table   { cells = integer[][], column by column, rows =, width =, height = }
function levels.read(game, rows, refuse)
  local of_rows, cells, sets = {}, {}, {}
  for y, row in ipairs(rows) do
    local list = {}
    for character in row:gmatch ".[\128-\191]*" do
      local set = sets[character]
      if not set then
        set = glyph(game, character, function(message) refuse(y, message) end)
        sets[character] = set
      end
      list[#list + 1] = set
    end
    of_rows[y] = list
  end
  local width, height = #of_rows[1], #rows
  for x = 1, width do
    for y = 1, height do
      local list = of_rows[y]
      cells[#cells + 1] = list[x] or list[#list]
    end
  end
  local background, layer = background_of(game, cells)
  local finished = {}
  for _, set in pairs(sets) do finished[set] = with_background(set, background, layer) end
  for i, set in ipairs(cells) do cells[i] = finished[set] end
  return { cells = cells, rows = rows, width = width, height = height }
end

--- Returns a function that refuses a row of a level in the game's file.
local function refuser(game, level)
  return function(row, message) parser.refuse(game.source, level.line + row - 1, message) end
end

--- Returns a pattern that finds a character that is no name of one byte.
local function strange(game)
  local names = {}
  for name in pairs(game.source.names) do
    if #name == 1 and not game.properties[name] then table.insert(names, (name:gsub("%p", "%%%0"))) end
  end
  return "[^\n" .. table.concat(names) .. "]"
end

--- Refuses a level of the game's file with a character that stands for nothing. Reads only levels with strange characters.
---@param game PuzzleScript
---@param level string[]   its rows, with line =
function levels.check(game, level)
  game.strange = game.strange or strange(game)
  for _, row in ipairs(level) do
    if row:find(game.strange) then return levels.read(game, level, refuser(game, level)) end
  end
end

--- Reads a level of the game's file.
---@param game PuzzleScript
---@param number integer   from 0, messages included
function levels.of(game, number)
  local level = game.levels[number + 1]
  return levels.read(game, level, refuser(game, level))
end

return levels
