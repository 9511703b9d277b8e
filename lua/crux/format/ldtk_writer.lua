--- Writing levels as a project of LDtk: a layer with a value for each mark, whose name is the mark; notes are fields of levels.
--- The names are those that the schema of version 1.5.3 requires (docs/archives/1.5.3/JSON_SCHEMA.json of deepnight/ldtk).
local digest = require "libcrux.digest"
local json = require "crux.base.json"
local lists = require "crux.base.lists"
local tile_map = require "crux.format.tile_map"

local ldtk_writer = {}

local pixels <const> = 16 -- of a square

local project <const> = [[
{"__header__":{"fileType":"LDtk Project JSON","app":"LDtk"},"iid":"$iid","jsonVersion":"1.5.3","appBuildId":473702,
"nextUid":$next,"identifierStyle":"Free","worldLayout":"LinearHorizontal","toc":[],"worlds":[],"dummyWorldIid":"$iid-world",
"defaultPivotX":0,"defaultPivotY":0,"defaultGridSize":16,"defaultEntityWidth":16,"defaultEntityHeight":16,"bgColor":"#40465B",
"defaultLevelBgColor":"#696A79","minifyJson":false,"externalLevels":false,"exportTiled":false,"simplifiedExport":false,
"imageExportMode":"None","exportLevelBg":true,"backupOnSave":false,"backupLimit":10,"levelNamePattern":"Level_%idx",
"customCommands":[],"flags":[],"defs":{"entities":[],"tilesets":[],"enums":[],"externalEnums":[],"levelFields":[
$fields],"layers":[{"__type":"IntGrid","type":"IntGrid","identifier":"Level","uid":1,"gridSize":16,"guideGridWid":0,
"guideGridHei":0,"displayOpacity":1,"inactiveOpacity":1,"hideInList":false,"hideFieldsWhenInactive":true,"pxOffsetX":0,
"canSelectWhenInactive":true,"renderInWorldView":true,"pxOffsetY":0,"parallaxFactorX":0,"parallaxFactorY":0,"tilePivotX":0,
"parallaxScaling":true,"requiredTags":[],"excludedTags":[],"uiFilterTags":[],"useAsyncRender":false,"autoRuleGroups":[],
"tilePivotY":0,"intGridValuesGroups":[],"intGridValues":[
$values]}]},"levels":[
$levels]}
]]
local value <const> = [[{"value":$number,"identifier":$mark,"color":"$color","groupUid":0}]]
local field <const> = [[
{"identifier":$name,"uid":$uid,"__type":"String","type":"F_String","isArray":false,"canBeNull":true,"searchable":false,
"editorDisplayMode":"NameAndValue","editorDisplayScale":1,"editorDisplayPos":"Above","editorLinkStyle":"StraightArrow",
"editorAlwaysShow":false,"editorShowInWorld":true,"editorCutLongValues":true,"useForSmartColor":false,"exportToToc":false,
"symmetricalRef":false,"autoChainRef":true,"allowOutOfLevelRef":true,"allowedRefs":"OnlySame","allowedRefTags":[]}]]
local instance <const> = [[{"__identifier":$name,"__type":"String","__value":$text,"defUid":$uid,"realEditorValues":[$real]}]]
local level <const> = [[
{"identifier":"Level_$index","iid":"$iid-$index","uid":$uid,"worldX":-1,"worldY":-1,"worldDepth":0,"useAutoIdentifier":false,
"pxWid":$across,"pxHei":$down,"__bgColor":"#696A79","__smartColor":"#ADADB5","bgPivotX":0.5,"bgPivotY":0.5,"__neighbours":[],
"fieldInstances":[$fields],"layerInstances":[{"__identifier":"Level","__type":"IntGrid","iid":"$iid-layer-$index","seed":0,
"levelId":$uid,"layerDefUid":1,"__cWid":$width,"__cHei":$height,"__gridSize":16,"__opacity":1,"__pxTotalOffsetX":0,
"__pxTotalOffsetY":0,"pxOffsetX":0,"pxOffsetY":0,"visible":true,"optionalRules":[],"autoLayerTiles":[],"gridTiles":[],
"entityInstances":[],"intGridCsv":$cells}]}]]

--- Such a text for each item, with the values that a function makes of the item and its number in place of `$NAME`.
local function each(items, template, values_of)
  local texts = {}
  for i, item in ipairs(items) do texts[i] = template:gsub("%$(%a+)", values_of(item, i)) end
  return table.concat(texts, ",\n")
end

--- The text of a project.
---@param maps MarkMap[]   its levels
function ldtk_writer.text(maps)
  local numbers, marks = tile_map.numbered(maps)
  local notes = lists.map(maps, function(map) return lists.merge(map.notes, { name = map.name }) end)
  local known = {}
  for _, own in ipairs(notes) do known = lists.merge(known, own) end
  local names, iid = lists.keys(known), digest.text(json.encode(lists.map(maps, function(map) return map.marks end)))
  return (each({ maps }, project, function()
    return { iid = iid, next = #names + #maps + 2,
      fields = each(names, field, function(name, i) return { name = json.encode(name), uid = i + 1 } end),
      values = each(marks, value, function(mark, i)
        return { number = i, mark = json.encode(mark), color = ("#%06X"):format(i * 0x9E3779 & 0xFFFFFF) }
      end),
      levels = each(maps, level, function(map, i)
        return { index = i - 1, iid = iid, uid = #names + i + 1, across = map.width * pixels, down = map.height * pixels,
          width = map.width, height = map.height, fields = each(names, instance, function(name, j)
            local text = json.encode(notes[i][name])
            return { name = json.encode(name), uid = j + 1, text = text,
              real = notes[i][name] and ('{"id":"V_String","params":[%s]}'):format(text) or "" }
          end),
          cells = json.encode(lists.pick(numbers, map.marks)) }
      end) }
  end))
end

return ldtk_writer
