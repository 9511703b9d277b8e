--- End-to-end tests of crux site: what its page shows, and what its links hold. tests/wasm/page_test.lua opens such links.
local json = require "json_reader"
local lists = require "crux.base.lists"
local luaunit = require "luaunit"
local shell = require "shell"

local one <const>, two <const> = "; one\nA B C .\n. . . .\na b c .\n", "; <b>&two\nA B C .\n. . . .\na b . c\n"
local levels <const> = one .. "\n" .. two

local Site = {}

--- The page of a command line, and what each of its links holds, as Python's zlib reads it.
local function page_of(line)
  if shell.run("command -v python3").out == "" then luaunit.skip "python3 is missing" end
  local folder = shell.path "pages"
  shell.output("rm -rf " .. folder)
  luaunit.assertEquals(shell.printed(("site %s -o %s --workbench ../w.html"):format(line, folder)), "")
  local page = shell.read(folder .. "/index.html")
  local script = [[import base64, re, sys, zlib
for view, packed in re.findall(r'href="../w.html#(\w+)/open=([\w-]+)"', open(sys.argv[1]).read()):
  text = zlib.decompress(base64.urlsafe_b64decode(packed + '=' * (-len(packed) % 4)), -15).decode()
  print('["%s", %s],' % (view, text))
print('null')]]
  return page, json.decode("[" .. shell.output(("python3 -c %s %s/index.html"):format(shell.quote(script), folder)) .. "]")
end

function Site.test_page_and_links()
  local path = shell.file("two.txt", levels)
  local page, links = page_of("move " .. path)
  local ratings = lists.map(json.decode(shell.crux("rate move --format json " .. path).out), function(row) return ("%.4g"):format(row.rating) end)
  local shown = {}
  for rating in page:gmatch '<td class="number"[^>]*>([%d.]+)</td>' do table.insert(shown, ("%.4g"):format(tonumber(rating))) end
  luaunit.assertEquals({ #shown, shown[1], shown[2] }, { 2, ratings[1], ratings[2] })
  luaunit.assertEquals(lists.map({ 1, 2, 3, 4 }, function(i) return { links[i][1], links[i][2].files["levels.txt"] } end),
    { { "play", one .. "\n" .. two }, { "set", one .. "\n" .. two }, { "level", one }, { "level", two } })
  for i = 1, 4 do luaunit.assertEquals({ links[i][2].game, links[i][2].rule }, { "move", "move" }) end
  luaunit.assertNil(page:find("<b>", 1, true))
  local _, pictures = page:gsub('class="crux%-picture', "")
  luaunit.assertEquals(pictures, 2)
end

--- Scripts of the user go into the links; a text of more than 65,535 bytes is several blocks.
function Site.test_scripts_of_the_user()
  local rule = "-- " .. ("x"):rep(70000) .. '\nreturn crux.rule { game = "move", predicts = "difficulty", formula = function(m) return m.moves end }\n'
  local game = shell.read "games/move.lua"
  local scripts = shell.folder("own", { ["mine.lua"] = game, ["my-rule.lua"] = rule, ["one.txt"] = "A . a\n" })
  local page, links = page_of(("%s/mine.lua %s/one.txt --rule %s/my-rule.lua --title 'Mine & yours'"):format(scripts, scripts, scripts))
  local files = links[1][2].files
  luaunit.assertEquals({ files["levels.txt"], files["mine.lua"] == game, files["my-rule.lua"] == rule },
    { "; one\nA . a\n", true, true })
  luaunit.assertEquals({ links[1][2].game, links[1][2].rule }, { "mine.lua", "my-rule.lua" })
  luaunit.assertNotNil(page:find("<title>Mine &amp; yours</title>", 1, true))
end

--- A game without a rule has no ratings; a level that is none is told, and the others are shown.
function Site.test_without_a_rating()
  local path = shell.file("two.txt", levels .. "\n; bad\nA . ?\n")
  local folder = shell.path "rest"
  local result = shell.crux(("site games/move.lua %s -o %s --workbench w.html"):format(path, folder))
  luaunit.assertEquals({ result.status, result.err:match "[^\n]*\n$" }, { 1, "1 of 3 levels failed\n" })
  local page = shell.read(folder .. "/index.html")
  luaunit.assertEquals({ page:find 'class="number">%d', page:find "2 levels%." ~= nil }, { nil, true })
end

function Site.test_refusals()
  local path = shell.file("two.txt", levels)
  local function refused(line) return shell.crux("site move " .. line).err:match "([^\n]*)\n$" end
  luaunit.assertEquals(refused(path), "expected -o FOLDER")
  luaunit.assertEquals(refused(path .. " -o /proc/none"), "/proc/none: No such file or directory")
  luaunit.assertStrContains(refused(path .. " --rule flow -o " .. shell.path "no"), "the measure")
  luaunit.assertNil(shell.crux("site move " .. path .. " -o " .. shell.path "no" .. " --rule none").out:find "%S")
  luaunit.assertFalse(shell.exists(shell.path "no"))
end

return { Site = Site }
