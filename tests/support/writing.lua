--- A command line of each command that reads a CSV file, or writes a file.
local lists = require "crux.base.lists"
local shell = require "shell"

local writing = {}

--- With a file at %s: of plays (plays), of something else about their levels (extra), else of levels.
local lines = {
  "rate flow %s", "sort datasets/levels/flow --rule flow --player ann --plays %s", "fit flow %s",
  "evaluate flow %s --folds 3 --repeats 1", "compare flow flow-solver --repeats 1 --data %s", "diagnose flow %s", "correlate %s",
  "ablate --measures size,colours %s", "select --measures size,colours %s",
  "discover --measures size,colours --nodes 2 --repeats 1 %s", "aggregate %s", "players %s", "levels %s", "track %s --rename solved=won",
  "agreement %s", "plot correlations %s", "report flow %s", "check %s", "study summary %s", "correlate --plays plays.csv --x extra --with %s",
  "measure move datasets/levels/move", "solve move datasets/levels/move", "sample datasets/levels/move --game move --count 2",
  "generate move --count 2", "study plan --game move datasets/levels/move --players 2 --per-player 1",
}

--- Commands whose results are no CSV: text, levels, pages, pictures, and scripts that hold their own name.
local endings = { plot = "svg", report = "html", fit = "lua", select = "lua", discover = "lua", sample = "txt", generate = "txt" }
local of_plays = lists.set { "sort", "aggregate", "players", "levels", "track", "agreement", "study" }

---@return { line: string, path: string, ending: string, writes_csv: boolean }[]   `path` stands for %s; `ending` of the result
function writing.commands()
  local plays = shell.file("plays.csv",
    "player,level,rating,won\nann,1,1,1\nann,2,5,1\nann,3,6,0\nbob,1,2,1\nbob,2,4,0\nbob,3,7,0\ncyd,1,3,1\ncyd,2,5,1\ncyd,3,5,0\n")
  local extra = shell.file("extra.csv", "level,extra\n1,4\n2,7\n3,5\n")
  local levels = shell.file("levels.csv", shell.read "datasets/flow.csv")
  return lists.map(lines, function(line)
    local command = line:match "^%a+"
    return { line = line:gsub(" plays%.csv", " " .. plays), ending = endings[command] or "csv", writes_csv = not endings[command],
      path = line:find "%-%-with" and extra or of_plays[command] and plays or levels }
  end)
end

return writing
