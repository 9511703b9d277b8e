--- Walk-throughs that people read: what they show is done as it stands there, and what they say is printed is printed.
---
--- A code block does one of these:
---   - it begins with '$ ': a command line, which ends at the line end, and what it prints, or more of these; a line '...' stands
---     for any lines. `cd` holds for the next command lines, too;
---   - its language is diff: the lines with '-' or ' ' in front, together in one place of a file, become those with '+' or ' ';
---     '@@' is before another place;
---   - else it is the content of a file.
--- The file is named, as in `rule.lua`, right before the colon that ends the line before the block. Without a name a block
--- only shows something.
local luaunit = require "luaunit"
local plugin = require "plugin"
local shell = require "shell"

local walkthrough = {}

---@class Block
---@field language string
---@field text string
---@field file string?

--- The code blocks of a text in Markdown.
function walkthrough.blocks(text)
  local list = {}
  for before, language, body in ("\n" .. text):gmatch "\n([^\n]*)\n+```(%w*)\n(.-)\n```" do
    table.insert(list, { language = language, text = body .. "\n", file = before:match "`([%w._-]+)`:$" })
  end
  return list
end

--- The text of a file, changed as the hunks of a diff say.
local function patch(path, diff)
  local text = shell.read(path)
  for hunk in (diff:gsub("@@[^\n]*\n", "\0") .. "\0"):gmatch "([^%z]+)%z" do
    local old, new = {}, {}
    for sign, line in hunk:gmatch "([^\n]?)([^\n]*\n)" do
      if sign ~= "+" then table.insert(old, line) end
      if sign ~= "-" then table.insert(new, line) end
    end
    local from, to = text:find(table.concat(old), 1, true)
    luaunit.assertNotNil(from, hunk)
    text = text:sub(1, from - 1) .. table.concat(new) .. text:sub(to + 1)
  end
  return text
end

--- Commands that print tables on a terminal and CSV elsewhere.
local prints_table = { rate = true, measure = true, correlate = true, aggregate = true,
  players = true, levels = true }

--- As on a terminal.
local function as_on_terminal(line)
  local command = line:match "^crux (%a+)"
  return prints_table[command] and not line:find " %-o " and not line:find "[>|]" and not line:find " %-%-format "
    and line .. " --format table" or line
end

--- Whether a text is what is shown, of which lines '...' stand for any lines.
local function is_shown(text, shown)
  local pattern = ("\n" .. shown):gsub("%p", "%%%0"):gsub("\n%%%.%%%.%%%.%f[\n]", "\n.-")
  return ("\n" .. text):find("^" .. pattern .. "$") ~= nil
end

--- Runs the commands of a block in the folder and compares what they print.
---@return integer commands   how many they were
---@return string folder      where the next are run
local function run(text, folder)
  local count = 0
  for line, shown in ("\n" .. text):gsub("\n%$ ", "\n\0"):gmatch "%z([^\n]*)\n([^%z]*)" do
    if not line:find "^lua5%.4 " or not plugin.problem() then
      local place, said = shell.path "walkthrough-place", shell.path "walkthrough-stderr"
      local printed = shell.run(("PATH=%s:$PATH; cd %s && { %s\n} 2> %s; pwd > %s"):format(walkthrough.programs(), folder,
        as_on_terminal(line), said, place)).out .. shell.read(said)
      if not is_shown(printed, shown) then luaunit.assertEquals(printed, shown, line) end
      folder = shell.read(place):gsub("\n", "")
    end
    count = count + 1
  end
  return count, folder
end

--- A folder in which the program under test is called crux.
function walkthrough.programs()
  local folder = shell.path "programs"
  if not shell.exists(folder .. "/crux") then
    shell.output(("mkdir -p %s && ln -s \"$(realpath %s)\" %s/crux"):format(folder, shell.quote(shell.program), folder))
  end
  return folder
end

--- Does in a folder what a text shows.
---@return integer commands   how many were run
function walkthrough.follow(text, folder)
  local count, place = 0, folder
  for _, block in ipairs(walkthrough.blocks(text)) do
    local path = block.file and place .. "/" .. block.file
    if block.text:find "^%$ " then
      local commands
      commands, place = run(block.text, place)
      count = count + commands
    elseif path then
      local content = block.language == "diff" and patch(path, block.text) or block.text
      local file <close> = assert(io.open(path, "wb"))
      file:write(content)
    end
  end
  return count
end

return walkthrough
