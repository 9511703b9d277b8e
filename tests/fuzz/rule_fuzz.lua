--- Rules: loads a text as a script, and rates a level by it. The time and memory that a script may take are not the matter here:
--- texts that could loop, or ask C for much, are left out.
local dataset = require "crux.data.dataset"
local rule = require "crux.rule.rule"
local vector = require "libcrux.vector"
local went_well = dofile "tests/fuzz/went_well.lua"

local path = (os.getenv "CRUX_TEST_FOLDER" or "build/fuzz") .. "/rule_fuzz.input"
local data = dataset.of_vectors("data", { "level", "a", "b", "y" },
  { a = vector.of { 1, 2 }, b = vector.of { 0.5, 0 / 0 }, y = vector.of { 1, 3 } }, 2, { "one", "two" })
local slow = { "while", "repeat", "for", "goto", "rep", "find", "match", "gsub", "format", "pack", "concat", "move", "sort" }

local function rate(loaded)
  for block in data:blocks { numbers = loaded:measures(data), texts = loaded:texts(data), levels = true } do
    local ratings, parts = loaded:rate(block)
    assert(#ratings == block.rows)
    for row = 1, block.rows do parts(row) end
  end
end

return function(text)
  for _, word in ipairs(slow) do
    if text:find("%f[%a]" .. word .. "%f[%A]") then return end
  end
  local file <close> = assert(io.open(path, "wb"))
  assert(file:write(text) and file:flush())
  local loaded = went_well(rule.load, path)
  if not loaded then return end
  went_well(rate, loaded)
  if loaded.formula then
    local written = loaded:script "Fuzzed."
    assert(file:seek "set")
    local again <close> = assert(io.open(path, "wb"))
    assert(again:write(written) and again:flush())
    assert(rule.load(path):script "Fuzzed." == written, written)
  end
end
