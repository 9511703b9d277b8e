--- Compiles the text of a game for the engine in C: numbers of objects, the program of its rules, and its levels.
local grid = require "crux.puzzlescript.grid"
local levels = require "crux.puzzlescript.levels"
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
---@field program userdata             see libcrux.puzzlescript
---@field words string                 of which the program is made, 8 bytes each
---@field changing integer[]           a set: the player, and the objects that rules may create, remove or move
---@field has_chance boolean
---@field rule_count integer
---@field commands integer              union over the rules: bits, see words.commands
---@field levels table[]                { message = } or { rows ... }, with line =

local max_objects = 1024 -- CRUX_REWRITE_MAX_OBJECTS of src/puzzlescript/rewrite_program.h

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
  game.object_count, game.object_words = count, (count + 63) // 64
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
  for _, name in ipairs { "player", "background" } do
    if not source.names[name] then
      parser.refuse(source, 1, ("Error, didn't find any object called %s, either in the objects section, or the legends "
        .. "section. There must be a %s!"):format(name, name))
    end
  end
  if game.aggregates.background then
    parser.refuse(source, source.names.background.line, "background cannot be an aggregate (declared with 'and'), it has to be "
      .. "a simple type, or property (declared in terms of others using 'or').")
  end
end

--- Compiles a game.
---@param path string   shown in messages
---@return PuzzleScript
function compiler.compile(text, path)
  local source = parser.parse(text, path)
  local game = { source = source, objects = {}, object_names = {}, aggregates = {}, properties = {}, synonyms = {}, sets = {},
    levels = {} }
  if #source.layers == 0 then parser.refuse(source, 1, "No collision layers defined.  All objects need to be in collision "
    .. "layers.") end
  number_objects(game)
  resolve_names(game)
  game.program, game.words = program.of(source, game, rules.of(source))
  local changing
  changing, game.has_chance, game.rule_count = game.program:effects()
  game.changing = grid.unpack(changing, game.object_words)[1]
  for _, entry in ipairs(source.levels) do
    if not entry.message and #entry > 0 then levels.check(game, entry) end
    if entry.message or #entry > 0 then table.insert(game.levels, entry) end
  end
  return game
end

return compiler
