--- crux reproduce: the published study, published beside computed.
local fault = require "crux.base.fault"
local number = require "crux.base.number"
local output = require "crux.out.output"
local reproduction = require "crux.api.reproduction"

local titles = {
  ["published-weights"] = "coefficients, by fold",
  ["published-errors"] = "mean errors (difficulty, scaled: points; time, moves used: percent)",
  ["published-predictions"] = "predictions of levels by the fit that has not seen them",
}

--- One table of a study: a row for each row of the published table, published and computed side by side.
local function wide(cells)
  local columns = { { key = "fold" }, { key = "row", label = "" } }
  if not cells[1].fold then table.remove(columns, 1) end
  local rows, last, known = {}, nil, {}
  for _, cell in ipairs(cells) do
    local place = (cell.fold or "") .. "\0" .. cell.row
    if place ~= last then
      last = place
      table.insert(rows, { fold = cell.fold, row = cell.row })
    end
    if not known[cell.column] then
      known[cell.column] = true
      table.insert(columns, { key = cell.column, right = true })
      table.insert(columns, { key = "computed " .. cell.column, label = "crux" })
    end
    local row, decimals = rows[#rows], cell.table == "published-predictions" and 2 or 4
    if cell.column:find "percent" then decimals = 2 end
    local format = ("%%.%df"):format(decimals)
    row[cell.column] = format:format(cell.published)
    row["computed " .. cell.column] = format:format(cell.computed) .. (cell.holds and "" or " *")
  end
  return columns, rows
end

--- The cells in groups of the same table and study, in order.
local function groups(cells)
  local list = {}
  for _, cell in ipairs(cells) do
    local group = list[#list]
    if not group or group[1].table ~= cell.table or group[1].study ~= cell.study then
      group = {}
      table.insert(list, group)
    end
    table.insert(group, cell)
  end
  return list
end

local function tally(cells)
  local n, held, excepted = 0, 0, {}
  for _, cell in ipairs(cells) do
    if cell.reason then
      table.insert(excepted, cell)
    else
      n, held = n + 1, held + (cell.holds and 1 or 0)
    end
  end
  return n, held, excepted
end

local function write_tables(sink, format, cells)
  for _, group in ipairs(groups(cells)) do
    local n, held = tally(group)
    sink:write(("%s%s: %s, published and computed; %d of %d hold\n\n"):format(format == "md" and "## " or "",
      group[1].study, titles[group[1].table], held, n))
    local columns, rows = wide(group)
    output.write(sink, format, columns, rows)
    sink:write "\n"
  end
  local n, held, excepted = tally(cells)
  if #excepted > 0 then
    sink:write "Cells (*) that need not hold, as datasets/README.md explains:\n\n"
    output.write(sink, format, { { key = "study" }, { key = "fold" }, { key = "row" }, { key = "column" },
      { key = "published" }, { key = "computed" }, { key = "reason" } }, excepted)
    sink:write "\n"
  end
  sink:write(("%s of %s published cells hold\n"):format(number.count(held), number.count(n)))
end

local function write_cells(sink, format, cells)
  local columns = {}
  for i, field in ipairs { "table", "study", "fold", "row", "column", "published", "computed", "tolerance", "holds",
    "reason" } do
    columns[i] = { key = field }
  end
  output.write(sink, format, columns, cells)
end

local function run(args)
  local studies = #args.study > 0 and args.study or reproduction.studies
  local cells = reproduction.cells(studies)
  local sink <close> = output.open(args.output)
  local format = output.format(args.format, args.output, "table")
  local long = format == "json" or output.is_data(format)
  local write = long and write_cells or write_tables
  write(sink, format, cells)
  sink:commit()
  local n, held = tally(cells)
  if held < n then fault.raise(("found %d published cells that do not hold, expected none"):format(n - held)) end
end

return {
  details = "Fits the five rules of Mutser's study (master thesis, Utrecht 2014) to the datasets that come with crux, "
    .. "cross-validates them and prints every published coefficient, error and prediction beside the computed one. CSV and "
    .. "JSON list the cells one by one.",
  arguments = {
    { name = "study", args = "*", doc = "Some of: " .. table.concat(reproduction.studies, ", ") .. ". All unless given.",
      choices = reproduction.studies },
  },
  options = { "output", "format" },
  examples = { "crux reproduce", "crux reproduce flow --format csv" },
  wide = wide,
  titles = titles,
  tally = tally,
  run = run,
}
