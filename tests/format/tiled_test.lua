--- Maps of Tiled as levels: every way in which its files hold tiles, what squares hold, and what is wrong with files.
local compression = require "libcrux.compression"
local file_system = require "libcrux.files"
local game = require "crux.game.game"
local levels = require "crux.game.levels"
local luaunit = require "luaunit"
local shell = require "shell"

local lacks_xml = not require("libcrux.xml").parse "<a/>" and "this crux was built without libexpat" or nil

local Tiled = {}

local legend = { { " " }, { "#", "wall" }, { "@", "man" }, { "+", "man", "goal" }, { "$", "box" }, { "*", "box", "goal" }, { ".", "goal" } }
local format = { extensions = { "xsb" }, comment = ";", tiles = legend,
  tiled = { "#", Crate = "$", [3] = ".", ["Hero h"] = "@", Floor = " ", Pictures = "" } }

--- The levels of a file with that text.
local function read(text, own, name)
  return levels.read(shell.file(name or "map.tmj", text), own or format)
end

local function problem(text, own, name)
  local ok, result = pcall(read, text, own, name)
  luaunit.assertFalse(ok)
  return (result.message:gsub("^" .. shell.path "":gsub("%p", "%%%0"), ""))
end

local head = '{"type":"map","orientation":"orthogonal","width":3,"height":2,"tilewidth":16,"tileheight":16,%s}'

--- The map of 3 x 2 tiles with such layers, and other fields in front of them.
local function map(layers, fields) return head:format((fields or "") .. '"layers":[' .. layers .. "]") end

local function layer(data, fields) return ('{"type":"tilelayer","name":"L","width":3,"height":2,%s"data":%s}'):format(fields or "", data) end

local bytes = ("<I4I4I4I4I4I4"):pack(1, 0, 3, 3, 3, 1)

local function base64(text)
  local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  return (text:gsub("..?.?", function(part)
    local bits = (">I3"):unpack(part .. ("\0"):rep(3 - #part))
    local four = ""
    for shift = 18, 0, -6 do four = four .. digits:sub((bits >> shift & 63) + 1, (bits >> shift & 63) + 1) end
    return four:sub(1, #part + 1) .. ("="):rep(3 - #part)
  end))
end

--- A text as zlib writes it without compressing: a stored block, and its Adler-32.
local function zlib(text)
  local a, b = 1, 0
  for i = 1, #text do
    a = (a + text:byte(i)) % 65521
    b = (b + a) % 65521
  end
  return "\x78\x01\x01" .. ("<I2I2"):pack(#text, 0xFFFF - #text) .. text .. (">I2I2"):pack(b, a)
end

local function compressed(text, name)
  local stream = compression.open(name)
  return stream:add(text) .. stream:finish()
end

function Tiled.test_encodings()
  luaunit.skipIf(lacks_xml, lacks_xml)
  local function in_base64(packed, kind) return layer('"' .. base64(packed) .. '"', '"encoding":"base64","compression":"' .. kind .. '",') end
  local function tmx(data)
    return '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE map SYSTEM "map.dtd">\n<map orientation="orthogonal" width="3" height="2" ' ..
      'tilewidth="16" tileheight="16" infinite="0"><layer name="L" width="3" height="2">' .. data .. "</layer></map>"
  end
  local texts = { map(layer "[1, 0, 3,\n3,3,1]"), map(in_base64(bytes, "")), map(in_base64(zlib(bytes), "zlib")),
    map(in_base64(compressed(bytes, "a.gz"), "gzip")), map(layer('"1,0,3,3,3,1"', '"encoding":"csv",')),
    tmx '<data encoding="csv">\n1,0,3,\n3,3,1\n</data>', tmx('<data encoding="base64" compression="zlib">\n ' .. base64(zlib(bytes)) .. "\n</data>"),
    tmx '<data><tile gid="1"/><tile/><tile gid="3"/><tile gid="3"/><tile gid="3"/><tile gid="1"/></data>' }
  local ok, stream = pcall(compressed, bytes, "a.zst")
  if ok then table.insert(texts, map(in_base64(stream, "zstd"))) end
  for i, text in ipairs(texts) do
    local list = read(text)
    luaunit.assertEquals(list[1].text, "# .\n..#\n", i)
    luaunit.assertEquals({ #list, list[1].name, list[1].map_number }, { 1, "map", 1 })
  end
end

function Tiled.test_layers_unite()
  local objects = '{"type":"objectgroup","name":"O","objects":[{"name":"Crate","x":17,"y":16,"width":30,"height":16},' ..
    '{"type":"man","x":16,"y":3,"point":true}]}'
  local hidden = '{"type":"tilelayer","name":"H","visible":false,"width":9,"data":"none"},{"type":"imagelayer","name":"I"}'
  local group = '{"type":"group","name":"G","layers":[' .. objects .. "]}"
  luaunit.assertEquals(read(map(layer "[1,0,3,3,3,0]" .. "," .. hidden .. "," .. group))[1].text, "#@.\n.*$\n")
  luaunit.assertEquals(problem(map(layer "[1,0,3,3,3,1]" .. "," .. group)),
    "map.tmj: layer 'O': column 3, row 2: found '$' on '#', expected what a square holds together")
  local cover = { extensions = {}, comment = ";", tiled = { [0] = ".", [1] = "#", [3] = "o", Crate = "B", man = "P" } }
  luaunit.assertEquals(read(map(layer "[1,0,3,3,3,1]" .. "," .. group), cover)[1].text, "#Po\noBB\n")
end

function Tiled.test_names_of_tiles()
  luaunit.skipIf(lacks_xml, lacks_xml)
  local sets = '"tilesets":[{"firstgid":1,"source":"sets/walls.tsx"},{"firstgid":10,"name":"S","tiles":[{"id":0,"class":"Crate"},' ..
    '{"id":1,"type":"Hero"},{"id":2,"properties":[{"name":"name","value":"goal"}]},{"id":3,"image":"pictures/wall.png"}]}],'
  shell.folder("sets")
  shell.file("sets/walls.tsx", '<?xml version="1.0"?><tileset name="W"><tile id="1" type="box"/></tileset>')
  local flipped = ("%d"):format(11 | 1 << 31)
  luaunit.assertEquals(read(map(layer("[10," .. flipped .. ",12,13,2,1]"), sets))[1].text, "$@.\n#$#\n")
  luaunit.assertEquals(problem(map(layer "[10,11,12,13,2,1]", sets)),
    "map.tmj: layer 'L': column 2, row 1: found the tile 'Hero' or 'S:1' or 11 or 'L', expected one of the game's table `tiled`: " ..
    "1 or 3 or 'Crate' or 'Floor' or 'Hero h' or 'Pictures'")
  luaunit.assertEquals(read(map((layer "[99,99,0,0,0,1]":gsub('"L"', '"Pictures"')), sets))[1].text, "   \n  #\n")
  luaunit.assertEquals(problem(map(layer "[1,0,0,0,0,0]", '"tilesets":[{"firstgid":1,"source":"none.tsx"}],')),
    "map.tmj: found no file 'none.tsx', expected the file of a tileset")
end

function Tiled.test_infinite_maps()
  local function chunk(x, y, data) return ('{"x":%d,"y":%d,"width":2,"height":2,"data":%s}'):format(x, y, data) end
  local tiles = '{"type":"tilelayer","name":"L","chunks":[' .. chunk(-2, -2, "[0,0,0,1]") .. "," .. chunk(0, -2, "[0,0,3,0]") .. "," ..
    chunk(-2, 0, "[0,1,0,0]") .. ']},{"type":"objectgroup","name":"O","objects":[{"name":"Crate","x":0,"y":-16,"width":16,"height":16}]}'
  luaunit.assertEquals(read(map(tiles, '"infinite":true,'))[1].text, "#*\n# \n")
  luaunit.assertEquals(problem(map(layer "[0,0,0,0,0,0]", '"infinite":true,')), "map.tmj: found an infinite map without tiles, expected tiles")
  local far = '{"type":"tilelayer","name":"L","chunks":[' .. chunk(0, 0, "[1,1,1,1]") .. "," .. chunk(1 << 40, 0, "[1,1,1,1]") .. "]}"
  luaunit.assertEquals(problem(map(far, '"infinite":true,')), "map.tmj: found a map of 1099511627778 x 2, expected 1 to 1000000 tiles")
end

function Tiled.test_properties_are_notes()
  local properties = '"properties":[{"name":"Stamina","type":"int","value":30},{"name":"name","value":"First"}],'
  local level = read(map(layer "[1,1,1,1,1,1]", properties))[1]
  luaunit.assertEquals({ level.name, level.notes.stamina }, { "First", "30" })
end

function Tiled.test_hostile_files()
  luaunit.skipIf(lacks_xml, lacks_xml)
  local function tmx(text) return problem('<?xml version="1.0"?>' .. text, nil, "map.tmx") end
  local bomb = compressed(("\0"):rep(10000000), "a.gz")
  local function packed(text, kind) return map(layer('"' .. base64(text) .. '"', '"encoding":"base64","compression":"' .. kind .. '",')) end
  local expected = {
    [packed(bomb, "gzip")] = "layer 'L': found more than 24 bytes, expected 24",
    [packed("x" .. bomb, "gzip")] = "layer 'L': found damaged data, expected those of a compressed file",
    [packed(zlib "abcd", "zlib")] = "layer 'L': found only 4 bytes, expected 24",
    [packed(zlib(bytes):sub(1, -2), "zlib")] = "layer 'L': found only 24 bytes, expected 24",
    [packed("", "lzma")] = "layer 'L': found 'lzma', expected zlib, gzip or zstd",
    [map(layer('"A"', '"encoding":"base64",'))] = "layer 'L': found another text, expected base64",
    [map(layer "[1,2]")] = "layer 'L': found 2 tiles, expected 6",
    [map(layer "[1,0,3,3,3,-1]")] = "layer 'L': found -1, expected the number of a tile",
    [map(layer '[1,0,3,3,3,"a"]')] = "layer 'L': found 'a', expected the number of a tile",
    [map(layer '"a,b"')] = "layer 'L': found 'a', expected the number of a tile",
    [map((layer "{}":gsub('"width":3', '"width":-3')))] = "layer 'L': found a map of -3 x 2, expected 1 to 1000000 tiles",
    [map((layer "{}":gsub('"width":3', '"width":3000000')))] = "layer 'L': found a map of 3000000 x 2, expected 1 to 1000000 tiles",
    [map((layer "{}":gsub('"width":3', '"width":"3x"')))] = "layer 'L': width: found '3x', expected a whole number",
    [map '{"type":"tile","name":"L"}'] = "layer 'L': found the type 'tile', expected tilelayer, objectgroup, group or imagelayer",
    [map "7"] = "layers: found 7, expected a list of objects",
    [head:format '"layers":7' ] = "layers: found false, expected a list of objects",
    [(map(layer "[1]"):gsub("orthogonal", "hexagonal"))] = "orientation: found 'hexagonal', expected orthogonal or isometric",
    [map(("[" ):rep(200))] = "1: column 202: found '[', expected at most 100 lists and objects within each other",
    [map '{"type":1,}'] = "1: column 114: found '}', expected a name in quotes",
    [map '{"type":nul}'] = "1: column 112: found 'nul', expected a value of JSON",
    [map '{"type"'] = "1: column 111: found ']', expected ':'",
    [head:sub(1, 60)] = "1: column 61: found the end of the file, expected a value of JSON",
    [map '{"objects'] = "1: column 115: found the end of the file, expected the end of a text",
  }
  for text, message in pairs(expected) do luaunit.assertEquals(problem(text), "map.tmj:" .. (message:find "^1:" and "" or " ") .. message) end
  luaunit.assertEquals(tmx '<!DOCTYPE map [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><map>&b;</map>',
    "map.tmx:1: column 48: found the declaration of an entity, expected none")
  luaunit.assertEquals(tmx("<map>" .. ("<group>"):rep(200)),
    "map.tmx:1: column 727: found elements within each other, more than 100 deep, expected fewer")
  luaunit.assertEquals(tmx "<map>\n <layer></map>", "map.tmx:2: column 11: found mismatched tag, expected XML")
  luaunit.assertEquals(tmx "\n<ma", "map.tmx:2: column 1: found unclosed token, expected XML")
end

--- Bundled levels of Sokoban as maps: the same text, and of whole commands the same measures.
function Tiled.test_sokoban()
  local sokoban = game.load "sokoban"
  local list = levels.read("datasets/levels/sokoban/rooms.xsb", sokoban.files)
  assert(#list > 5)
  local numbers = { [" "] = 0, ["#"] = 1, ["@"] = 2, ["+"] = 3, ["$"] = 4, ["*"] = 5, ["."] = 6 }
  local tiles = {}
  for character, number in pairs(numbers) do
    if number > 0 then table.insert(tiles, ('{"id":%d,"class":"%s"}'):format(number - 1, character)) end
  end
  for i, entry in ipairs(list) do
    local text, width, cells, height = sokoban:text(sokoban:level(entry)), 0, {}, 0
    for row in text:gmatch "[^\n]+" do width, height = math.max(width, #row), height + 1 end
    for row in text:gmatch "[^\n]+" do
      for x = 1, width do table.insert(cells, numbers[x <= #row and row:sub(x, x) or " "]) end
    end
    local path = shell.file(("%02d.tmj"):format(i), ('{"type":"map","orientation":"orthogonal","width":%d,"height":%d,"tilewidth":8,"tileheight":8,' ..
      '"tilesets":[{"firstgid":1,"tiles":[%s]}],"layers":[{"type":"tilelayer","name":"L","width":%d,"height":%d,"data":[%s]}]}'):format(width, height,
      table.concat(tiles, ","), width, height, table.concat(cells, ",")))
    local read_back = levels.read(path, sokoban.files)
    luaunit.assertEquals(sokoban:text(sokoban:level(read_back[1])), text)
  end
end

--- Maps of Tiled's own examples, where Debian's package tiled is installed: all of its maps of squares.
function Tiled.test_examples_of_tiled()
  local folder = "/usr/share/doc/tiled/examples/"
  if not file_system.list(folder) then return end
  local any = setmetatable({ [0] = "." }, { __index = function(_, name) return name ~= 0 and "x" or nil end })
  local maps = { "desert.tmx", "sewers.tmx", "rpg/island.tmx", "isometric_grass_and_water.tmx", "perspective_walls.tmx" }
  for i = 1, 9 do table.insert(maps, ("sewer_automap/rule_%03d.tmx"):format(i)) end
  for _, name in ipairs(maps) do
    local list = levels.read(folder .. name, { extensions = {}, comment = ";", tiled = any })
    luaunit.assertTrue(#list == 1 and #list[1].text > 8, name)
  end
  local desert = levels.read(folder .. "desert.tmx", { extensions = {}, comment = ";", tiled = any })[1].text
  luaunit.assertEquals(desert, (("x"):rep(40) .. "\n"):rep(40))
end

return Tiled
