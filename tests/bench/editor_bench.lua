-- Times edits in examples/editor.c: milliseconds of the clock from an edit to the rating, as it prints them. Argument: the
-- program. The edits of a level swap two cells of each row that are neighbours, and swap them back.
package.path = "tests/bench/?.lua;" .. package.path
local timing = require "timing"

local editor = ...

--- How to split the lines of a game's levels into cells, and to join them.
local games = {
  { name = "move", cell = "%S+", separator = " " },
  { name = "flow", cell = "[^%s]", separator = "" },
}

--- The edits of a level.
local function edits_of(game, path)
  local edits, number = {}, 0
  for line in io.lines(path) do
    number = number + 1
    local cells = {}
    for cell in (line:match "^;" and "" or line):gmatch(game.cell) do table.insert(cells, cell) end
    for i = 1, #cells - 1 do
      for _ = 1, 2 do
        cells[i], cells[i + 1] = cells[i + 1], cells[i]
        table.insert(edits, ("%d %s\n"):format(number, table.concat(cells, game.separator)))
      end
    end
  end
  return table.concat(edits)
end

--- The lines that the editor prints for these edits.
local function run(game, path, edits)
  local input = os.tmpname()
  local file <close> = assert(io.open(input, "w"))
  file:write(edits):close()
  local output <close> = assert(io.popen(("%s %s %s < %s"):format(editor, game.name, path, input)))
  local text = output:read "a"
  os.remove(input)
  return text
end

for _, game in ipairs(games) do
  local times, solved, at_start = {}, 0, {}
  local list <close> = io.popen(("ls datasets/levels/%s/*.txt"):format(game.name))
  for path in list:lines() do
    local first = true
    for line in run(game, path, edits_of(game, path)):gmatch "[^\n]+" do
      table.insert(first and at_start or times, tonumber(line:match "%(([%d.]+) ms%)$"))
      solved, first = solved + (not first and line:find "^rating" and 1 or 0), false
    end
  end
  local median = timing.median(times)
  print(("%-5s %6d edits, %5d of them rated: median %.2f ms, 99 %% within %.2f ms, at most %.2f ms; the first rating %.2f ms")
    :format(game.name, #times, solved, median, times[#times * 99 // 100], times[#times], timing.median(at_start)))
end
