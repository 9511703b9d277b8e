-- Tests of compressed datasets and results: .gz, and .zst where crux has libzstd.
local csv = require "libcrux.csv"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"
local writing = require "writing"

local crux = shell.crux
local has_zstd = not tostring(select(2, csv.open(shell.file("none.csv.zst", "level\n"), ","))):find "without"
local rows = { "level,size,difficulty" }
for i = 1, 12000 do rows[i + 1] = ("%d,%d,%g"):format(i, i * 37 % 101, i * 37 % 101 / 7) end -- several chunks of the reader
local text = table.concat(rows, "\n") .. "\n"

local Compressed = {}

--- Writes the text compressed by `crux rate --append`, so that the columns are those of the text and the rating.
local function written(ending)
  local plain = shell.file("plain.csv", text)
  local rule = shell.file("rule.lua", 'return crux.rule { formula = "difficulty ~ size", coefficients = { ["(intercept)"] = 0.5, size = 2 } }')
  local path = plain:gsub("plain%.csv$", "written.csv." .. ending)
  local line = ("rate %s --append %s"):format(shell.quote(rule), shell.quote(plain))
  luaunit.assertEquals(crux(("%s -o %s"):format(line, shell.quote(path))), { out = "", err = "", status = 0 })
  return path, crux(line .. " --format csv").out
end

function Compressed.test_what_is_written_is_read()
  long.leave_out()
  for _, ending in ipairs(has_zstd and { "gz", "zst" } or { "gz" }) do
    local path, expected = written(ending)
    if ending == "gz" then luaunit.assertEquals(shell.output("zcat " .. shell.quote(path)), expected) end
    local fitted = ("fit --formula 'rating ~ size + poly(size, 2)' %s"):format(shell.quote(path)) -- two passes
    local again = shell.file("again.csv", expected)
    luaunit.assertEquals(crux(fitted), crux((fitted:gsub("%S+$", (shell.quote(again):gsub("%%", "%%%%"))))))
  end
end

local function packed(path, ending)
  assert(shell.run(({ gz = "gzip -kf %s", zst = "zstd -qkf %s" })[ending]:format(path)).status == 0)
  return path .. "." .. ending
end

function Compressed.test_each_command()
  long.leave_out()
  local with_zstd = has_zstd and shell.run("command -v zstd").status == 0
  for _, one in ipairs(long.some(3, writing.commands())) do
    local path, line = one.path, one.line
    local plain, result = crux(line:format(path)), shell.path "result.csv"
    luaunit.assertEquals(plain.status, 0, line)
    if one.writes_csv then crux(line:format(path) .. " -o " .. result) end
    for _, ending in ipairs(with_zstd and { "gz", "zst" } or { "gz" }) do
      local found = crux(line:format(packed(path, ending)))
      local function shown(out) return (out:gsub("%.csv%." .. ending, ".csv"):gsub(" +", " ")) end
      luaunit.assertEquals({ shown(found.out), found.status }, { shown(plain.out), 0 }, line)
      if one.writes_csv then
        local written_to = result .. "." .. ending
        luaunit.assertEquals(crux(line:format(path) .. " -o " .. written_to).status, 0, line)
        local unpacked = shell.run((ending == "gz" and "zcat " or "zstd -dqc ") .. written_to).out
        luaunit.assertEquals(unpacked, shell.read(result), line)
      end
    end
  end
end

function Compressed.test_damaged_files()
  local path = written "gz"
  local file <close> = io.open(path, "rb")
  local bytes = file:read "a"
  for content, message in pairs {
    [bytes:sub(1, -100)] = "found the end inside compressed data, expected the rest",
    [text] = "found damaged data, expected those of a compressed file",
    [""] = "found the end inside compressed data, expected the rest",
  } do
    local broken = shell.file("broken.csv.gz", content)
    local result = crux("fit --formula 'difficulty ~ size' " .. shell.quote(broken))
    luaunit.assertEquals({ result.err, result.status }, { broken .. ": " .. message .. "\n", 1 })
  end
end

function Compressed.test_a_disk_that_is_full_leaves_nothing()
  local rule = shell.file("rule.lua", 'return crux.rule { formula = "difficulty ~ size", coefficients = { size = 2 } }')
  local result = shell.run(("ulimit -f 8; %s rate %s %s -o full.csv.gz"):format(shell.quote(shell.program), shell.quote(rule),
    shell.quote(shell.file("plain.csv", text))))
  luaunit.assertNotEquals(result.status, 0)
  luaunit.assertNil(io.open "full.csv.gz")
end

return { Compressed = Compressed }
