--- Prints the largest relative error of an estimate by `crux fit` for each of NIST's datasets; nist.R does the same with R's lm.
package.path = "tests/support/?.lua;" .. package.path
local dataset = require "crux.data.dataset"
local json = require "json_reader"

local folder = "tests/reference/nist/"
local names, terms = {}, {}
for block in dataset.open(folder .. "certified.csv"):blocks { texts = { "dataset", "term" }, numbers = { "estimate" } } do
  for row = 1, block.rows do
    local name = block.texts.dataset[row]
    if not terms[name] then table.insert(names, name) end
    terms[name] = terms[name] or {}
    table.insert(terms[name], { name = block.texts.term[row], estimate = block.numbers.estimate[row] })
  end
end
for _, name in ipairs(names) do
  local path, words = ("%s%s.csv"):format(folder, name), {}
  for i, term in ipairs(terms[name]) do words[i] = term.name == "(intercept)" and "1" or term.name end
  local formula = ("%s ~ 0 + %s"):format(dataset.open(path).columns[1], table.concat(words, " + "))
  local pipe <close> = assert(io.popen(("$CRUX fit --formula '%s' --tolerance 1e-14 --format json %s"):format(formula, path)))
  local worst = 0
  for i, term in ipairs(json.decode(pipe:read "a").terms) do
    local certified = terms[name][i].estimate
    worst = math.max(worst, math.abs(term.estimate - certified) / math.abs(certified))
  end
  print(("%s %.1e"):format(name, worst))
end
