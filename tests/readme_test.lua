--- README.md tells the truth: its commands print what it shows; and so does the guide to a new game.
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

return { Readme = Readme }
