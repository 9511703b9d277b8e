--- crux rate --write-property: ratings in maps of Tiled and LDtk, where all other bytes stay.
local call = require "crux.task.shared.call"
local luaunit = require "luaunit"
local property = require "crux.format.property"
local shell = require "shell"

local Property = {}

local function set(text, values) return property.set(text, "map", 'a "b"', values or { 2.5 }) end

function Property.test_xml()
  luaunit.skipIf(not require("libcrux.xml").parse "<a/>", "this crux was built without libexpat")
  local new = '<property name="a &quot;b&quot;" type="float" value="2.5"/>'
  -- from: to; what stands around it differs from what Tiled writes
  local expected = {
    ["<map x='>'><!-- <properties> --><layer/></map>"] = "<map x='>'><!-- <properties> --><properties>\n  " .. new ..
      "\n </properties>\n <layer/></map>",
    ["<map><properties/><layer/></map>"] = "<map><properties>\n  " .. new .. "\n </properties><layer/></map>",
    ["<map><properties ></properties\n></map>"] = "<map><properties>\n  " .. new .. "\n </properties></map>",
    ["<map>\n <properties>\n  <property name='z' value=''/>\n </properties></map>"] =
      "<map>\n <properties>\n  " .. new .. "\n  <property name='z' value=''/>\n </properties></map>",
    ["<map> <properties><property name='z'/> <property value='1' name='a \"b&#34;' /></properties></map>"] =
      "<map> <properties><property name='z'/> " .. new .. "</properties></map>",
    ["<map><properties><property name='a \"b\"'>é\n&lt;</property >  </properties></map>"] =
      "<map><properties>" .. new .. "  </properties></map>",
    ["<map><properties><property name='z'/></properties><properties><property name='a \"b\"'/></properties></map>"] =
      "<map><properties><property name='z'/></properties><properties>" .. new .. "</properties></map>",
    -- capitals make no other name, as crux reads names in lower case
    ["<map><properties><property name='A \"B\"' value='x'/></properties></map>"] =
      "<map><properties>" .. new:gsub("a &quot;b", "A &quot;B") .. "</properties></map>",
    -- properties of layers are others
    ["<map><layer><properties><property name='a \"b\"'/></properties></layer></map>"] = "<map><properties>\n  " .. new ..
      "\n </properties>\n <layer><properties><property name='a \"b\"'/></properties></layer></map>",
  }
  for from, to in pairs(expected) do
    luaunit.assertEquals(set(from), to)
    luaunit.assertEquals(set(to), to)
    luaunit.assertEquals(set(from, {}), from) -- without a rating
  end
end

function Property.test_json()
  local new = '{"name": "a \\"b\\"", "type": "float", "value": 2.5}'
  local rest = '"tilewidth":1,\t"layers":[{"properties":[{"name":"a \\"b\\"","type":"float","value":1}]}]}'
  local expected = {
    ["{ "] = '{ "properties":[' .. new .. "], ",
    ['{"properties":[{"name":"A \\"b\\"","value":true}],'] = '{"properties":[' .. new:gsub('"a ', '"A ') .. "],",
    ['{"properties": [ ] ,'] = '{"properties": [' .. new .. "] ,",
    ['{"properties":null,'] = '{"properties":[' .. new .. "],",
    ['{"properties":[ {"name":"z"}],'] = '{"properties":[' .. new .. ', {"name":"z"}],',
    ['{"properties":[{"name":"z"}, { "value" : 1e0 , "type":"float", "name":"a \\u0022b\\""}],'] =
      '{"properties":[{"name":"z"}, { "value" : 2.5 , "type":"float", "name":"a \\u0022b\\""}],',
    ['{"properties":[{"name":"a \\"b\\"","propertytype":"Grade","type":"string","value":"}"}],'] = '{"properties":[' .. new .. "],",
  }
  for from, to in pairs(expected) do
    luaunit.assertEquals(set(from .. rest), to .. rest)
    luaunit.assertEquals(set(to .. rest), to .. rest)
  end
end

local field = '{ "__identifier": "Level", "__type": "Float", "__value": %s, "realEditorValues": %s, "defUid": 3 }'

--- A row of four squares within walls.
local function walled(row) return "1,1,1,1,1,1,1," .. row .. ",1,1,1,1,1,1,1" end

--- A project of three levels, the last one in a further world: one push, two, and none that helps.
local function project(first, second, last)
  local function level(name, cells, fields)
    return ('{"identifier":"%s","fieldInstances":[%s],"layerInstances":[{"__identifier":"L","__type":"IntGrid","__cWid":6,"__cHei":3,'
      .. '"__gridSize":8,"layerDefUid":7,"visible":true,"intGridCsv":[%s]}]}'):format(name, fields, walled(cells))
  end
  return ('{"__header__":{},"defs":{"layers":[{"uid":7,"intGridValues":[{"value":1,"identifier":"wall"},{"value":2,"identifier":"man"},'
    .. '{"value":3,"identifier":"box"},{"value":4,"identifier":"goal"}]}]},"levels":[%s,\n%s],"worlds":[{"levels":[%s]}]}'):format(level("A", "2,3,4,0", first),
    level("B", "2,3,0,4", second), level("C", "3,2,0,4", last))
end

--- What a command line prints, its messages without the folder of the test, and its status.
local function rate(words)
  local result = shell.crux("rate " .. words)
  return { result.status, result.out, (result.err:gsub(shell.path "":gsub("%p", "%%%0"), "")) }
end

-- 2.5 for each push
local rule = shell.file("rule.lua", 'return crux.rule { name = "r", game = "sokoban", predicts = "level", formula = "level ~ pushes - 1", '
  .. "coefficients = { pushes = 2.5 } }") .. " "

function Property.test_fields_of_levels()
  local real, new = '[{"id":"V_Float","params":[9]}]', '[{ "id": "V_Float", "params": [%s] }]'
  local world = shell.file("world.ldtk", project(field:format("null", "[ ]"), field:format(9, real), field:format(9, real)))
  luaunit.assertEquals(rate(rule .. world .. " --write-property Level"), { 0, "level,rating\nA,2.5\nB,5\nC,\n",
    "world.ldtk:1: level 'C': no solution exists\nworld.ldtk:1: level 'C' has no rating: pushes is missing\n" })
  luaunit.assertEquals(shell.read(world), project(field:format("2.5", new:format "2.5"), field:format(5, new:format(5)),
    field:format(9, real)))
end

local maps = '{"type":"map","orientation":"orthogonal","width":6,"height":3,"tilewidth":8,"tileheight":8,"layers":[{"type":"tilelayer",'
  .. '"name":"L","width":6,"height":3,"data":[%s]}],"tilesets":[{"firstgid":1,"name":"s","tiles":[{"id":0,"type":"wall"},'
  .. '{"id":1,"type":"man"},{"id":2,"type":"box"},{"id":3,"type":"goal"}]}]%s}'

local function map(row, fields) return maps:format(walled(row), fields or "") end

function Property.test_maps()
  local one, two = shell.file("one.tmj", map "2,3,4,0"), shell.file("two.tmj", map("2,3,4,0", ',"properties":[]'))
  luaunit.assertEquals(rate(rule .. one .. " " .. two .. " --write-property Level -o " .. shell.path "rated.csv"), { 0, "", "" })
  local new = '{"name": "Level", "type": "float", "value": 2.5}'
  luaunit.assertEquals(shell.read(one), ((map "2,3,4,0"):gsub("^{", '{ "properties":[' .. new .. "],")))
  luaunit.assertEquals(shell.read(two), map("2,3,4,0", ',"properties":[' .. new .. "]"))
  luaunit.assertEquals(shell.read(shell.path "rated.csv"), "level,rating\none,2.5\ntwo,2.5\n")
end

--- A mistake leaves all files as they were, and none beside them; a level that fails leaves its own.
function Property.test_mistakes()
  local good, bare = map "2,3,4,0", project("", "", "")
  local files = { ["good.tmj"] = good, ["bad.tmj"] = map "2,3,5,0", ["bare.ldtk"] = bare, ["level.txt"] = "@$.\n",
    ["int.ldtk"] = project((field:format(1, "[]"):gsub("Float", "Int")), "", ""),
    ["outside.ldtk"] = project("", "", ""):gsub('"layerInstances":%b[]', '"layerInstances":null,"externalRelPath":"a.ldtkl"', 1) }
  for name, text in pairs(files) do shell.file(name, text) end
  shell.file("a.ldtkl", (bare:match '{"identifier":"A".-%]}%]}'))
  local no_field = ": level 'A': found no field 'Level' of the type Float, expected it among the fields of levels"
  local expected = {
    ["bare.ldtk"] = "bare.ldtk" .. no_field,
    ["int.ldtk"] = "int.ldtk" .. no_field,
    ["outside.ldtk"] = "outside.ldtk: level 'A': found a level in a file of its own, expected levels in the project",
    ["level.txt"] = "level.txt: found another file, expected a map of Tiled or LDtk",
    ["none.tmj"] = "none.tmj: No such file or directory; did you mean 'one.tmj'?",
    ["."] = ".: found no regular file, expected a map of Tiled or LDtk",
    ["-"] = "-: found no regular file, expected a map of Tiled or LDtk",
  }
  shell.file("one.tmj", "")
  local unnamed = rate(rule .. shell.path "good.tmj" .. " --write-property=")
  luaunit.assertEquals({ unnamed[1], unnamed[3]:match "[^\n]*\n$" }, { 2, "--write-property: found '', expected a name of one line\n" })
  for word, message in pairs(expected) do
    local path = word == "-" and word or shell.path(word)
    local got = rate(rule .. shell.path "good.tmj" .. " " .. path .. " --write-property Level")
    luaunit.assertEquals({ got[1], got[2], got[3]:match "([^\n]*)\n$" }, { 1, "", message })
    for name, text in pairs(files) do luaunit.assertEquals(shell.read(shell.path(name)), text) end
  end
  luaunit.assertEquals(rate(rule .. shell.path "bad.tmj" .. " " .. shell.path "good.tmj" .. " --write-property Level")[3],
    "bad.tmj: layer 'L': column 4, row 2: found the tile 's:4' or 5 or 'L', expected a thing of the game's: " ..
    "'box' or 'goal' or 'man' or 'wall', or ' ' for an empty square\n1 of 1 level failed\n")
  luaunit.assertEquals({ shell.read(shell.path "bad.tmj"), shell.read(shell.path "good.tmj") == good }, { files["bad.tmj"], false })
  for _, name in ipairs(shell.list(shell.path "")) do luaunit.assertNotStrContains(name, ".crux-") end
end

--- What an editor saved while crux rated is not overwritten.
function Property.test_file_that_changed()
  local path = shell.file("saved.tmj", map "2,3,4,0")
  local ok, problem = pcall(call.task, "rate", { rule = rule:sub(1, -2), input = { path } },
    { write_property = "Level", prepared = { [path] = map "2,3,0,4" } })
  luaunit.assertEquals({ ok, problem.message }, { false, path .. ": found a file that changed while it was rated, expected it as it was" })
end

return Property
