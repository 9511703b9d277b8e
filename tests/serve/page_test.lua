--- Tests of the page of studies without a browser: colours, languages, and that nothing in it comes from elsewhere.
local contrast = require "contrast"
local games = require "crux.game.game"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local play = require "crux.play.play"
local playing = require "playing"
local shell = require "shell"

local Page = {}

local folder = "web/study/"

local function file(name) return shell.read(folder .. name) end

local function scripts()
  return lists.select(shell.list(folder), function(name) return name:find "%.js$" ~= nil end)
end

local function all_scripts() return table.concat(lists.map(scripts(), file), "\n") end

--- Text and buttons can be read in light and in dark: AA, 4.5; frames, the cursor and the focus are seen: 3 (WCAG 2.1).
function Page.test_contrast()
  local schemes = 0
  for rules in file "page.css":gmatch ":root {(.-)}" do
    local colour = {}
    for name, value in rules:gmatch "%-%-([%l-]+): (#%x+)" do colour[name] = #value == 4 and value:gsub("%x", "%0%0") or value end
    for name, least in pairs { ink = 4.5, accent = 4.5, line = 3 } do
      luaunit.assertTrue(contrast(colour[name], colour.ground) >= least, name)
    end
    luaunit.assertTrue(contrast(colour["on-accent"], colour.accent) >= 4.5)
    schemes = schemes + 1
  end
  luaunit.assertEquals(schemes, 2)
end

--- The names of the texts of a language, sorted.
local function names_of(language)
  local names = {}
  local block = file "texts.js":match("\n  " .. language .. ": (%b{})"):gsub("'[^']-\\'.-'", "''"):gsub("'[^']*'", "''")
  block = block:sub(2):gsub("%b{}", "{}")
  for name in block:gmatch "[{,%s](%a[%w_]*):" do table.insert(names, name) end
  table.sort(names)
  return names
end

--- All languages have the texts that the page names.
function Page.test_languages()
  local english = names_of "en"
  luaunit.assertEquals(names_of "de", english)
  luaunit.assertTrue(#english > 50)
  local known = {}
  for _, name in ipairs(english) do known[name] = true end
  for name in all_scripts():gmatch "text%('([%w_]+)'" do luaunit.assertTrue(known[name], name) end
end

--- What the games of crux say is there in German: in the page how one plays, which kits declare, in each script what it is about.
--- # stands for numbers, and for the name of a move. The page says nothing of a single game.
function Page.test_texts_of_games()
  local german = file "texts.js":match "phrases: (%b{}),\n    where: 'Spalte"
  for _, name in ipairs(shell.list "games") do
    local game = games.load(name:match "^[^.]+")
    luaunit.assertNotNil(game.translations.de[game.doc:gsub("%d+", "#")], name)
    for words in pairs(game.translations.de) do luaunit.assertNil(german:find(words:gsub("'", "\\'"), 1, true), words) end
    for _, words in ipairs(lists.field(play.rules(game).keys, 2)) do
      local key = words:gsub("%d+", "#"):gsub("^move [^,]+$", "move #"):gsub("'", "\\'")
      luaunit.assertNotNil(german:find((" %s:"):format(key), 1, true) or german:find(("'%s':"):format(key), 1, true), name .. ": " .. words)
    end
  end
end

--- Translations are texts by texts, by language.
function Page.test_wrong_translations()
  for wrong, expected in pairs { ["{ de = 'x' }"] = '{ de = { ["text"] = "Text" } }', ["{ { a = 'b' } }"] = '{ de = { ["text"] = "Text" } }',
    ["{ de = { a = 5 } }"] = "texts by texts of the game" } do
    local path = playing.game("walk", { ["return game"] = ("game.translations = %s\nreturn game"):format(wrong) })
    luaunit.assertErrorMsgEquals(path .. ": field 'translations': found something else, expected " .. expected, games.load, path)
  end
end

--- A file of HTML, one of CSS, and one of JavaScript for each concern; no style or script within the HTML; nothing from other
--- hosts. A player downloads less than 60 kB, compressed or not.
function Page.test_files()
  local html, named, lines, bytes = file "page.html", {}, 0, 0
  for name in html:gmatch 'src="/(%l+%.js)"' do
    if name ~= "translations.js" then table.insert(named, name) end
  end
  table.sort(named)
  luaunit.assertEquals(scripts(), named)
  for _, name in ipairs(shell.list(folder)) do bytes = bytes + #file(name) end
  for _ in all_scripts():gmatch "\n" do lines = lines + 1 end
  luaunit.assertTrue(bytes < 60000 and lines <= 1200, bytes .. " bytes, " .. lines .. " lines")
  luaunit.assertNil(html:find "<style" or html:find "style=" or html:find "<script>" or html:find "%son%a+=")
  for _, name in ipairs(shell.list(folder)) do luaunit.assertNil(file(name):find "https?://" or file(name):find "@import", name) end
end

return { Page = Page }
