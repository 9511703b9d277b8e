--- Worlds of LDtk as levels: what their layers hold, levels in files of their own, and what is wrong with files.
local levels = require "crux.game.levels"
local luaunit = require "luaunit"
local shell = require "shell"

local Ldtk = {}

local format = { extensions = { "xsb" }, comment = ";", tiled = { wall = "#", [2] = ".", crate = "$", ["set:4 h"] = "@", Art = "" },
  tiles = { { " " }, { "#", "wall" }, { "@", "man" }, { "+", "man", "goal" }, { "$", "box" }, { "*", "box", "goal" }, { ".", "goal" } } }

local project = '{"__header__":{"fileType":"LDtk Project JSON"},"jsonVersion":"1.5.3","defs":{"layers":[{"uid":7,"intGridValues":[' ..
  '{"value":1,"identifier":"wall"},{"value":2,"identifier":null}]}]},"levels":[%s],"worlds":[%s]}'

--- A layer of 3 x 2 squares of 8 pixels.
local function layer(kind, content)
  return ('{"__identifier":"L","__type":"%s","__cWid":3,"__cHei":2,"__gridSize":8,"layerDefUid":7,"visible":true,%s}'):format(kind, content)
end

local function level(name, layers, fields)
  return ('{"identifier":"%s","fieldInstances":[%s],"externalRelPath":null,"layerInstances":[%s]}'):format(name, fields or "", layers)
end

local ground = layer("IntGrid", '"intGridCsv":[1,0,2,2,2,1]')
local entities = layer("Entities", '"entityInstances":[{"__identifier":"Box","__tags":["crate"],"px":[12,8],"__pivot":[0.5,0],"width":8,"height":8}]')
local tiles = layer("Tiles", '"__tilesetRelPath":"art/set.png","gridTiles":[{"px":[0,8],"t":4,"f":1}]')

local function read(text) return levels.read(shell.file("world.ldtk", text), format) end

local function problem(text)
  local ok, result = pcall(read, text)
  luaunit.assertFalse(ok)
  return (result.message:gsub("^" .. shell.path "":gsub("%p", "%%%0"), ""))
end

function Ldtk.test_layers()
  local stamina = '{"__identifier":"Stamina","__value":9},{"__identifier":"Points","__value":[1]}'
  local second = level("Second", ground)
  local list = read(project:format(level("First", tiles .. "," .. entities .. "," .. layer("AutoLayer", '"intGridCsv":[]') .. "," .. ground, stamina),
    '{"levels":[' .. second .. "]}"))
  luaunit.assertEquals({ #list, list[1].name, list[1].text, list[1].notes }, { 2, "First", "# .\n+*#\n", { stamina = "9" } })
  luaunit.assertEquals({ list[2].name, list[2].text }, { "Second", "# .\n..#\n" })
end

function Ldtk.test_levels_in_files()
  local own = level("Own", layer("IntGrid", '"intGridCsv":[2,2,2,2,2,2]'))
  shell.file("own.ldtkl", (own:gsub("^{", '{"__header__":{},')))
  luaunit.assertEquals(levels.read(shell.path "own.ldtkl", format)[1].text, "...\n...\n")
  local outside = '{"identifier":"Own","layerInstances":null,"externalRelPath":"%s"}'
  luaunit.assertEquals(read(project:format(outside:format "own.ldtkl", ""))[1].text, "...\n...\n")
  luaunit.assertEquals(problem(project:format(outside:format "none.ldtkl", "")),
    "world.ldtk: found no file 'none.ldtkl', expected the file of a level")
end

function Ldtk.test_hostile_files()
  local function changed(from, to) return project:format(level("A", (ground:gsub(from, to))), "") end
  local expected = {
    [project:format(level("A", (tiles:gsub('"f":1', '"f":0'))), "")] = ": level 'A': layer 'L': column 1, row 2: found the object 'set:4' or 4 " ..
      "or 'L', expected one of the game's table `tiled`: 2 or 'Art' or 'crate' or 'set:4 h' or 'wall'",
    [changed("1,0", "3,0")] = ": level 'A': layer 'L': column 1, row 1: found the tile 3 or 'L', " ..
      "expected one of the game's table `tiled`: 2 or 'Art' or 'crate' or 'set:4 h' or 'wall'",
    [changed("1,0", '"x"')] = ": level 'A': layer 'L': found 5 values, expected 6",
    [changed("1,0", '"x",0')] = ": level 'A': layer 'L': found 'x', expected a whole number",
    [changed('"__cWid":3', '"__cWid":-3')] = ": level 'A': found a map of -3 x 2, expected 1 to 1000000 tiles",
    [changed('"__cWid":3', '"__cWid":1e300')] = ": level 'A': found a map of 1e+300 x 2, expected 1 to 1000000 tiles",
    [changed('"__gridSize":8', '"__gridSize":0')] = ": level 'A': found a grid of 0 pixels, expected at least 1",
    [changed('"IntGrid"', '"Fog"')] = ": level 'A': layer 'L': found the type 'Fog', expected IntGrid, Tiles, Entities or AutoLayer",
    [project:format(level("A", ground .. "," .. ground:gsub('"__cWid":3', '"__cWid":2')), "")] =
      ": level 'A': layer 'L': found a grid of 2 x 2, expected 3 x 2, as others",
    [project:format(level("A", (entities:gsub("%[12,8%]", '"x"'))), "")] = ": level 'A': layer 'L': px: found 'x', expected two numbers of pixels",
    [project:format(level("A", ""), "")] = ": level 'A': found no layer that is seen, expected one",
    [project:format("", '{"layerInstances":[]}')] = ":1: found no level, expected at least one level",
    [project:sub(1, 50)] = ":1: column 51: found the end of the file, expected the end of a text",
  }
  for text, message in pairs(expected) do luaunit.assertEquals(problem(text), "world.ldtk" .. message) end
end

return Ldtk
