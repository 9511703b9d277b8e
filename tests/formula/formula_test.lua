-- Tests of lua/crux/formula/formula.lua: columns of the model matrix as R makes them, names, and what is refused.
local formula = require "crux.formula.formula"
local long = require "long"
local luaunit = require "luaunit"
local vector = require "libcrux.vector"

local reference = dofile "tests/reference/r_reference.lua"

local function vectors(columns)
  local result = {}
  for name, list in pairs(columns) do result[name] = vector.of(list) end
  return result
end

local function names(parsed)
  local list = {}
  for i, term in ipairs(parsed.terms) do list[i] = term.name end
  return list
end

local function list(column)
  local values = {}
  for i = 1, #column do values[i] = column[i] end
  return values
end

local function message(f, ...) return tostring(select(2, pcall(f, ...))) end

local Formula = {}

function Formula.test_columns_are_those_of_r()
  luaunit.assertTrue(#reference.columns >= 39)
  local values, rows = vectors(reference.rows), #reference.rows.a
  for _, case in ipairs(reference.columns) do
    local parsed = formula.parse(case.formula)
    luaunit.assertEquals(names(parsed), case.names, case.formula)
    luaunit.assertEquals(parsed.response, "y")
    luaunit.assertEquals(parsed.intercept, case.names[1] == "(intercept)")
    local columns = parsed:columns(values, rows)
    luaunit.assertEquals(#columns, #case.names)
    for i, expected in ipairs(case.values) do
      -- R's functions and crux's come from the same libm: a few units in the last place are left for powers
      for row, value in ipairs(expected) do
        luaunit.assertAlmostEquals(columns[i][row], value, 1e-15 * math.abs(value), case.formula .. ": " .. case.names[i])
      end
    end
  end
end

-- Constants alone, by hand: each row of the matrix gets the same number.
function Formula.test_constants()
  local log2 = math.log(2)
  for text, expected in pairs {
    ["y ~ 1"] = { 1 },
    ["y ~ I(2)"] = { 1, 2 },
    ["y ~ log(2) - 1"] = { log2 },
    ["y ~ I(1/4 + 2^3)"] = { 1, 8.25 },
    ["y ~ I(-2^2)"] = { 1, -4 },
    ["y ~ I((-2)^2)"] = { 1, 4 },
    ["y ~ I(2^3^2)"] = { 1, 512 },
    ["y ~ I(7 - 2 - 1)"] = { 1, 4 },
    ["y ~ I(8/4/2)"] = { 1, 1 },
    ["y ~ sqrt(9):exp(0) - 1"] = { 3 },
    ["y ~ I(2 < 1) + I(2 >= 1) + I(1 == 1) + I(1 != 1) + I(1 <= 1) + I(1 > 1) - 1"] = { 0, 1, 1, 0, 1, 0 },
    ["y ~ ifelse(1 > 2, 5, 7) + log10(100) + log2(8) + log1p(0) - 1"] = { 7, 2, 3, 0 },
  } do
    local columns = formula.parse(text):columns({}, 2)
    luaunit.assertEquals(#columns, #expected, text)
    for i, value in ipairs(expected) do luaunit.assertEquals(list(columns[i]), { value, value }, text) end
  end
end

function Formula.test_intercept()
  for text, expected in pairs {
    ["y ~ -1 + a"] = false, ["y ~ a + 0"] = false, ["y ~ a - 0"] = true, ["y ~ +a"] = true, ["y ~ 0 + a + 1"] = true,
    ["~ a"] = true,
  } do
    luaunit.assertEquals(formula.parse(text).intercept, expected, text)
  end
end

-- Names as R's terms() gives them.
function Formula.test_numbers_in_names()
  for text, expected in pairs {
    ["1"] = "1", ["1.0"] = "1", ["1."] = "1", [".5"] = "0.5", ["0.10"] = "0.1", ["100"] = "100", ["100000"] = "1e+05",
    ["123456"] = "123456", ["120000"] = "120000", ["1e5"] = "1e+05", ["1E-3"] = "0.001", ["0.0001"] = "1e-04",
    ["0.00012"] = "0.00012", ["1e15"] = "1e+15", ["123456789012"] = "123456789012", ["1e-300"] = "1e-300",
    ["0.1234567890123456789"] = "0.123456789012346", ["3.14159"] = "3.14159",
  } do
    luaunit.assertEquals(names(formula.parse(("y ~ I(%s*a) - 1"):format(text))), { ("I(%s * a)"):format(expected) })
  end
end

function Formula.test_a_term_is_named_without_regard_to_its_blanks()
  luaunit.assertEquals(names(formula.parse "y~I ( a+b )+\n\tsqrt( a )+sqrt(a)-1"), { "I(a + b)", "sqrt(a)" })
end

function Formula.test_crossing_to_a_degree()
  for text, expected in pairs {
    ["(a + b + c)^2"] = "a b c a:b a:c b:c", ["(a + b + c)^3"] = "a b c a:b a:c b:c a:b:c",
    ["(a + b + c)^99"] = "a b c a:b a:c b:c a:b:c", ["a^3"] = "a", ["(a*b + c)^2 - c"] = "a b a:b a:c b:c a:b:c",
    ["(a + b)^2:c"] = "a:c b:c a:b:c",
  } do
    luaunit.assertEquals(table.concat(names(formula.parse("y ~ " .. text .. " - 1")), " "), expected, text)
  end
end

function Formula.test_names_in_backticks()
  local parsed = formula.parse "`how hard` ~ `board size` + log(`2nd`):`a`"
  luaunit.assertEquals(parsed.response, "how hard")
  luaunit.assertEquals(names(parsed), { "(intercept)", "`board size`", "log(`2nd`):a" })
  luaunit.assertEquals(table.concat(parsed.variables, " "), "board size 2nd a")
  local columns = parsed:columns(vectors { ["board size"] = { 3 }, ["2nd"] = { 1 }, a = { 5 } }, 1)
  luaunit.assertEquals({ columns[2][1], columns[3][1] }, { 3, 0 })
end

function Formula.test_variables_are_those_that_are_left()
  for text, expected in pairs {
    ["y ~ b + a:b"] = "b a",
    ["y ~ a + b - a"] = "b",
    ["y ~ 1"] = "",
    ["y ~ ..a + ._b + .c1"] = "..a ._b .c1",
    ["y ~ I(x.y_1^2) + .z + größe + I(2 - (b/-x.y_1))"] = "x.y_1 .z größe b",
  } do
    luaunit.assertEquals(table.concat(formula.parse(text).variables, " "), expected, text)
  end
end

function Formula.test_with_response()
  local parsed = formula.parse "difficulty ~ size + log(colours)"
  for response, expected in pairs { time = "time ~ size + log(colours)", ["my time"] = "`my time` ~ size + log(colours)" } do
    local other = parsed:with_response(response)
    luaunit.assertEquals(other.response, response)
    luaunit.assertEquals(other.text, expected)
    luaunit.assertEquals(names(other), names(parsed))
  end
  luaunit.assertEquals(formula.parse("~ a"):with_response("y").text, "y ~ a")
  luaunit.assertEquals(formula.parse("log(sqrt(`a~b`)) ~ a"):with_response("my y").text, "log(sqrt(`my y`)) ~ a")
  luaunit.assertEquals(parsed.response, "difficulty")
end

function Formula.test_missing_values_stay_missing()
  local columns = formula.parse("y ~ log(a) + a:b"):columns(vectors { a = { 1, 0 / 0, -1 }, b = { 2, 3, 4 } }, 3)
  luaunit.assertEquals(columns[2][1], 0)
  luaunit.assertIsNaN(columns[2][2])
  luaunit.assertIsNaN(columns[2][3])
  luaunit.assertIsNaN(columns[3][2])
  luaunit.assertEquals(columns[3][3], -4)
end

-- lme4's lFormula: (x || g) is (1 | g) + (0 + x | g), (1 | a/b) is (1 | a) + (1 | a:b).
function Formula.test_grouping_terms()
  local function described(text)
    local words = {}
    for _, grouping in ipairs(formula.parse(text).groupings) do
      for _, effect in ipairs(grouping.effects) do
        table.insert(words, ("%s by %s, block %d"):format(effect.term, grouping.name, effect.block))
      end
    end
    return table.concat(words, "; ")
  end
  for text, expected in pairs {
    ["y ~ a + (1 | player)"] = "(intercept) by player, block 1",
    ["y ~ (1 + a | player) + (1|level)"] = "(intercept) by player, block 1; a by player, block 1; (intercept) by level, block 1",
    ["y ~ a + (a || player)"] = "(intercept) by player, block 1; a by player, block 2",
    ["y ~ (0 + log(a) | player) + (1 | player)"] = "log(a) by player, block 1; (intercept) by player, block 2",
    ["y ~ (1 | pack/level)"] = "(intercept) by pack, block 1; (intercept) by pack:level, block 1",
    ["y ~ (1 | `the player`:level)"] = "(intercept) by the player:level, block 1",
    ["y ~ (a + b)^2"] = "",
  } do
    luaunit.assertEquals(described(text), expected, text)
  end
  local parsed = formula.parse "log(y) ~ a + (b | player)"
  luaunit.assertEquals({ parsed.variables, parsed:right_text(), parsed:with_response("z").text },
    { { "a" }, "a + (b | player)", "log(z) ~ a + (b | player)" })
end

function Formula.test_what_is_refused()
  for text, problem in pairs {
    [""] = "column 1: found the end of the formula, expected '~', a function or a measure",
    ["y"] = "column 2: found the end of the formula, expected '~'",
    ["y ~"] = "column 4: found the end of the formula, expected '(', '+', '-', '.', '0', '1', a function or a measure",
    ["y ~ a +"] = "column 8: found the end of the formula, expected '(', '.', '0', '1', a function or a measure",
    ["y ~ 2*a"] = "column 5: found '2', expected '(', '+', '-', '.', '0', '1', a function or a measure",
    ["y ~ 1.5"] = "column 5: found '1.5', expected '(', '+', '-', '.', '0', '1', a function or a measure",
    ["y ~ a + 01"] = "column 9: found '01', expected '(', '.', '0', '1', a function or a measure",
    ["1 ~ a"] = "column 1: found '1', expected '~', a function or a measure",
    ["y ~ ``"] = "column 5: found a backquote, expected another one behind the name",
    ["y ~ `a"] = "column 5: found a backquote, expected another one behind the name",
    ["y ~ a + 1|g"] = "column 10: found '|', expected parentheses around a grouping term, as (1 | g), which is a summand of its own",
    ["y ~ a:(1|g)"] = "column 9: found '|', expected parentheses around a grouping term, as (1 | g), which is a summand of its own",
    ["y ~ a - (1|g)"] = "column 10: found a grouping term taken away, expected a formula without it",
    ["y ~ (factor(b)|g)"] = "column 6: found a factor among what varies by group, expected measures and functions of them",
    ["y ~ (1|g) + (a|g)"] = "column 14: found '(intercept)' by g again, expected each effect once",
    ["y ~ (1|)"] = "column 8: found ')', expected a measure",
    ["y = a"] = "column 3: found '=', expected '~', or a comparison as I(a == 3)",
    ["y ~ a > 3"] = "column 7: found '>', expected comparisons in I(), as I(a > 3)",
    ["y ~ I(a > 1 & b > 2)"] = "column 13: found '&', expected a product of comparisons, as (a > 1) * (b > 2)",
    ["y ~ ifelse(a > 1 | b > 2, a, b)"] = "column 18: found '|', expected max of comparisons, as max(a > 1, b > 2)",
    ["y ~ I(!(a > 1))"] = "column 7: found '!', expected the opposite comparison, or 1 - x",
    ["y ~ I(a > b > 1)"] = "column 13: found '>', expected ')', '*', '+', ',', '-', '/' or '^'",
    ["y ~ ifelse(a > 1, b)"] = "column 5: found 2 arguments of 'ifelse', expected ifelse(x > 3, y, z)",
    ["y ~ as.factor(a)"] = "column 5: found the unknown function 'as.factor'; write factor(x)",
    ["y ~ ln(a)"] = "column 5: found the unknown function 'ln'; write log(x)",
    ["y ~ I(a"] = "column 8: found the end of the formula, expected ')', '*', '+', ',', '-', '/', '^' or a comparison",
    ["y ~ I()"] = "column 7: found ')', expected '(', '-', a function, a measure or a number",
    ["y ~ I(a^)"] = "column 9: found ')', expected '(', '-', a function, a measure or a number",
    ["y ~ I(0x1)"] = "column 8: found 'x1', expected ')', '*', '+', ',', '-', '/', '^' or a comparison",
    ["y ~ log(a, 2)"] = "column 5: found 2 arguments of 'log', expected log(x)",
    ["y ~ a + log(Sqrt(a))"] = "column 13: found the unknown function 'Sqrt'; did you mean 'sqrt'?",
    ["y ~ quantile(a)"] = "column 5: found the unknown function 'quantile'; there are: I, log, log10, log2, log1p, sqrt, exp, abs, min, pmin, max, pmax, ...",
    ["y ~ poly(a, b)"] = "column 5: found poly(a, b), expected poly(x, k) with a whole number from 1 to 25 as its degree",
    ["y ~ poly(a, 1.5)"] = "column 5: found poly(a, 1.5), expected poly(x, k) with a whole number from 1 to 25 as its degree",
    ["y ~ poly(a, 26)"] = "column 5: found poly(a, 26), expected poly(x, k) with a whole number from 1 to 25 as its degree",
    ["y ~ factor(a, b)"] = "column 5: found 2 arguments of 'factor', expected factor(x)",
    ["y ~ b + I(factor(a))"] = "column 11: found 'factor' inside a function, expected it as a term: factor(x)",
    ["y ~ a:offset(b)"] = "column 7: found 'offset(b)' inside a term, expected it as a summand",
    ["y ~ a - offset(b)"] = "column 9: found 'offset(b)' inside a term, expected it as a summand",
    ["log(y, a) ~ a"] = "column 1: found 2 arguments of 'log', expected log(x)",
    ["abs(y) ~ a"] = "column 1: found 'abs' on the left side, expected log, log10, log2, log1p, sqrt or exp",
    ["größe(y) ~ a"] = "column 1: found 'größe' on the left side, expected log, log10, log2, log1p, sqrt or exp",
    ["log(sqrrt(y)) ~ a"] = "column 5: found 'sqrrt' on the left side, expected log, log10, log2, log1p, sqrt or exp",
    ["log(y + 1) ~ a"] = "column 7: found '+', expected ')' or ','",
    ["y ~ 0"] = "found no terms, expected at least one",
    ["y ~ a - a - 1"] = "found no terms, expected at least one",
    ["y ~ a*0"] = "found '0' inside a term, expected measures and functions of them",
    ["y ~ a:0"] = "found '0' inside a term, expected measures and functions of them",
  } do
    local where = ("formula '%s': "):format(text)
    luaunit.assertEquals(message(formula.parse, text), where .. problem)
  end
end

-- A message is one line, whatever was written.
function Formula.test_control_characters_are_escaped()
  luaunit.assertEquals(message(formula.parse, "y ~\na\0"), "formula 'y ~\\x0aa\\x00': column 6: found '\\x00', expected '%in%', "
    .. "'*', '+', '-', '/', ':', '^' or the end")
end

-- What may follow a whole term depends on the operators there are: only place and find are told here.
function Formula.test_what_is_found_behind_a_term()
  for text, problem in pairs {
    ["y ~ a b"] = "column 7: found 'b'",
    ["y ~ (a"] = "column 7: found the end of the formula",
    ["y ~ a)"] = "column 6: found ')'",
    ["y ~ a ~ b"] = "column 7: found '~'",
    ["y ~ a $ b"] = "column 7: found '$'",
    ["y ~ a \u{20AC} b"] = "column 7: found '\u{20AC}'",
    ["y ~ gr\u{F6}\u{DF}e b"] = "column 11: found 'b'", -- characters, not bytes
    ["y ~ a %in b"] = "column 7: found '%'",
    ["y ~ a . b"] = "column 7: found '.'",
    ["y ~ a %in% %in% b"] = "column 12: found '%'",
    ["y ~ (a + b)^2^2"] = "column 14: found '^'",
    ["y ~ I(1.2.3)"] = "column 10: found '.3'",
    ["y ~ I(1e5e5)"] = "column 10: found 'e5'",
    ["y ~ I(1e+-5)"] = "column 8: found 'e'",
  } do
    luaunit.assertStrContains(message(formula.parse, text), problem .. ", expected ")
  end
end

-- Whatever is typed is answered by a term or by a fault about the formula, never by an error inside crux.
function Formula.test_limits()
  local function nested(n) return "y ~ " .. ("("):rep(n) .. "a" .. (")"):rep(n) end
  luaunit.assertEquals(names(formula.parse(nested(20))), { "(intercept)", "a" })
  for name, text in pairs {
    parentheses = nested(1000), arithmetic = "y ~ I" .. nested(1000):sub(5), minus = "y ~ I(" .. ("-"):rep(1000) .. "a)",
    power = "y ~ I(a" .. ("^a"):rep(1000) .. ")", number = "y ~ I(1e999*a)",
  } do
    local problem = message(formula.parse, text)
    local shown = #text > 300 and text:sub(1, 300) .. "..." or text
    luaunit.assertEquals(problem:sub(1, 12 + #shown), ("formula '%s': "):format(shown), name)
  end
  for depth = 1, 300, long.choose(61, 1) do -- each of LPeg's own limits is met at another depth; the last by fuzzing
    for _, text in ipairs { nested(depth), "y ~ I(" .. ("-"):rep(depth) .. "a)", "y ~ " .. ("log("):rep(depth) .. "a" .. (")"):rep(depth) } do
      local parsed, problem = pcall(formula.parse, text)
      luaunit.assertTrue(parsed or tostring(problem):match "': (.*)$" == "found terms nested too deeply, expected a simpler formula")
    end
  end
  for _, text in ipairs { "a*b*c*d*e*f*g*h*i*j*k*l", "(a + b + c + d + e + f + g + h + i + j + k + l)^12" } do
    luaunit.assertEquals(message(formula.parse, "y ~ " .. text), ("formula 'y ~ %s': found more than 2,000 terms, expected fewer"):format(text))
  end
  luaunit.assertEquals(message(formula.parse, "y ~ a" .. ("+a"):rep(50000)), "formula: found a text of more than 100,000 bytes, expected at most 100,000 bytes")
  local variables = {}
  for i = 1, 100 do variables[i] = "v" .. i end
  local product = "y ~ " .. table.concat(variables, ":")
  luaunit.assertEquals(#formula.parse(product).terms, 2)
  luaunit.assertEquals(message(formula.parse, product .. ":w"),
    ("formula '%s...': found more than 100 variables in a term, expected fewer"):format(product:sub(1, 300)))
  local polys = ("y ~ poly(a,25)" .. (":poly(%s,25)"):rep(5)):format("b", "c", "d", "e", "f")
  luaunit.assertEquals(message(formula.parse, polys),
    ("formula '%s': found more than 5,000 columns, expected fewer measures, or factors of fewer values"):format(polys))
  luaunit.assertEquals(#formula.parse("y ~ a" .. ("+b-b"):rep(long.choose(500, 24000))).terms, 2)
  luaunit.assertEquals(#formula.parse("y ~ I(a" .. ("+a"):rep(long.choose(1000, 49000)) .. ")").terms, 2) -- in the square of its length once
  luaunit.assertEquals(#formula.parse("y ~ I(a" .. ("+a"):rep(1000) .. ")" .. ("+b"):rep(1000)).terms, 3)
end

return { Formula = Formula }
