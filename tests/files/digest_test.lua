-- Tests of libcrux.digest: XXH128 of texts and of files.
local digest = require "libcrux.digest"
local luaunit = require "luaunit"
local shell = require "shell"

local Digest = {}

function Digest.test_texts_and_files()
  luaunit.assertEquals(digest.text "", "99aa06d3014798d86001c324468d497f") -- the XXH3 reference: XXH128("", seed 0)
  local text = ("x"):rep(200000)
  local path = shell.file("digest", text)
  luaunit.assertEquals(digest.file(path), digest.text(text))
  luaunit.assertNotEquals(digest.file(path), digest.text(text:sub(1, 100000) .. "y" .. text:sub(100002)))
  luaunit.assertEquals({ digest.file "/" }, { nil, "Is a directory" })
  luaunit.assertEquals({ digest.file "/nowhere" }, { nil, "No such file or directory" })
end

return { Digest = Digest }
