--- Walk-throughs that people read: what they show is done as it stands there, and what they say is printed is printed.
---
--- A code block does one of these:
---   - it begins with '$ crux ...': a command line, which ends at the line end, and what it prints, or more of these;
---   - its language is diff: the lines with '-' or ' ' in front, together in one place of a file, become those with '+' or ' ';
---     '@@' is before another place;
---   - else it is the content of a file.
--- The file is named, as in `rule.lua`, right before the colon that ends the line before the block. Without a name a block
--- only shows something.
local luaunit = require "luaunit"
local shell = require "shell"

local walkthrough = {}

---@class Block
---@field language string
---@field text string
---@field file string?

--- The code blocks of a text in Markdown.
---@return Block[]
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

--- As on a terminal, where these print tables.
local function as_on_terminal(line)
  local prints_table = line:find "^rate " or line:find "^measure " or line:find "^check "
  return prints_table and not line:find " %-o " and line .. " --format table" or line
end

--- Runs the commands of a block in the folder and compares what they print; returns how many they were.
local function run(text, folder)
  local count = 0
  for line, expected in ("\n" .. text):gsub("\n%$ crux ", "\n\0"):gmatch "%z([^\n]*)\n([^%z]*)" do
    local result = shell.run(("cd %s && %s %s"):format(folder, shell.quote(shell.program), as_on_terminal(line)))
    luaunit.assertEquals(result.out .. result.err, expected, line)
    count = count + 1
  end
  return count
end

--- Does in a folder what a text shows.
---@param text string
---@param folder string
---@return integer commands   how many were run
function walkthrough.follow(text, folder)
  local count = 0
  for _, block in ipairs(walkthrough.blocks(text)) do
    local path = block.file and folder .. "/" .. block.file
    if block.text:find "^%$ crux " then
      count = count + run(block.text, folder)
    elseif path then
      local file = assert(io.open(path, block.language == "diff" and "r+b" or "wb"))
      file:write(block.language == "diff" and patch(path, block.text) or block.text)
      file:close()
    end
  end
  return count
end

return walkthrough
