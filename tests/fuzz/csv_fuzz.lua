--- CSV: reads the cells of a text, as text, as numbers and by level, and writes them: they read back the same, also without what
--- a spreadsheet would run.
local csv = require "libcrux.csv"
local dataset = require "crux.data.dataset"
local tables = require "crux.out.tables"
local went_well = dofile "tests/fuzz/went_well.lua"

local folder = os.getenv "CRUX_TEST_FOLDER" or "build/fuzz"
local path, copy = folder .. "/csv_fuzz.input", folder .. "/csv_fuzz.copy"
local delimiters = { ",", ",", ",", ";", "\t", " ", "1", "\255" }

local function write(to, text)
  local file <close> = assert(io.open(to, "wb"))
  assert(file:write(text))
end

--- The columns, rows of cells, and lines of a dataset; nil when it has a fault.
local function cells_of(data)
  local rows, lines = {}, {}
  local ok = went_well(function()
    for block in data:blocks { texts = data.columns } do
      for i = 1, block.rows do
        local row = {}
        for _, column in ipairs(data.columns) do row[column] = block.texts[column][i] end
        table.insert(rows, row)
        table.insert(lines, block:place(i))
      end
    end
    return true
  end)
  return ok and rows, lines
end

--- What is guessed are numbers exactly where all cells are.
local function check_guesses(data, rows)
  local guessed = {}
  for _, column in ipairs(data:numeric(data.columns)) do guessed[column] = true end
  for _, column in ipairs(data.columns) do
    local all = true
    for _, row in ipairs(rows) do all = all and csv.number(row[column]) ~= nil end
    assert(all == (guessed[column] or false), column)
    if all then
      local at = 0
      for block in data:blocks { numbers = { column } } do
        for i = 1, block.rows do
          local found, expected = block.numbers[column][i], csv.number(rows[at + i][column])
          assert(found == expected or found ~= found and expected ~= expected, column)
        end
        at = at + block.rows
      end
      assert(at == #rows)
    else
      went_well(function() for _ in data:blocks { numbers = { column } } do end end)
    end
  end
end

--- Cells that were written read back, those for a spreadsheet with an apostrophe in front of some.
local function check_written(data, rows, format)
  local columns, pieces = {}, {}
  for i, column in ipairs(data.columns) do columns[i] = { key = column } end
  tables.write({ write = function(_, text) table.insert(pieces, text) end }, format, columns, rows)
  write(copy, table.concat(pieces))
  local back = went_well(dataset.open, copy)
  local again = back and cells_of(back)
  if format == "safe-csv" and not again then return end -- with an apostrophe a name or a row may get too long
  assert(again and #again == #rows, "a file that was written does not read back")
  for j, column in ipairs(data.columns) do
    for i, row in ipairs(rows) do
      local cell = again[i][back.columns[j]]
      assert(cell == row[column] or format == "safe-csv" and cell == "'" .. row[column] and not csv.number(row[column]), cell)
      assert(format == "csv" or not cell:find "^%s*[=+%-@]" or csv.number(cell), cell)
    end
  end
end

return function(text)
  write(path, text)
  local data = went_well(dataset.open, path, { delimiter = delimiters[#text % #delimiters + 1] })
  if not data then return end
  local rows, lines = cells_of(data)
  if not rows then return end
  local again, same_lines = cells_of(data)
  assert(#again == #rows and table.concat(lines) == table.concat(same_lines))
  if #data.columns > 50 then return end
  check_guesses(data, rows)
  if #data.columns > 1 then -- a row of one empty cell would be a blank line
    check_written(data, rows, "csv")
    check_written(data, rows, "safe-csv")
  end
  if data.has.level then went_well(dataset.join, data, data) end
end
