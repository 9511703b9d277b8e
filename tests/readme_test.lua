--- README.md tells the truth: its commands print what it shows.
local luaunit = require "luaunit"
local shell = require "shell"

--- The README's code blocks: { language, text }.
local function blocks(text)
  local list = {}
  for language, body in text:gmatch "\n```(%w*)\n(.-)\n```" do table.insert(list, { language = language, text = body .. "\n" }) end
  return list
end

local Readme = {}

function Readme.test_commands_print_what_is_shown()
  local readme = shell.read "README.md"
  local here = assert(io.popen "pwd"):read "l"
  local folder = shell.path "readme"
  shell.run(("mkdir -p %s && ln -sfn %s/datasets %s/datasets && ln -sfn %s/examples %s/examples"):format(folder, here, folder,
    here, folder))
  local shown = 0
  for _, block in ipairs(blocks(readme)) do
    if block.language == "lua" then shell.file("readme/my-rule.lua", block.text) end
    local command, expected = block.text:match "^%$ crux ([^\n]*)\n(.*)$"
    if command then
      if command:find "^rate" then command = command .. " --format table" end -- as on a terminal
      local result = shell.run(("cd %s && %s %s"):format(folder, shell.quote(shell.program), command))
      luaunit.assertEquals(result.err, "")
      luaunit.assertEquals(result.out, expected, command)
      shown = shown + 1
    end
  end
  luaunit.assertEquals(shown, 5)
end

function Readme.test_dataset_excerpt_is_in_the_dataset()
  local excerpt = blocks(shell.read "README.md")[2].text:gsub("%.%.%.\n", "")
  luaunit.assertStrContains(shell.read "datasets/flow.csv", excerpt)
end

return { Readme = Readme }
