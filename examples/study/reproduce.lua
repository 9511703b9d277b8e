--- The published study of Flow, Lazors and Move (Mutser 2014), published beside computed:
--- lua5.4 examples/study/reproduce.lua [--format table|csv|json|md] [STUDY ...]
local here = arg[0]:match "^(.*)/" or "."
package.path = here .. "/?.lua;" .. package.path
package.cpath = here .. "/../../?.so;" .. package.cpath -- of a checkout
local argparse = require "argparse"
local crux = require "crux"
local study = require "cells"

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

--- The tables of each study, as texts.
local function tables(cells, format)
  local texts = {}
  local function add(...) table.insert(texts, (...):format(select(2, ...))) end
  for _, group in ipairs(groups(cells)) do
    local n, held = study.tally(group)
    local columns, rows = study.wide(group)
    add("%s%s: %s, published and computed; %d of %d hold\n\n%s\n", format == "md" and "## " or "", group[1].study,
      study.titles[group[1].table], held, n, crux.table(columns, rows, format))
  end
  local n, held, excepted = study.tally(cells)
  if #excepted > 0 then
    add("Cells (*) that need not hold, as datasets/README.md explains:\n\n%s\n", crux.table({ { key = "study" },
      { key = "fold" }, { key = "row" }, { key = "column" }, { key = "published" }, { key = "computed" }, { key = "reason" } },
      excepted, format))
  end
  add("%s of %s published cells hold\n", study.count(held), study.count(n))
  return table.concat(texts)
end

--- The cells one by one.
local function list(cells, format)
  local columns = {}
  for i, field in ipairs { "table", "study", "fold", "row", "column", "published", "computed", "tolerance", "holds",
    "reason" } do
    columns[i] = { key = field }
  end
  return crux.table(columns, cells, format)
end

local parser = argparse("reproduce.lua", "Fits the five rules of Mutser's study (master thesis, Utrecht 2014) to the datasets "
  .. "that come with crux, cross-validates them and prints every published coefficient, error and prediction beside the "
  .. "computed one. CSV and JSON list the cells one by one.")
parser:argument("study", "The studies; all unless given."):args "*":choices(study.names)
parser:option("--format", "How to print."):choices { "table", "csv", "json", "md" }:default "table"
local args = parser:parse()

local cells = study.cells(#args.study > 0 and args.study or study.names)
local write = (args.format == "csv" or args.format == "json") and list or tables
study.print(write(cells, args.format))
study.expect_held(cells)
