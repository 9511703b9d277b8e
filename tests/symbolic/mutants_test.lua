-- Faults planted in lua/crux/symbolic/: the random games of tests/symbolic/programs_test.lua find each of them. CRUX_MUTANT says
-- which alone.
local home = require "libcrux.home"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

--- Each: the file, a part of it that is there once, and what takes its place; and the seed of random games that find it soon, unless 1.
local mutants = {
  break_forgets_earlier_ones = { "statements", "frame.broken, run.mask = either(frame.broken, run.mask), NONE", "frame.broken, run.mask = run.mask, NONE" },
  break_ends_the_path = { "statements", "living(either(out, frame.broken)), outer", "living(out), outer" },
  break_of_an_outer_loop_is_forgotten = { "statements", "living(either(out, frame.broken)), outer", "living(either(out, frame.broken)), NONE" },
  goto_forgets_earlier_ones = { "statements", "either(frame[label] or NONE, run.mask), NONE", "run.mask, NONE", 5 },
  label_is_reached_by_goto_alone = { "statements", "living(either(run.mask, frame[label])), nil", "living(frame[label]), nil" },
  goto_back_is_ignored = { "statements", "if not i then break end", "do break end" },
  assignment_in_all_states = { "statements", "if cell.birth == run.mask or tables.is_covered(cell.birth) then", "if cell then" },
  elseif_after_a_branch = { "statements", "if truth ~= NONE then run.mask = living(both(left, truth ~ 1)) end", "run.mask = left", 3 },
  return_goes_on = { "statements", "run.mask, values, returns.n + 2\n    run.mask = NONE", "run.mask, values, returns.n + 2" },
  repeat_has_two_rounds = { "statements", "round == 1 and ALL or", "round <= 2 and ALL or" },
  rounds_share_a_variable = { "statements", "      declare(frame, variable, v, both(run.mask, truth))\n", "      if round == 1 or not variable.is_assigned then declare(frame, variable, v, both(run.mask, truth)) else frame[variable].v = v end\n", 3 },
  upvalues_are_the_first = { "calls", "v = tables.fixed(original, i)", "v = tables.fixed(original, 1)" },
  merged_values_are_exchanged = { "unions", "where(paths.truth_within(list[i - 1], whole), other, v)", "where(paths.truth_within(list[i - 1], whole), v, other)" },
  masks_of_values_are_whole = { "unions", "append(list, others, old)", "append(list, ALL, old)", 3 },
  loop_counts_too_far = { "iteration", "operators.at_most(v, last) or", "operators.at_most(v - 1, last) or" },
  loop_down_counts_too_far = { "iteration", "operators.at_most(last, v)", "operators.at_most(last - 1, v)" },
  ipairs_goes_over_a_gap = { "iteration", "return truth(operators.unequal(v, nil)), round, v", "return round < 4 and ALL or NONE, round, v" },
  quotients_forget_signs = { "operators", "plain(v, n) end\n  return", "plain(math.abs(v), n) end\n  return" },
  loops_of_other_values_are_repeated = { "repeats", "known and are_same(n, known.before, now)", "known" },
  errors_of_a_loop_are_not_repeated = { "repeats", "for _, mask in ipairs(known.killed) do paths.kill(mask) end", "" },
  loops_are_repeated_after_writes = { "repeats", "run.writes == 0 and paths", "paths" },
  or_takes_the_other = { "expressions", "wants and truth or truth ~ 1", "truth" },
}

local Mutants = {}

for name, mutant in pairs(mutants) do
  Mutants["test_" .. name] = function()
    long.only()
    luaunit.skipIf(os.getenv "CRUX_MUTANT" and os.getenv "CRUX_MUTANT" ~= name, "CRUX_MUTANT names another one")
    local file = ("lua/crux/symbolic/%s.lua"):format(mutant[1])
    local text = shell.read(home .. "/" .. file)
    local first, last = text:find(mutant[2], 1, true)
    luaunit.assertNotNil(first, mutant[2])
    luaunit.assertNil((text:find(mutant[2], last, true)), mutant[2])
    local folder = shell.folder(name)
    shell.run(("cp -rs %s/lua %s/lua && rm %s/%s"):format(shell.quote(home), folder, folder, file))
    shell.file(name .. "/" .. file, text:sub(1, first - 1) .. mutant[3] .. text:sub(last + 1))
    local done = shell.run(("ulimit -S -t 60; CRUX_AS_DRAWN=1 CRUX_HOME=%s CRUX_PROGRAMS=1500 CRUX_SEED=%d "
      .. "%s/tests/lua_host tests/run.lua tests/symbolic/programs_test.lua"):format(folder, mutant[4] or 1, os.getenv "CRUX_TEST_BUILD"))
    -- All programs take 35 s of the processor; signal 24 ends a mutant that never ends.
    local is_endless = done.status == 128 + 24
    local is_found = done.out:find("C and Lua differ", 1, true) or done.out:find "%d+ refused\n" -- too many are refused
    luaunit.assertTrue(is_endless or done.status == 1 and is_found ~= nil, done.out)
  end
end

return { InterpreterMutants = Mutants }
