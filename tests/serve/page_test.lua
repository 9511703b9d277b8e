--- Tests of the page of studies without a browser: colours, languages, and that nothing in it comes from elsewhere.
local contrast = require "contrast"
local games = require "crux.game.game"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local play = require "crux.play.play"
local playing = require "playing"
local kit_rules = require "crux.kits.rules"
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

--- The languages of the page: a file each, which the page loads.
local languages = lists.map(shell.list(folder .. "languages"), function(name) return name:match "^%l+" end)

--- The texts of a language, and the names of them, sorted.
local function names_of(language)
  local names = {}
  local text = file(("languages/%s.js"):format(language))
  local block = text:match "= (%b{});":gsub("'[^']-\\'.-'", "''"):gsub("'[^']*'", "''")
  block = block:gsub("^{en: ", ""):sub(2):gsub("%b{}", "{}")
  for name in block:gmatch "[{,%s](%a[%w_]*):" do table.insert(names, name) end
  table.sort(names)
  return names, text
end

--- All languages have the texts that the page names.
function Page.test_languages()
  local english, english_text = names_of "en"
  luaunit.assertEquals(languages, { "de", "en", "es", "fr", "ja", "zh" })
  local function slots(text) -- what is filled in, in the order of names
    local list = {}
    for name in text:gmatch "{(%l+)}" do table.insert(list, name) end
    return #list
  end
  for _, language in ipairs(languages) do
    local names, text = names_of(language)
    luaunit.assertEquals(names, english, language)
    luaunit.assertEquals(slots(text), slots(english_text), language)
    luaunit.assertStrContains(file "page.html", ('src="/study/languages/%s.js"'):format(language))
    luaunit.assertEquals(text:find "No native speaker has checked them" ~= nil, language ~= "en", language)
  end
  luaunit.assertTrue(#english > 50)
  local known = {}
  for _, name in ipairs(english) do known[name] = true end
  for name in all_scripts():gmatch "text%('([%w_]+)'" do luaunit.assertTrue(known[name], name) end
end

--- The names of the rules that the games of crux declare, as a note has them.
local function names_of_rules()
  local new, names = kit_rules.new, {}
  function kit_rules.new(rows, ...)
    for _, row in ipairs(rows) do table.insert(names, (row[1]:gsub("_", " "))) end
    return new(rows, ...)
  end
  for _, name in ipairs(shell.list "games") do games.load(name:match "^[^.]+") end
  kit_rules.new = new
  return names
end

--- The texts of crux's games are there in all languages. The page has those of kits: how one plays, and which rule is broken; each
--- script has what its game is about.
--- # stands for numbers, and for the name of a move. The page says nothing of a single game.
function Page.test_texts_of_games()
  local broken = names_of_rules()
  luaunit.assertTrue(#broken > 40)
  for _, language in ipairs(languages) do
    local known = language ~= "en" and select(2, names_of(language)):match "phrases: (%b{})"
    local function is_known(words) return known:find((" %s:"):format(words), 1, true) or known:find(("'%s':"):format(words), 1, true) end
    for _, name in ipairs(known and lists.concat({ "broken" }, broken) or {}) do
      luaunit.assertNotNil(is_known(name), language .. name)
    end
    for _, name in ipairs(known and shell.list "games" or {}) do
      local game = games.load(name:match "^[^.]+")
      luaunit.assertNotNil(game.translations[language][game.doc:gsub("%d+", "#")], name .. " " .. language)
      for words in pairs(game.translations[language]) do luaunit.assertNil(is_known(words:gsub("'", "\\'")), words) end
      for _, tile in ipairs(game.tiles or {}) do
        for _, thing in ipairs { table.unpack(tile, 2) } do
          luaunit.assertNotNil(thing:match "^%w$" or is_known(thing) or game.translations[language][thing], ("%s %s: %s"):format(name, language, thing))
        end
      end
      for _, words in ipairs(lists.field(play.rules(game).keys, 2)) do
        local key = words:gsub("%d+", "#"):gsub("^move [^,]+$", "move #"):gsub("'", "\\'")
        luaunit.assertNotNil(is_known(key) or game.translations[language][words], ("%s %s: %s"):format(name, language, words))
      end
    end
  end
end

--- The first translated text is that of `doc`, in which # stands for numbers.
function Page.test_translation_of_doc()
  local path = playing.game("walk", { ["return game"] = [[game.doc = "Walk 10 steps." game.translations = { de = { "Gehen Sie # Schritte.", hi = "ho" },
    fr = { ["Walk # steps."] = "Faites # pas." } } return game]] })
  luaunit.assertEquals(games.load(path).translations, { de = { ["Walk # steps."] = "Gehen Sie # Schritte.", hi = "ho" },
    fr = { ["Walk # steps."] = "Faites # pas." } })
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
--- hosts. A player downloads less than 60 kB, compressed.
function Page.test_files()
  local html, named, lines = file "page.html", {}, 0
  for name in html:gmatch 'src="/(%l+%.js)"' do
    if name ~= "translations.js" then table.insert(named, name) end
  end
  table.sort(named)
  luaunit.assertEquals(scripts(), named)
  local bytes = tonumber(shell.output(("for file in %s*.* %slanguages/*; do gzip -9c $file; done | wc -c"):format(folder, folder)))
  local all = all_scripts() .. table.concat(lists.map(languages, function(name) return file(("languages/%s.js"):format(name)) end))
  for _ in all:gmatch "\n" do lines = lines + 1 end
  luaunit.assertTrue(bytes < 60000 and lines <= 1200, bytes .. " bytes, " .. lines .. " lines")
  luaunit.assertNil(html:find "<style" or html:find "style=" or html:find "<script>" or html:find "%son%a+=")
  for _, name in ipairs(lists.concat(scripts(), { "page.css", "page.html" })) do luaunit.assertNil(file(name):find "https?://" or file(name):find "@import", name) end
end

return { Page = Page }
