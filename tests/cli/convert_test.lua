-- crux convert: levels in formats of other programs, there and back.
local file_system = require "libcrux.files"
local level_formats = require "crux.format.level_formats"
local game = require "crux.game.game"
local json_reader = require "crux.base.json_reader"
local levels = require "crux.game.levels"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local Convert = {}

local address = "https://puzz.link/p?nurikabe/5/5/g5k2o1k3g"

--- The levels of a game that come with crux.
local function bundled(name)
  local list = {}
  for entry in game.load(name):entries { "datasets/levels/" .. name } do table.insert(list, entry) end
  return list
end

local function there_and_back(name, to)
  local own, ending = game.load(name), level_formats.endings[to]
  for _, entry in ipairs(long.some(10, bundled(name))) do
    local text = own:text(own:level(entry))
    local written = level_formats.write(to, { { name = entry.name, notes = entry.notes, text = text, path = entry.path } }, own.files)
    local back = levels.read(shell.file("back." .. ending, written), own.files)
    luaunit.assertEquals({ #back, own:text(own:level(back[1])) }, { 1, text })
    if to ~= "puzzlink" then
      luaunit.assertEquals(back[1].name, entry.name)
      for key, note in pairs(entry.notes) do luaunit.assertEquals(back[1].notes[key], note) end
    end
  end
end

function Convert.test_bundled_levels_as_maps()
  for _, name in ipairs { "flow", "move", "rushhour", "sokoban", "sudoku" } do
    there_and_back(name, "tiled")
    there_and_back(name, "ldtk")
  end
end

function Convert.test_bundled_levels_as_addresses() there_and_back("sudoku", "puzzlink") end

function Convert.test_command()
  luaunit.assertEquals(shell.printed("convert '" .. address .. "'"), "; g5k2o1k3g\n.5...\n..2..\n.....\n..1..\n...3.\n")
  shell.crux("convert '" .. address .. "' --to tiled -o " .. shell.path "one.tmj")
  local result = shell.crux("convert --game nurikabe " .. shell.path "one.tmj" .. " --to puzzlink")
  luaunit.assertEquals({ result.status, result.out, result.err },
    { 0, address .. "\n", "puzz.link's addresses hold no names and notes; these are left out\n" })
  luaunit.assertEquals(shell.crux("convert datasets/levels/sokoban --to tiled -o " .. shell.path "maps/").status, 0)
  local from, to = "measure sokoban datasets/levels/sokoban --measures boxes,floor", "measure sokoban " .. shell.path "maps" .. " --measures boxes,floor"
  local rows = {}
  for i, text in ipairs { shell.printed(from), shell.printed(to) } do
    rows[i] = shell.lines(text)
    table.sort(rows[i])
  end
  luaunit.assertEquals(rows[2], rows[1])
end

-- The names that LDtk's schema of version 1.5.3 requires, and of each kind the place of one in the project.
local required = {
  [""] = "__header__ bgColor defs externalLevels iid jsonVersion levels toc worlds appBuildId backupLimit backupOnSave customCommands "
    .. "defaultEntityHeight defaultEntityWidth defaultGridSize defaultLevelBgColor defaultPivotX defaultPivotY dummyWorldIid exportLevelBg "
    .. "exportTiled flags identifierStyle imageExportMode levelNamePattern minifyJson nextUid simplifiedExport",
  ["defs"] = "entities enums externalEnums layers levelFields tilesets",
  ["defs layers 1"] = "__type displayOpacity gridSize identifier intGridValues intGridValuesGroups parallaxFactorX parallaxFactorY "
    .. "parallaxScaling pxOffsetX pxOffsetY uid autoRuleGroups canSelectWhenInactive excludedTags guideGridHei guideGridWid "
    .. "hideFieldsWhenInactive hideInList inactiveOpacity renderInWorldView requiredTags tilePivotX tilePivotY type uiFilterTags useAsyncRender",
  ["defs layers 1 intGridValues 2"] = "color groupUid value",
  ["defs levelFields 1"] = "__type canBeNull identifier isArray type uid allowOutOfLevelRef allowedRefTags allowedRefs autoChainRef "
    .. "editorAlwaysShow editorCutLongValues editorDisplayMode editorDisplayPos editorDisplayScale editorLinkStyle editorShowInWorld "
    .. "exportToToc searchable symmetricalRef useForSmartColor",
  ["levels 2"] = "__bgColor __neighbours fieldInstances identifier iid pxHei pxWid uid worldDepth worldX worldY __smartColor bgPivotX "
    .. "bgPivotY useAutoIdentifier layerInstances",
  ["levels 2 layerInstances 1"] = "__cHei __cWid __gridSize __identifier __opacity __pxTotalOffsetX __pxTotalOffsetY __type autoLayerTiles "
    .. "entityInstances gridTiles iid intGridCsv layerDefUid levelId pxOffsetX pxOffsetY visible optionalRules seed",
  ["levels 2 fieldInstances 1"] = "__identifier __type __value defUid realEditorValues",
}

function Convert.test_projects_of_ldtk()
  local own = game.load "sokoban"
  local function level(name, notes) return { name = name, notes = notes, text = "####\n#@ #\n####\n", path = "p" } end
  local text = level_formats.write("ldtk", { level("a $iid", { x = '%1 "$uid"' }), level("b", {}) }, own.files)
  local list, project = levels.read(shell.file("two.ldtk", text), own.files), json_reader.read(text, "two.ldtk")
  luaunit.assertEquals({ #list, list[1].name, list[1].notes, list[2].name, list[2].notes, list[2].text },
    { 2, "a $iid", { name = "a $iid", x = '%1 "$uid"' }, "b", { name = "b" }, "####\n#@ #\n####\n" })
  for place, names in pairs(required) do
    local object = project
    for key in place:gmatch "%S+" do object = object[math.tointeger(key) or key] end
    for name in names:gmatch "%S+" do luaunit.assertNotNil(object[name], place .. " " .. name) end
  end
  luaunit.assertEquals({ project.nextUid, project.levels[1].uid, project.levels[2].uid, project.levels[2].layerInstances[1].levelId,
    project.defs.levelFields[2].uid, project.levels[1].fieldInstances[2].defUid }, { 6, 4, 5, 5, 3, 3 })
end

function Convert.test_mistakes()
  long.leave_out()
  local expected = {
    ["datasets/levels/sokoban -o " .. shell.path "map.tmx"] = "found -o FILE.tmx, expected FILE.tmj, with --to tiled",
    ["datasets/levels/sokoban --to tiled"] = "levels for one map of Tiled, expected one, or -o FOLDER/",
    ["datasets/levels/sokoban --to puzzlink"] = "no puzz.link genre is the game's",
    ["datasets/levels/lazors --to tiled -o " .. shell.path "no/"] = "only levels of a grid are maps",
    ["datasets/levels/move --count 2"] = "expected --count",
    [""] = "expected LEVELS",
  }
  for words, message in pairs(expected) do
    local result = shell.crux("convert " .. words)
    luaunit.assertTrue(result.status > 0, words)
    luaunit.assertStrContains(result.err, message)
  end
  luaunit.assertNil(file_system.list(shell.path "no"))
end

return { Convert = Convert }
