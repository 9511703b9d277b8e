--- Scripts that try to break out, to go on for ever or to spoil what is not theirs: those of tests/attacks/attacks.txt, as files.
---
--- An attack there is three parts: `@KIND NAME: what it tries`; `COMMAND [OPTION...]: EXPECTED`, what the first line on stderr holds
--- when that command is run with the script, or "as honest" if what it prints is what an honest script prints; and code. The code
--- of a `parse` stands in that function of tests/attacks/honest.lua, that of a `game` changes this game, a `rule` is the script.
local shell = require "shell"

local attacks = {}

local spin = "local function spin() while true do end end\n"
local game = "local game = require 'honest'\n" .. spin
local texts = {
  parse = game .. "function game.parse(text)\ndo\n%s end\nreturn { size = #text }\nend\nreturn game\n",
  game = game .. "%sreturn game\n",
  rule = spin .. "%s",
}

---@class Attack
---@field name string
---@field path string
---@field command string
---@field expected string

--- The folder of the scripts, with honest.lua.
attacks.folder = shell.folder("attack-scripts", { ["honest.lua"] = shell.read "tests/attacks/honest.lua" })

---@type Attack[]
attacks.list = {}
for kind, name, command, expected, code in shell.read "tests/attacks/attacks.txt"
  :gmatch "@(%l+) ([%l%d-]+): [^\n]+%.\n([^:\n]+): ([^\n]+)\n(.-)%f[@\0]" do
  local path = shell.file(("attack-scripts/%s.lua"):format(name), (texts[kind]:gsub("%%s", function() return code end)))
  table.insert(attacks.list, { name = name, path = path, command = command, expected = expected })
end

return attacks
