--- README.md tells the truth: its commands print what it shows; and so do the guides to a new game and to a player study, and the pages on the code.
local luaunit = require "luaunit"
local playing = require "playing"
local shell = require "shell"
local walkthrough = require "walkthrough"

local Readme = {}

function Readme.test_commands_print_what_is_shown()
  local folder, here = shell.folder "readme", assert(io.popen "pwd"):read "l"
  for _, name in ipairs { "datasets", "examples" } do shell.run(("ln -s %s/%s %s/%s"):format(here, name, folder, name)) end
  luaunit.assertEquals(walkthrough.follow(shell.read "README.md", folder), 5)
end

--- From an empty folder.
function Readme.test_guide_to_a_new_game()
  luaunit.assertEquals(walkthrough.follow(shell.read "examples/new-game/README.md", shell.folder "new-game"), 11)
end

--- From an empty folder, too: the study as far as no person is needed, and what the first player sees.
function Readme.test_guide_to_a_player_study()
  local folder, page = shell.folder "guide-to-a-study", shell.read "docs/study.md"
  luaunit.assertEquals(walkthrough.follow(page, folder), 9)
  local plan = "\n" .. shell.read(folder .. "/plan.csv")
  for _, block in ipairs(walkthrough.blocks(page)) do
    if block.text:find "^player,position" then
      for line in block.text:gmatch "[^\n]+" do
        if line ~= "..." then luaunit.assertStrContains(plan, "\n" .. line .. "\n") end
      end
    elseif block.text:find "^ level 1" then
      local line = ("sh -c %s"):format(shell.quote(("cd %s && %s play --plan plan.csv --player p1 --record new.csv"):format(folder,
        shell.quote(shell.program))))
      luaunit.assertEquals(playing.run(line, { "see level 1", "size 72 12", "see level 1", "show" }), block.text)
    end
  end
end

function Readme.test_dataset_excerpt_is_in_the_dataset()
  local excerpt = walkthrough.blocks(shell.read "README.md")[2].text:gsub("%.%.%.\n", "")
  luaunit.assertStrContains(shell.read "datasets/flow.csv", excerpt)
end

--- Files are there, and what stands as `NAME()` behind a file is a function of it.
local function check_names(page)
  local path, code
  for word in shell.read(page):gsub("\n```.-\n```", ""):gmatch "`([^`\n]+)`" do
    local name = word:match "^([%w_.:]+)%(%)$"
    if word:find "^[%l_/-]+/[%w_./-]*$" and not word:find "NAME" then
      path = word
      luaunit.assertTrue(shell.exists(path), ("%s names %s, which is not there"):format(page, path))
      code = path:find "%.%l+$" and shell.read(path)
    elseif name then
      local definition = path:find "%.lua$" and ("function %s("):format(name) or name .. "("
      luaunit.assertNotNil(code:find(definition, 1, true), ("%s names %s, which is not in %s"):format(page, word, path))
    end
  end
end

function Readme.test_pages_on_the_code_name_what_is_there()
  for _, page in ipairs { "docs/architecture.md", "CONTRIBUTING.md" } do check_names(page) end
end

return { Readme = Readme }
