--- End-to-end tests of crux plot: every kind on every published dataset, formats, terminals, and what is refused.
local long = require "long"
local luaunit = require "luaunit"
local playing = require "playing"
local shell = require "shell"
local xml = require "xml_reader"

local of_rules = { "predicted", "errors", "residuals", "quantiles", "weights", "learning" }
local rules = { flow = "flow", lazors = "lazors", move = "move",
  dungeongrams = "--formula 'difficulty ~ density + jaccard_nothing + proximity_to_enemies'" }

local Plot = {}

--- The command line of each kind on a dataset.
local function lines_of(name)
  local data, lines = ("datasets/%s.csv"):format(name), {}
  for i, kind in ipairs(of_rules) do lines[i] = ("%s %s %s"):format(kind, rules[name], data) end
  lines[#lines] = lines[#lines] .. " --repeats 2"
  table.insert(lines, "histogram " .. data)
  table.insert(lines, "scatter --x " .. (name == "dungeongrams" and "density " or "size ") .. data)
  table.insert(lines, "curve --y difficulty " .. data)
  table.insert(lines, "correlations " .. data)
  table.insert(lines, "ablation " .. data)
  return lines
end

function Plot.test_every_kind_on_every_dataset()
  long.only()
  for name in pairs(rules) do
    for _, line in ipairs(lines_of(name)) do
      local svg, text = shell.printed("plot --format svg " .. line), shell.printed("plot --format text --ascii " .. line)
      luaunit.assertEquals(xml(svg).name, "svg", line)
      luaunit.assertNil(text:find "[^\10\32-\126]", line)
      for row in text:gmatch "[^\n]+" do luaunit.assertTrue(#row <= 80, row) end
    end
  end
end

local flow = "flow datasets/flow.csv"

--- Plots show what the commands print.
function Plot.test_same_numbers()
  local evaluation = shell.decoded("evaluate --folds-by order " .. flow)
  luaunit.assertStrContains(shell.printed("plot predicted --folds-by order --format text " .. flow),
    ("Predictions are off by %.3g on average."):format(evaluation.mae))
  luaunit.assertStrContains(shell.printed("plot errors --folds-by order --format text " .. flow),
    ("Predicted too low: %d, too high: %d; off by %.3g"):format(evaluation.underestimates, evaluation.overestimates, evaluation.mae))
  local repeated = shell.decoded("evaluate --repeats 20 " .. flow)
  luaunit.assertStrContains(shell.printed("plot learning --format svg " .. flow),
    ("32 levels: %.3g, baseline %.3g."):format(repeated.weighted_mae, repeated.baseline.weighted_mae))
  local size = shell.decoded("correlate --x size --y time datasets/flow.csv")[1]
  for _, coefficient in ipairs { "pearson", "kendall", "spearman" } do
    luaunit.assertStrContains(shell.printed("plot correlations --x size --target time --coefficient " .. coefficient
      .. " datasets/flow.csv"), ("size with time: %.2f."):format(size[coefficient]))
  end
  local share = shell.decoded "ablate --folds-by order datasets/flow.csv".share
  luaunit.assertStrContains(shell.printed "plot ablation --folds-by order datasets/flow.csv", ("corners: %.0f %%"):format(100 * share.corners))
end

--- R: confint(lm(difficulty ~ size + colours + distance + corners, flow, weights = solved)).
function Plot.test_weights()
  local text = shell.printed("plot weights --format svg " .. flow)
  luaunit.assertStrContains(text, "size: 0.0874, 95 % interval 0.0611 to 0.114;")
  luaunit.assertStrContains(text, "colours: -0.295, 95 % interval -0.516 to -0.0751;")
  luaunit.assertStrContains(text, ">(intercept).</text>") -- is not shown
end

--- The worst levels are those of crux diagnose: the largest standardized residuals.
function Plot.test_worst_levels()
  local levels = shell.decoded("diagnose " .. flow).levels
  table.sort(levels, function(a, b) return math.abs(a.standardized) > math.abs(b.standardized) end)
  luaunit.assertStrContains(shell.printed("plot residuals --worst 3 --format svg " .. flow),
    (" Largest: %s, %s, %s."):format(levels[1].level, levels[2].level, levels[3].level))
end

--- Players by age, in numbers, and by education, in texts; who does not say is left out.
function Plot.test_players()
  local path = shell.file("players.csv", "player,age,education\nann,24,master\nbob,31,bachelor\ncyd,24,master\ndan,,\n")
  local line = "plot histogram --format text --ascii --column %s " .. path
  luaunit.assertEquals(shell.crux(line:format "education"), { status = 0, err = path
    .. ": 1 row left out: a value is missing\n", out = [[
Distribution of education
  master +#################################################################:   2
bachelor +#################################                                    1
         ++-------------------------------+--------------------------------+--
          0                               1                                2
                                        players
]] })
  luaunit.assertStrMatches(shell.crux(line:format "age").out, "Distribution of age\nplayers\n2 .*")
end

local Formats = {}

function Formats.test_by_the_ending_or_the_terminal()
  local line = "plot histogram datasets/flow.csv"
  local text, svg = shell.printed(line .. " --format text --ascii"), shell.printed(line .. " --format svg")
  luaunit.assertEquals(shell.printed(line), svg) -- no terminal
  for file, expected in pairs { ["a.svg"] = svg, a = svg, ["a.txt"] = "Distribution of difficulty\nlevels\n  │ " } do
    local path = shell.path(file)
    shell.printed(("%s -o %s"):format(line, path))
    luaunit.assertEquals(shell.read(path):sub(1, #expected), expected)
  end
  luaunit.assertEquals(shell.output(("LC_ALL=C %s %s --format text"):format(shell.quote(shell.program), line)), text)
end

--- What a terminal of 80 columns gets, or one that was made narrower.
local function on_terminal(environment, steps)
  return playing.run(shell.quote(shell.program) .. " plot ablation datasets/flow.csv", steps, environment)
end

function Formats.test_terminal()
  luaunit.assertStrContains(on_terminal("TERM=xterm NO_COLOR=", { "written \27[94m", "end" }), "exit 0")
  luaunit.assertStrContains(on_terminal("NO_COLOR=1", { "see percent of the best 10 subsets", "show", "end" }),
    ("\n    size +%s              80 %%\n"):format(("#"):rep(52))) -- of 80, with 10 before and 5 behind the 65 of 100 %
  luaunit.assertStrContains(on_terminal("TERM=dumb LC_ALL=C.UTF-8", { "written " .. ("█"):rep(52) .. " ", "end" }), "exit 0")
end

local Refused = {}

local function expect(line, status, message)
  local result = shell.crux("plot " .. line)
  luaunit.assertEquals({ result.status, result.out }, { status, "" }, line)
  luaunit.assertStrContains(result.err, message)
end

function Refused.test_usage()
  expect("", 2, "found no kind of plot; there are: predicted, errors,")
  expect("predcted", 2, "found the unknown kind of plot 'predcted'; did you mean 'predicted'?")
  expect("predicted flow", 2, "expected RULE and DATA, or --formula FORMULA and DATA")
  expect("histogram", 2, "expected DATA")
  expect("histogram flow datasets/flow.csv", 2, "found 'datasets/flow.csv' behind the dataset, expected nothing")
  expect("scatter datasets/flow.csv", 2, "expected --x COLUMN")
  expect("histogram datasets/flow.csv --x size", 2, "unknown option '--x'")
  expect("histogram datasets/flow.csv -o a.png", 2, "a.png: found the ending 'png', expected svg or txt, or --format svg|text")
  expect("histogram datasets/flow.csv --format csv", 2, "svg")
end

function Refused.test_data()
  expect("histogram datasets/flow.csv --column sise", 1,
    "datasets/flow.csv:1: plot needs the column 'sise', which is not among the columns; did you mean 'size'?")
  expect("histogram datasets/move.csv --column solution", 1,
    "datasets/move.csv: column 'solution': found 78 different texts, expected numbers, or at most 40")
  local missing = shell.file("missing.csv", "level,size,difficulty\na,,1\nb,2,\n")
  expect("scatter --x size " .. missing, 1, "missing.csv: found no complete row, expected at least one without a missing value")
  luaunit.assertStrContains(shell.crux("plot histogram " .. missing).err, "missing.csv: 1 row left out: a value is missing\n")
  expect("residuals --fit lad " .. flow, 1, "rule 'flow': found the fit 'lad', expected ols or wls")
  expect("learning examples/by-hand.lua datasets/flow.csv", 1, "expected a formula string or params, which can be fitted")
end

function Refused.test_nothing_is_half_written()
  local path = shell.file("kept.svg", "as it was")
  luaunit.assertEquals(shell.crux("plot histogram datasets/flow.csv --column sise -o " .. path).status, 1)
  luaunit.assertEquals(shell.read(path), "as it was")
end

function Refused.test_list_and_help()
  local list, help = shell.printed "plot --list", shell.printed "help plot"
  for _, kind in ipairs { "predicted", "errors", "residuals", "quantiles", "weights", "learning", "histogram", "scatter",
    "curve", "correlations", "ablation" } do
    luaunit.assertStrContains(list, "\n" .. kind .. " ")
    luaunit.assertStrContains(help, "   " .. kind .. " ")
  end
  luaunit.assertStrContains(shell.printed "plot scatter --help", "--y COLUMN")
  luaunit.assertNil(shell.printed "plot scatter --help":find("--worst", 1, true))
end

--- The kind is the first argument: values of options that are names of kinds, too, are none.
function Refused.test_values_that_look_like_kinds()
  expect("--column errors histogram datasets/flow.csv", 1, "datasets/flow.csv:1: plot needs the column 'errors'")
  expect("--column=errors -oerrors.svg histogram datasets/flow.csv", 1, "datasets/flow.csv:1: plot needs the column 'errors'")
  expect("--debug --column size errors flow datasets/flow.csv", 2, "unknown option '--column'")
end

return { Plot = Plot, Formats = Formats, Refused = Refused }
