-- Tests of tests/fuzz/: the seeds of each fuzzer, among them inputs that once failed, go well.
local luaunit = require "luaunit"
local shell = require "shell"

local Fuzz = {}

for _, file in ipairs(shell.list "tests/fuzz") do
  local name = file:match "^(.*)_fuzz%.lua$"
  if name then
    Fuzz["test_" .. name] = function()
      if name == "serve" and not package.preload["libcrux.database"] then luaunit.skip "built without crux serve" end
      local try = dofile("tests/fuzz/" .. file)
      local count = 0
      for seed in (shell.read("tests/fuzz/" .. name .. "_fuzz.seeds") .. "%%\n"):gmatch "(.-)%%%%\n" do
        try(seed)
        count = count + 1
      end
      luaunit.assertTrue(count > 1, count)
    end
  end
end

return { Fuzz = Fuzz }
