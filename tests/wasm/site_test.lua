--- The pages of `make site`: `make test-wasm CRUX_TEST_MORE=1`, where pandoc is installed.
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local Site = {}

--- The links of a page, and what it loads, that are no addresses and lead to no file of the folder.
local function lost_in(page)
  local lost, folder = {}, page:match "^(.*)/"
  for link in shell.read(page):gmatch '[^%w][hs]re?[fc]="([^"#]+)' do
    local path = folder .. "/" .. link:gsub("%%20", " ")
    if not link:find "^%a+:" and shell.run("test -e " .. shell.quote(path)).status ~= 0 then table.insert(lost, page .. ": " .. link) end
  end
  return lost
end

--- Every game has a page with levels to play, which the gallery leads to; no link of any page leads nowhere.
function Site.test_gallery_and_links()
  long.only()
  luaunit.skipIf(not os.getenv "CRUX_TEST_MORE", "CRUX_TEST_MORE=1 runs it")
  luaunit.skipIf(not shell.exists "build/wasm/site/workbench.html", "make wasm was not run, which needs emscripten and f2c")
  luaunit.skipIf(shell.run "command -v pandoc".status ~= 0, "pandoc is missing")
  local folder, lost = shell.path "site", {}
  shell.run("wasm/site.sh " .. folder)
  local gallery = shell.read(folder .. "/games.html")
  for _, row in ipairs(shell.decoded "games") do
    luaunit.assertStrContains(gallery, ('href="games/%s/index.html"'):format(row.game))
    local page = shell.read(("%s/games/%s/index.html"):format(folder, row.game))
    luaunit.assertStrContains(page, 'href="../../workbench.html#play/open=')
    luaunit.assertStrContains(page, 'href="../../workbench.html#level/open=', row.game)
  end
  for _, page in ipairs(shell.lines(shell.output(("find %s -name '*.html' ! -name workbench.html"):format(folder)))) do
    for _, link in ipairs(lost_in(page)) do table.insert(lost, link) end
  end
  luaunit.assertEquals(table.concat(lost, "\n"), "")
end

return { Site = Site }
