--- datasets/README.md names each file of datasets/, its source, and the licence and citation of each source.
local luaunit = require "luaunit"
local shell = require "shell"

local readme = shell.read "datasets/README.md"

--- The cells of the rows of the table that begins with a header, by the first cell.
local function rows(header)
  local list = {}
  local _, from = readme:find(header .. "\n|---|---|---|", 1, true)
  for first, rest in readme:match("\n(.-)\n\n", from):gmatch "| ([^|]+) |([^\n]+)" do
    local name = first:match "`(.-)`" or first
    list[name] = {}
    for cell in rest:gmatch " ([^|]+) |" do table.insert(list[name], cell) end
  end
  return list
end

local Datasets = {}

function Datasets.test_each_file_has_a_source_a_citation_and_a_licence()
  local files = rows "| file | one row, or number of levels | what it is | source |"
  local sources = rows "| source | cite | licence |"
  local used = {}
  for path in shell.output "find datasets -type f ! -name README.md":gmatch "datasets/([^\n]+)" do
    local name = path:match "^levels/%l+/" or path
    luaunit.assertNotNil(files[name], name .. " has no row")
    local source = files[name][3]
    luaunit.assertEquals(#(sources[source] or {}), 2, source .. " needs a citation and a licence")
    used[name], used[source] = true, true
  end
  for _, list in ipairs { files, sources } do
    for name in pairs(list) do luaunit.assertTrue(used[name], name .. " is not there") end
  end
end

return { Datasets = Datasets }
