-- Tests of lua/crux/base/number.lua, json.lua and out/: numbers as text, the four formats, files whole or not at all.
local budget = require "libcrux.budget"
local dataset = require "crux.data.dataset"
local fault = require "crux.base.fault"
local formats = require "crux.out.formats"
local json = require "crux.base.json"
local luaunit = require "luaunit"
local number = require "crux.base.number"
local shell = require "shell"
local xml_reader = require "xml_reader"
local sinks = require "crux.out.sinks"
local tables = require "crux.out.tables"

local nan, inf = 0 / 0, math.huge

local Number = {}

function Number.test_exact_reads_back()
  math.randomseed(1)
  for _ = 1, 20000 do
    local x = string.unpack("<d", string.pack("<i8", math.random(0))) -- any bits
    if x == x and math.abs(x) < inf then
      local text = number.exact(x)
      if tonumber(text) ~= x then luaunit.fail(("%a became %s"):format(x, text)) end
    end
  end
  for _, x in ipairs { 1.7976931348623157e308, 2.2250738585072014e-308, 5e-324, 2 ^ 53, 2 ^ 53 + 2, 0.1 + 0.2, -1 / 3 } do
    luaunit.assertEquals(tonumber(number.exact(x)), x)
  end
end

function Number.test_exact_is_short()
  for text, x in pairs {
    ["0"] = 0.0, ["3"] = 3.0, ["-3"] = -3, ["0.1"] = 0.1, ["0.30000000000000004"] = 0.1 + 0.2, ["1e+22"] = 1e22,
    ["2.07"] = 2.07, ["9007199254740993"] = 9007199254740993, ["-9223372036854775808"] = math.mininteger,
  } do
    luaunit.assertEquals(number.exact(x), text)
  end
  luaunit.assertEquals({ number.exact(nan), number.exact(nil) }, { "", "" })
end

-- Four significant digits of each number, at most six decimals; one number of decimals a column.
function Number.test_rounder()
  for _, case in ipairs {
    { { 1, 2.0, 300 }, { "1", "2", "300" } },
    { { 0.5, 12 }, { "0.5000", "12.0000" } },
    { { 12.345678, 3 }, { "12.35", "3.00" } },
    { { 0.0123456, 100.5 }, { "0.01235", "100.50000" } },
    { { 0.0012345678, 1 }, { "0.001235", "1.000000" } },
    { { 1e-9, 1.5 }, { "1.000e-09", "1.500" } },
    { { 1234.5678 }, { "1235" } },
    { { 12345678.9 }, { "1.235e+07" } },
    { { 123456789012 }, { "123456789012" } },
    { { -2.5, 0 }, { "-2.500", "0.000" } },
    { { inf, -inf, 1.5 }, { "Inf", "-Inf", "1.500" } },
    { { 1e300, 1e15 }, { "1.000e+300", "1.000e+15" } },
    { { 12345679, 999999999999999 }, { "12345679", "999999999999999" } },
    { { 0.001, 1e7, 9999999.5 }, { "0.001000", "1.000e+07", "9999999.500000" } },
  } do
    local round, texts = number.rounder(case[1]), {}
    for i, x in ipairs(case[1]) do texts[i] = round(x) end
    luaunit.assertEquals(texts, case[2])
  end
end

function Number.test_p()
  for _, case in ipairs {
    { 1, "1.0000" }, { 0.23901559, "0.2390" }, { 0.0012598, "0.0013" }, { 1e-4, "0.0001" }, { 8.52588e-08, "8.53e-08" },
    { 1.6e-14, "1.60e-14" }, { 1e-16, "<2e-16" }, { 0, "<2e-16" }, { nan, "" }, { nil, "" },
  } do
    luaunit.assertEquals(number.p(case[1]), case[2])
  end
end

function Number.test_count()
  for _, case in ipairs {
    { 0, "row", "0 rows" }, { 1, "row", "1 row" }, { 2, "row", "2 rows" }, { 999, "row", "999 rows" },
    { 1000, "row", "1,000 rows" }, { 123456, nil, "123,456" }, { 1234567, "level", "1,234,567 levels" },
  } do
    luaunit.assertEquals(number.count(case[1], case[2]), case[3])
  end
end

local Json = {}

function Json.test_values()
  for _, case in ipairs {
    { 'say "hi"\\', '"say \\"hi\\"\\\\"' }, { "a\nb\r\tc", '"a\\nb\\r\\tc"' }, { "\0\1\31", '"\\u0000\\u0001\\u001f"' },
    { "größe/", '"größe/"' }, { 1, "1" }, { 1.0, "1" }, { 0.1, "0.1" }, { -1e300, "-1e+300" }, { true, "true" },
    { false, "false" }, { nan, "null" }, { inf, "null" }, { -inf, "null" }, { json.null, "null" }, { nil, "null" },
    { {}, "[]" }, { { 1, "a", json.null }, '[1, "a", null]' }, { json.object {}, "{}" },
    { json.object { { "b", 1 }, { "a\n" }, { "c", json.null } }, '{"b": 1, "a\\n": null, "c": null}' },
  } do
    luaunit.assertEquals(json.encode(case[1]), case[2])
  end
end

function Json.test_nesting()
  luaunit.assertEquals(json.encode(json.object { { "n", 1 }, { "terms", { json.object { { "t", "x" } }, { 1, { 2 } } } },
    { "none", {} } }), [[
{
  "n": 1,
  "terms": [
    {"t": "x"},
    [
      1,
      [2]
    ]
  ],
  "none": []
}]])
end

local Formats = {}

--- What a writer makes of rows.
local function written(format, columns, rows)
  local path = shell.path "written"
  local sink <close> = sinks.open(path)
  local writer = tables.writer(sink, format, columns)
  for _, row in ipairs(rows) do writer:add(row) end
  writer:finish()
  sink:commit()
  return shell.read(path)
end

local columns = { { key = "level", text = true }, { key = "rating", label = "how hard" }, { key = "p", p = true } }
local rows = { { level = "größe", rating = 2.5, p = 0.03 }, { level = "a|b", rating = 10 }, { rating = nan, p = 1e-20 } }

function Formats.test_table()
  luaunit.assertEquals(written("table", columns, rows), [[
level  how hard       p
größe     2.500  0.0300
a|b      10.000
                 <2e-16
]])
  luaunit.assertEquals(written("table", columns, {}), "level  how hard  p\n")
end

function Formats.test_markdown()
  luaunit.assertEquals(written("md", columns, rows), [[
| level | how hard | p |
| --- | ---: | ---: |
| größe | 2.500 | 0.0300 |
| a\|b | 10.000 |  |
|  |  | <2e-16 |
]])
  luaunit.assertEquals(written("md", { { key = "x", text = true } }, { { x = "two\nlines" } }), "| x |\n| --- |\n| two lines |\n")
  local hostile = { ["<b>"] = "\\<b>", ["</b>"] = "\\</b>", ["<!--"] = "\\<!--", ["1 < 2"] = "1 < 2", ["&lt;"] = "\\&lt;", ["a & b"] = "a & b",
    ["[x](y)"] = "\\[x](y)", ["`x`"] = "\\`x\\`", ["a\\|b"] = "a\\\\\\|b", ["\27[1m"] = "\\\\x1b\\[1m" }
  for text, shown in pairs(hostile) do
    luaunit.assertEquals(written("md", { { key = text } }, { { [text] = text } }), ("| %s |\n| --- |\n| %s |\n"):format(shown, shown))
  end
end

function Formats.test_table_shows_no_controls()
  luaunit.assertEquals(written("table", { { key = "a\27b" } }, { { ["a\27b"] = "\194\155\255" } }), "a\\x1bb\n\\u{9b}\\xff\n")
end

--- Cells that a spreadsheet would run, and those that it would not.
function Formats.test_safe_csv()
  for cell, safe in pairs {
    ["=1+1"] = "'=1+1", ["+x"] = "'+x", ["-x"] = "'-x", ["@x"] = "'@x", ["\tx"] = "\"'\tx\"", ["\t1"] = "\"\t1\"", ["\r=x"] = "\"'\r=x\"", ["\nx"] = "\"'\nx\"",
    [" =x"] = "' =x", ["=a,\"b\""] = "\"'=a,\"\"b\"\"\"", ["＝x"] = "'＝x", ["-"] = "'-", ["-1"] = "-1", ["+1e3"] = "+1e3", ["-1-1"] = "'-1-1",
    ["a=b"] = "a=b", ["'=x"] = "'=x", ["a;=x"] = '"a;=x"', ["a\t=x"] = '"a\t=x"', [-2.5] = "-2.5", [-math.huge] = "-Inf", [""] = "",
  } do
    luaunit.assertEquals(written("safe-csv", { { key = "x" } }, { { x = cell } }), ("x\n%s\n"):format(safe), cell)
  end
  luaunit.assertEquals(written("safe-csv", { { key = "=x" } }, {}), "'=x\n")
  luaunit.assertEquals(written("csv", { { key = "=x" } }, { { ["=x"] = "=1;2" } }), "=x\n=1;2\n")
end

function Formats.test_csv_and_json()
  luaunit.assertEquals(written("csv", columns, rows), "level,rating,p\ngröße,2.5,0.03\na|b,10,\n,,1e-20\n")
  luaunit.assertEquals(written("csv", columns, {}), "level,rating,p\n")
  luaunit.assertEquals(written("json", columns, rows), [[
[
  {"level": "größe", "rating": 2.5, "p": 0.03},
  {"level": "a|b", "rating": 10, "p": null},
  {"level": null, "rating": null, "p": 1e-20}
]
]])
  luaunit.assertEquals(written("json", columns, {}), "[]\n")
end

--- Names and messages with every sign that XML escapes, controls and bytes that are no UTF-8.
function Formats.test_junit()
  local hostile = "a<b> & \"c\" 'd' ]]>\27[1m\255"
  local shown = "a<b> & \"c\" 'd' ]]>\239\191\189[1m\239\191\189"
  local root = xml_reader(written("junit", { { key = "level" }, { key = "rating" } }, {
    { level = hostile, rating = 2.5, case = { name = hostile, file = "1.txt", failure = hostile .. "\nsecond" } },
    { level = "b", case = { name = "b", file = "1.txt" } },
    { case = { name = "c", file = "2.txt", error = "wrong" } },
  }))
  local suite, counts = root[1], { tests = "3", failures = "1", errors = "1" }
  luaunit.assertEquals({ root.name, root.attributes }, { "testsuites", counts })
  counts.name = "crux"
  luaunit.assertEquals({ suite.name, suite.attributes, #suite }, { "testsuite", counts, 3 })
  luaunit.assertEquals(suite[1].attributes, { classname = "1.txt", name = shown })
  luaunit.assertEquals(suite[1][1], { name = "failure", attributes = { message = shown .. " second" }, text = shown .. "\nsecond" })
  luaunit.assertEquals(suite[1][2].name, "system-out")
  luaunit.assertStrContains(suite[1][2].text, "\nrating: 2.500")
  luaunit.assertEquals(suite[2], { name = "testcase", attributes = { classname = "1.txt", name = "b" }, text = "",
    { name = "system-out", attributes = {}, text = "level: b" } })
  luaunit.assertEquals(suite[3][1], { name = "error", attributes = { message = "wrong" }, text = "wrong" })
  luaunit.assertEquals(xml_reader(written("junit", { { key = "level" } }, {})).attributes.tests, "0")
end

function Formats.test_csv_reads_back()
  local texts = { "plain", "a,b", 'say "hi"', '"', "two\nlines", "\n", "\r", " before", "after\t", "größe", "NA", "", "1" }
  local list = {}
  for i, text in ipairs(texts) do list[i] = { ["the, key"] = text, n = i / 7 } end
  written("csv", { { key = "the, key" }, { key = "n" } }, list)
  local block = dataset.open(shell.path "written"):blocks { texts = { "the, key" }, numbers = { "n" } }()
  luaunit.assertEquals(table.move(block.texts["the, key"], 1, #texts, 1, {}), texts)
  for i = 1, #texts do luaunit.assertEquals(block.numbers.n[i], i / 7) end
end

function Formats.test_report()
  local part = { columns = { { key = "x" } }, rows = { { x = 1 } } }
  local report = { json = json.object { { "x", 1 } }, notes = { "first", "second" },
    tables = { part, { title = "More", columns = part.columns, rows = part.rows } } }
  for format, expected in pairs {
    csv = "x\n1\n", json = '{"x": 1}\n', table = "x\n1\n\nfirst\nsecond\n\nMore\n\nx\n1\n",
    md = "| x |\n| ---: |\n| 1 |\n\nfirst  \nsecond\n\n## More\n\n| x |\n| ---: |\n| 1 |\n",
  } do
    tables.report(shell.path "report", format, report)
    luaunit.assertEquals(shell.read(shell.path "report"), expected, format)
  end
end

function Formats.test_format()
  for _, case in ipairs {
    { "md", "x.csv", "md" }, { nil, "x.json", "json" }, { nil, "x.md", "md" }, { nil, "x.csv", "csv" },
    { nil, "csv", "table" }, { nil, "x.csv.txt", "table" }, { nil, "x", "table" },
  } do
    luaunit.assertEquals(formats.choose(case[1], case[2], "table"), case[3])
  end
end

local Sink = {}

local folder = shell.path "sink"

--- A folder with the file `out`, of which these are the whole contents.
local function prepare()
  shell.folder("sink", { out = "before" })
  return folder .. "/out"
end

local function listing() return shell.run("ls -A " .. folder).out end

function Sink.test_nothing_is_left_without_a_commit()
  local path = prepare()
  for _, target in ipairs { path, folder .. "/new" } do
    do
      local sink <close> = sinks.open(target)
      sink:write "half"
    end
    local ok = pcall(function()
      local sink <close> = sinks.open(target)
      sink:write("half", 2)
      error "interrupted"
    end)
    luaunit.assertEquals({ ok, listing(), shell.read(path) }, { false, "out\n", "before" })
  end
end

--- After a limit has stopped a script nothing is written, although a caller caught the error.
function Sink.test_nothing_is_written_after_a_stop()
  local path = prepare()
  budget.set { instructions = 1 }
  local _, problem = fault.catch(fault.guard, "endless", function() while true do end end)
  local ok, refused = fault.catch(sinks.save, path, "a part")
  local is_mended = budget.forget()
  budget.set {}
  luaunit.assertEquals({ ok, refused.message, is_mended, shell.read(path), listing() },
    { false, problem.message, true, "before", "out\n" })
  luaunit.assertStrContains(refused.message, "took more than 1 million instructions")
end

function Sink.test_a_file_is_replaced_at_once()
  local path = prepare()
  local reader <close> = io.open(path)
  local sink <close> = sinks.open(path)
  sink:write("after", 1, "\n")
  luaunit.assertEquals(shell.read(path), "before")
  sink:commit()
  luaunit.assertEquals({ shell.read(path), reader:read "a", listing() }, { "after1\n", "before", "out\n" })
end

function Sink.test_permissions_stay()
  local path = prepare()
  for _, mode in ipairs { "640", "755", "600" } do
    shell.run(("chmod %s %s"):format(mode, path))
    sinks.save(path, "after")
    luaunit.assertEquals(shell.run("stat -c %a " .. path).out, mode .. "\n")
  end
  local new = folder .. "/new"
  sinks.save(new, "x")
  luaunit.assertEquals(shell.run("stat -c %a " .. new).out, shell.run(("touch %s2; stat -c %%a %s2"):format(new, new)).out)
end

function Sink.test_links_stay_links()
  local path = prepare()
  shell.run(("cd %s && mkdir deep && mv out deep/out && ln -s deep/out out"):format(folder))
  sinks.save(path, "after")
  luaunit.assertEquals(shell.run("readlink " .. path).out, "deep/out\n")
  luaunit.assertEquals(shell.read(folder .. "/deep/out"), "after")
  luaunit.assertEquals(shell.run(("ls -A %s/deep"):format(folder)).out, "out\n")
end

function Sink.test_what_cannot_be_written()
  local path = prepare()
  luaunit.assertErrorMsgContains(folder .. "/no/file: No such file or directory", sinks.save, folder .. "/no/file", "x")
  luaunit.assertErrorMsgContains(path .. "/file: Not a directory", sinks.save, path .. "/file", "x")
  luaunit.assertErrorMsgContains("Is a directory", sinks.save, folder, "x")
  luaunit.assertErrorMsgContains("/dev/full: No space left on device", sinks.save, "/dev/full", "x")
  sinks.save("/dev/null", "x")
  luaunit.assertEquals(listing(), "out\n")
end

return { Number = Number, Json = Json, Formats = Formats, Sink = Sink }
