--- python/crux: the tasks from Python, as the command line computes them.
local call = require "crux.task.shared.call"
local lists = require "crux.base.lists"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local Python = {}

local python = shell.exists "/usr/bin/python3" and "/usr/bin/python3" or "python3" -- Debian's has Debian's pandas

local library = shell.program:match "^(.*)/" .. "/libcrux.so"

function Python.setUp()
  if shell.run("command -v " .. python).out == "" then luaunit.skip "python3 is missing" end
  if shell.is_instrumented then luaunit.skip "libcrux is built with sanitizers or for coverage" end
  if not shell.exists(library) then luaunit.skip "python/crux of the checkout is tested" end
end

--- What a program prints, and what it says on standard error; pandas, whose import takes a second, is missing unless wanted.
local function run(text, more, has_pandas)
  local before = has_pandas and "" or "import sys\nsys.modules['pandas'] = None\n"
  return shell.run(("PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1 CRUX_LIBRARY=%s %s %s %s"):format(shell.quote(library), more or "",
    python, shell.file("program.py", before .. "import crux, sys\n" .. text)))
end

local function printed(text, has_pandas)
  local result = run(text, nil, has_pandas)
  luaunit.assertEquals({ result.status, result.err }, { 0, "" }, text)
  return result.out
end

function Python.test_results_are_those_of_the_command_line()
  local compared = shell.decoded "compare flow flow-solver datasets/flow.csv --draws 50 --format json"
  luaunit.assertEquals(printed [[
r = crux.compare(["flow", "flow-solver"], data="datasets/flow.csv", draws=50)
print(*(repr(rule["mae"]) for rule in r["rules"]), r["best"][0], r.notes[0], r.remarks)]],
    ("%.17g %.17g %s %s []\n"):format(compared.rules[1].mae, compared.rules[2].mae, compared.best[1],
      "Errors of predicting difficulty for 40 levels in 5 folds, 10 times, best first by weighted_mae; weights: solved."))
  luaunit.assertEquals(printed [[print(repr(crux.evaluate("flow", "datasets/flow.csv", loo=True, folds_by="random")["mae"]))]],
    ("%.17g\n"):format(shell.decoded("evaluate flow datasets/flow.csv --loo --format json").mae))
  luaunit.assertEquals(printed [[
for row in crux.measure("flow", ["datasets/levels/flow/7.txt"], measures=["size", "colours"])["rows"]: print(row)]],
    "{'level': '7', 'size': 25, 'colours': 4}\n")
end

--- By hand: y = 1.3 + 0.8 x.
function Python.test_data_of_lists_and_a_rule_that_is_written()
  local path = shell.path "by-python.lua"
  luaunit.assertEquals(printed(([[
f = crux.fit(formula="y ~ x", data={"x": [0, 1, 2, 3], "y": [1, 3, 2, 4]}, output=%q)
print(*(f"{term['term']} {term['estimate']:.12g}" for term in f["terms"]))]]):format(path)), "(intercept) 1.3 x 0.8\n")
  luaunit.assertStrContains(shell.read(path), 'formula = "y ~ x"')
  luaunit.assertEquals(printed [[
import glob, tempfile
before = glob.glob(tempfile.gettempdir() + "/crux-*.csv")
crux.fit(formula="y ~ x", data={"x": [0, 1, 2], "y": [1, 3, 2]})
print(glob.glob(tempfile.gettempdir() + "/crux-*.csv") == before)]], "True\n")
end

function Python.test_tables_are_data_frames_where_pandas_is()
  long.only()
  if shell.run(python .. " -c 'import pandas'").status ~= 0 then luaunit.skip "pandas is missing" end
  luaunit.assertEquals(printed([[
import pandas
data = pandas.read_csv("datasets/flow.csv")
table = crux.correlate(data, x=["size"], y=["time"]).tables[0][1]
print(type(table).__name__, abs(data["size"].corr(data["time"]) - table["pearson"][0]) < 1e-12)
print(all(name in str(crux.compare(["flow", "difficulty ~ size"], data=data, folds_by="order")) for name in ("relative_percent", "rmse", "may_be_best")))]],
    true), "DataFrame True\nTrue\n")
end

function Python.test_mistakes_are_one_exception_of_a_line()
  local program, expected = {}, {}
  for i, case in ipairs {
    { "crux.evaluate('flow', 'datasets/flo.csv')",
      "datasets/flo.csv: cannot be opened: No such file or directory; did you mean 'datasets/flow.csv'?" },
    { "crux.evaluate('flow', 'datasets/flow.csv', fold=3)", "crux.evaluate: found the unknown option 'fold'; did you mean 'folds'?" },
    { "crux.evaluate('flow', 'datasets/flow.csv', folds='x')",
      "crux.evaluate: option 'folds': found 'x', expected an integer of at least 2" },
    { "crux.correlate()", "crux.correlate: expected the argument 'data'" },
    { "crux.evaluate('flow', 'datasets/flow.csv', loo=3)", "crux.evaluate: option 'loo': found '3', expected true or false" },
    { "crux.fit(formula='y ~ x', data={'x': [1, 2], 'y': [3, 'good']})", "data, line 3: column 'y': found 'good', expected a number" },
    { "crux.aggregate([{'player': [], 'level': [], 'rating': []}])",
      "data, line 1: found a header and no rows, expected at least one row" },
    { "crux.agreement({'level': [1, 2], 'rating': [4, 4]})",
      "data: column 'rating': found no rating but 4, expected at least one other" },
    { "print(*crux.fit(formula='y ~ x', data={'x': [0, 1, 2, 3], 'y': [1, 3, 2, '']}).remarks)",
      "data: 1 row left out: a value is missing" },
  } do
    program[i] = "try:\n  " .. case[1] .. "\nexcept crux.Fault as fault:\n  print(fault)\n"
    expected[i] = case[2] .. "\n"
  end
  luaunit.assertEquals(printed(table.concat(program)), table.concat(expected))
end

function Python.test_help_has_the_options()
  local out = printed "print(crux.compare.__signature__)\nprint(crux.compare.__doc__)"
  luaunit.assertStrContains(out, "(inputs=None, *, data=None, formula=None")
  luaunit.assertStrContains(out, "\nfolds_by: Assign rows to folds at random, or in the order of the file [one of random, order, default random]\n")
  luaunit.assertStrContains(out, "\nfolds: Number of folds [an integer of at least 2, default 5]\n")
  luaunit.assertStrContains(printed "print(crux.solve.__doc__)", "Solve levels.\n\n")
  luaunit.assertStrContains(printed "print(crux.solve.__doc__)", "\nmemory: Give up a level that needs more memory [an integer of at "
    .. "least 1 (MB), default 1024]\n")
end

--- Each task is a function, and a task of one's own is called by its path.
function Python.test_all_tasks()
  long.leave_out()
  luaunit.assertEquals(printed "print(*(name for name in crux.__all__ if name[0].islower()))",
    table.concat(lists.concat({ "show", "task" }, call.names), " ") .. "\n")
  luaunit.assertEquals(printed [[
print("%.17g" % (crux.rate("flow", ["examples/new-levels.csv"])["rows"][0]["rating"]))
print(crux.solve("move", "datasets/levels/move/1.txt")["rows"][0]["solution"])
print(crux.generate("move", count=2, seed=7, side=5)["rows"][1]["text"])
print(crux.plot("histogram", "datasets/move.csv", column="moves")["svg"][:4], crux.report("flow", "datasets/flow.csv")["html"][:15])
print("%.17g" % (crux.task("examples/targets.lua", data="datasets/flow.csv", targets=["time"])["rows"][0]["mae"]))]],
    ("%.17g\n%s\n%s\n<svg <!DOCTYPE html>\n%.17g\n"):format(shell.decoded "rate flow examples/new-levels.csv --format json"[1].rating,
      shell.decoded "solve move datasets/levels/move/1.txt --format json"[1].solution,
      shell.printed "generate move --count 2 --seed 7 --side 5":match "; move%-7%-2\n(.*)$",
      shell.decoded "evaluate --formula 'time ~ size' datasets/flow.csv --format json".mae))
end

--- What progress is told; an exception in it ends a call that would take minutes, and is raised.
function Python.test_progress()
  long.leave_out()
  luaunit.assertEquals(printed [[
def stop(done, total, noun):
  raise ValueError((done > 0, total, noun))
for call, given in (("generate", {"game": "flow", "count": 300}),
    ("evaluate", {"rule": "flow", "data": "datasets/flow.csv", "repeats": 10000000})):
  try:
    getattr(crux, call)(**given, progress=stop)
  except ValueError as problem:
    print(problem)
print(len(crux.correlate("datasets/flow.csv", progress=stop)["rows"]))]], "(True, 300, 'levels')\n(True, None, 'ratings of all rows')\n16\n")
end

--- Ctrl-C ends a call that would take hours; the next call works.
function Python.test_interrupt()
  luaunit.assertEquals(printed [[
import os, signal, threading
threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
  crux.evaluate("flow", "datasets/flow.csv", repeats=10000000)
except KeyboardInterrupt:
  print(len(crux.correlate("datasets/flow.csv")["rows"]))]], "16\n")
end

function Python.test_without_the_library()
  local result = run("", "CRUX_LIBRARY=/nowhere/libcrux.so")
  luaunit.assertStrContains(result.err, "expected libcrux: run make, install it, or set CRUX_LIBRARY")
end

function Python.test_wheel()
  long.only()
  local folder = shell.folder "wheel"
  local pip = python .. " -m pip --disable-pip-version-check -q"
  if shell.run(python .. " -c 'import wheel, setuptools, pip'").status ~= 0 then luaunit.skip "pip, setuptools or wheel is missing" end
  shell.output(("cp -r python %s/source && cd %s && %s wheel ./source --no-build-isolation --no-deps -w . 2>&1"):format(folder, folder, pip))
  shell.output(("cd %s && %s install --root-user-action ignore --no-deps --target there *.whl 2>&1"):format(folder, pip))
  luaunit.assertEquals(shell.output(("PYTHONPATH=%s/there CRUX_LIBRARY=%s %s %s"):format(folder, library, python,
    shell.file("program.py", "import crux\nprint(crux.__file__.split('/')[-3:])"))), "['there', 'crux', '__init__.py']\n")
end

--- The mean absolute error is that of the command line.
function Python.test_the_page()
  long.leave_out()
  local text = shell.read "docs/python.md":match "\n```python\nimport crux\n(.-)\n```"
  local out = printed(text:gsub('"mine.lua"', function() return ("%q"):format(shell.path "mine.lua") end))
  local compared = shell.decoded "compare flow 'difficulty ~ size' datasets/flow.csv --folds-by order --format json"
  luaunit.assertEquals(tonumber(out:match "\nflow (%S+) True\n"), compared.rules[1].mae)
  luaunit.assertStrContains(out, "\nweighted_mae: standard errors, and differences to the baseline")
end

function Python.test_example()
  long.only()
  local home = shell.output("pwd"):gsub("\n", "")
  local out = shell.output(("cd %s && ln -sf %s/datasets . && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=%s/python CRUX_LIBRARY=%s %s "
    .. "%s/examples/study.py"):format(shell.folder "python-example", home, home, library, python, home))
  luaunit.assertStrContains(out, "(intercept)    0.7452") -- numpy.linalg.lstsq on the same 38 levels
  luaunit.assertStrContains(out, "size           0.0639")
  luaunit.assertStrContains(shell.read(shell.path "python-example" .. "/study.svg"), "<svg ")
end

return { Python = Python }
