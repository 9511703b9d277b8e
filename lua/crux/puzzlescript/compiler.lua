--- Compiles the text of a game for the engine in C: numbers of objects, the program of its rules, and its levels.
local parser = require "crux.puzzlescript.parser"
local program = require "crux.puzzlescript.program"
local rules = require "crux.puzzlescript.rules"

local compiler = {}

---@class PuzzleScript
---@field source Source
---@field objects table<string, { number: integer, layer: integer }>
---@field object_names table<integer, string>   by number
---@field object_count integer
---@field object_words integer          64-bit words of a set of objects
---@field aggregates table<string, string[]>    objects by name, defined with "and"
---@field properties table<string, string[]>    objects by name, defined with "or"
---@field synonyms table<string, string>
---@field program string               8-byte words
---@field rule_count integer
---@field commands integer              union over the rules: bits, see words.commands
---@field levels table[]                { message = } or { width =, height =, line =, cells = integer[][] }, column by column

local max_objects = 1024 -- CRUX_RULE_MAX_OBJECTS of src/puzzlescript/rule_program.h

--- Numbers the objects and their layers, both from 0.
local function number_objects(game)
  local count = 0
  for layer, names in ipairs(game.source.layers) do
    for _, name in ipairs(names) do
      game.objects[name] = { number = count, layer = layer - 1 }
      game.object_names[count] = name
      count = count + 1
    end
  end
  if count > max_objects then
    parser.refuse(game.source, game.source.layers[1].line, ("found %d objects in layers, expected at most %d"):format(count,
      max_objects))
  end
  game.object_count, game.object_words, game.move_words = count, (count + 63) // 64, (#game.source.layers + 11) // 12
  for _, object in ipairs(game.source.objects) do
    if not game.objects[object.name] then
      parser.refuse(game.source, object.line, ("Object \"%s\" has been defined, but not assigned to a layer.")
        :format(object.name:upper()))
    end
  end
end

--- Resolves the names of the legend to objects.
local function resolve_names(game)
  local source = game.source
  local kinds = { aggregates = source.aggregates, properties = source.properties }
  for kind, entries in pairs(kinds) do
    for _, entry in ipairs(entries) do game[kind][entry[1]] = table.move(entry, 2, #entry, 1, {}) end
  end
  for _, entry in ipairs(source.synonyms) do
    local name, target = entry[1], entry[2]
    target = game.synonyms[target] or target
    if game.aggregates[target] then game.aggregates[name] = game.aggregates[target]
    elseif game.properties[target] then game.properties[name] = game.properties[target]
    else game.synonyms[name] = target end
  end
  for name, objects in pairs(game.properties) do
    local layer = game.objects[objects[1]].layer
    for _, object in ipairs(objects) do layer = game.objects[object].layer == layer and layer end
    game.layer_of_property[name] = layer or nil
  end
  for _, name in ipairs { "player", "background" } do
    if not source.names[name] then
      parser.refuse(source, 1, ("Error, didn't find any object called %s, either in the objects section, or the legends "
        .. "section. "
        .. "There must be a %s!"):format(name, name))
    end
  end
  if game.aggregates.background then
    parser.refuse(source, source.names.background.line, "background cannot be an aggregate (declared with 'and'), it has to "
      .. "be a "
      .. "simple type, or property (declared in terms of others using 'or').")
  end
end

--- Sets game.layer_sets: the set of the objects of each layer.
local function layer_sets(game)
  for layer = 0, #game.source.layers - 1 do
    local set = {}
    for i = 1, game.object_words do set[i] = 0 end
    for number = 0, game.object_count - 1 do
      local word = number // 64 + 1
      if game.objects[game.object_names[number]].layer == layer then set[word] = set[word] | 1 << number % 64 end
    end
    game.layer_sets[layer] = set
  end
end

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

--- Returns the first background object in the level, else that of the game, and the set of the objects of its layer.
local function background_of(game, cells)
  local object = game.properties.background and game.properties.background[1] or game.synonyms.background or "background"
  local layer = game.layer_sets[game.objects[object].layer]
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
function compiler.level(game, rows, refuse)
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

--- Compiles a game.
---@param text string
---@param path string   shown in messages
---@return PuzzleScript
function compiler.compile(text, path)
  local source = parser.parse(text, path)
  local game = { source = source, objects = {}, object_names = {}, aggregates = {}, properties = {}, synonyms = {}, sets = {},
    layer_of_property = {}, layer_sets = {}, levels = {} }
  if #source.layers == 0 then parser.refuse(source, 1, "No collision layers defined.  All objects need to be in collision "
    .. "layers.") end
  number_objects(game)
  resolve_names(game)
  layer_sets(game)
  game.program, game.rule_count = program.of(source, game, rules.of(source, game))
  for _, entry in ipairs(source.levels) do
    if entry.message then table.insert(game.levels, entry)
    elseif #entry > 0 then
      local level = compiler.level(game, entry, function(row, message) parser.refuse(source, entry.line + row - 1, message) end)
      level.line = entry.line
      table.insert(game.levels, level)
    end
  end
  return game
end

return compiler
