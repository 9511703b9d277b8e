-- Tests of lua/crux/api/reproduction.lua: every published number of the study is computed again, except the ten explained.
local dataset = require "crux.data.dataset"
local luaunit = require "luaunit"
local reproduction = require "crux.api.reproduction"

local cells = reproduction.cells(reproduction.studies)

local function place(cell) return table.concat({ cell.table, cell.study, cell.fold or "-", cell.row, cell.column }, " ") end

local Reproduction = {}

-- Rules have 5, 6, 8, 6 and 7 terms: 32 terms, 5 folds, 4 targets. Errors: 5 rules, 2 averagings, 5 folds and all, 4
-- targets. Predictions: (40 + 65 + 80) levels, 4 targets.
function Reproduction.test_every_published_cell_is_computed()
  local counts, seen = {}, {}
  for _, cell in ipairs(cells) do
    counts[cell.table] = (counts[cell.table] or 0) + 1
    luaunit.assertNil(seen[place(cell)], place(cell))
    seen[place(cell)] = true
    luaunit.assertTrue(math.abs(cell.published) < math.huge and math.abs(cell.computed) < math.huge, place(cell))
  end
  luaunit.assertEquals(counts, { ["published-weights"] = 640, ["published-errors"] = 240, ["published-predictions"] = 740 })
end

function Reproduction.test_cells_hold_unless_there_is_a_reason()
  local reasons = 0
  for _, cell in ipairs(cells) do
    local holds = math.abs(cell.computed - cell.published) <= cell.tolerance
    luaunit.assertEquals(cell.holds, holds, place(cell))
    luaunit.assertEquals(holds, cell.reason == nil, place(cell))
    if cell.reason then reasons = reasons + 1 end
  end
  luaunit.assertEquals(reasons, 10)
end

function Reproduction.test_published_exceptions_are_ten()
  local count = 0
  for block in dataset.open("datasets/published-exceptions.csv"):blocks { texts = { "reason" } } do
    count = count + block.rows
    for _, reason in ipairs(block.texts.reason) do luaunit.assertNotEquals(reason, "") end
  end
  luaunit.assertEquals(count, 10)
end

-- datasets/README.md: how far the refit in R was from the published numbers; crux is as far.
function Reproduction.test_deviations_are_those_of_r()
  local most = {}
  for _, cell in ipairs(cells) do
    if not cell.reason then
      local in_points = cell.column == "difficulty" or cell.column == "scaled"
      local kind = cell.table .. (in_points and "" or " " .. (cell.column:find "percent" and "percent" or "other"))
      most[kind] = math.max(most[kind] or 0, math.abs(cell.computed - cell.published))
    end
  end
  for kind, limit in pairs {
    ["published-weights"] = 0.005, ["published-weights other"] = 0.0086, ["published-errors"] = 0.002,
    ["published-errors percent"] = 0.08, ["published-predictions"] = 0.0102, ["published-predictions other"] = 0.0171,
  } do
    luaunit.assertTrue(most[kind] <= limit, ("%s: %.5f"):format(kind, most[kind]))
    luaunit.assertTrue(most[kind] > limit / 4, ("%s: %.5f"):format(kind, most[kind]))
  end
end

-- Flow: 5 terms and 5 folds, errors as above, 40 levels; the original rules have no published predictions.
function Reproduction.test_some_studies_alone()
  local flow = reproduction.cells { "flow" }
  luaunit.assertEquals(#flow, 5 * 5 * 4 + 2 * 6 * 4 + 40 * 4)
  for _, cell in ipairs(flow) do luaunit.assertEquals(cell.study, "flow") end
  luaunit.assertEquals(#reproduction.cells { "move-original" }, 6 * 5 * 4 + 2 * 6 * 4)
end

return { Reproduction = Reproduction }
