--- README.md tells the truth: its commands print what it shows; and so do the guide to a new game, and the pages on the code.
local luaunit = require "luaunit"
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
