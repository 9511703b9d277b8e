-- Tests of crux.text_file: whole files, up to a size.
local luaunit = require "luaunit"
local shell = require "shell"
local text_file = require "crux.base.text_file"

local function problem(...)
  local ok, result = pcall(text_file.read, ...)
  luaunit.assertFalse(ok)
  return result.message
end

local TextFile = {}

function TextFile.test_sizes()
  for _, size in ipairs { 0, 1, 65535, 65536, 65537, 200000 } do
    local text = ("x\n"):rep(size):sub(1, size)
    local path = shell.file("text", text)
    luaunit.assertEquals(text_file.read(path, size, "a text"), text)
    if size > 0 then
      local most = require("crux.base.number").count(size - 1, "byte")
      luaunit.assertEquals(problem(path, size - 1, "a text"),
        ("%s: found a text of more than %s, expected at most %s"):format(path, most, most))
    end
  end
end

function TextFile.test_what_is_no_file()
  luaunit.assertEquals(problem(shell.folder "folder", 10, "a text"), shell.path "folder" .. ": found a folder, expected a text")
  luaunit.assertEquals(problem(shell.path "none", 10, "a text"), shell.path "none" .. ": No such file or directory")
  luaunit.assertEquals(problem("/dev/zero", 10, "a text"), "/dev/zero: found a text of more than 10 bytes, expected at most 10 bytes")
end

return { TextFile = TextFile }
