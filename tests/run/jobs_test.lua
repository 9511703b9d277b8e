-- Tests of crux.jobs and libcrux.workers: whatever the number of threads, the loop sees the same.
local luaunit = require "luaunit"
local fault = require "crux.base.fault"
local jobs = require "crux.run.jobs"
local process = require "libcrux.process"
local shell = require "shell"
local workers = require "libcrux.workers"

local counts = { 1, 2, 5 }

--- An iterator over a list, or over 1 to n.
local function each(list)
  local i, n = 0, type(list) == "number" and list or #list
  return function()
    i = i + 1
    if i <= n then return type(list) == "number" and i or list[i] end
  end
end

--- Results and then what was raised, if anything, as a test sees both.
local function collect(count, setup, items)
  local results = {}
  local ok, problem = pcall(function()
    for item, result in jobs.map(count, "jobs_worker", setup, items) do table.insert(results, { item, result }) end
  end)
  return results, not ok and problem or nil
end

local Jobs = {}

function Jobs.test_results_come_in_the_order_of_the_items()
  for _, count in ipairs(counts) do
    local results, problem = collect(count, "square", each(300))
    luaunit.assertNil(problem)
    luaunit.assertEquals(#results, 300)
    for i, pair in ipairs(results) do luaunit.assertEquals(pair, { i, i * i }) end
  end
end

function Jobs.test_no_items_and_one()
  for _, count in ipairs(counts) do
    luaunit.assertEquals({ collect(count, "square", each(0)) }, { {} })
    luaunit.assertEquals({ collect(count, "square", each(1)) }, { { { 1, 1 } } })
    luaunit.assertEquals({ collect(count, "no such thing", each(0)) }, { {} }) -- nothing to do: nothing goes wrong
  end
end

function Jobs.test_items_are_not_asked_for_after_the_last()
  for _, count in ipairs(counts) do
    local items = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
    luaunit.assertEquals({ collect(count, "echo", items) }, { { { 1, 1 }, { 2, 2 }, { 3, 3 } } })
  end
end

function Jobs.test_results_may_be_nil_and_items_false()
  for _, count in ipairs(counts) do
    luaunit.assertEquals(collect(count, "only_odd", each(3)), { { 1, 1 }, { 2 }, { 3, 3 } })
    luaunit.assertEquals(collect(count, "echo", each { false, true }), { { false, false }, { true, true } })
  end
end

function Jobs.test_values_arrive_as_they_were()
  local values = { 0, -0.0, 1.0, math.mininteger, 0.1, 1 / 0, "", "a\0\255\n", ("x"):rep(100000), {}, { 1, { 2 }, x = { y = "z" } },
    { [0] = false, [2.5] = true, [true] = 1 } }
  local kinds = { "integer", "float", "float", "integer", "float", "float", "string", "string", "string", "table", "table", "table" }
  for _, count in ipairs(counts) do
    for i, pair in ipairs(collect(count, "echo", each(values))) do
      luaunit.assertEquals(pair[2], values[i])
      luaunit.assertEquals(math.type(pair[2]), math.type(values[i]))
    end
    for i, pair in ipairs(collect(count, "kind", each(values))) do luaunit.assertEquals(pair[2], kinds[i]) end
    luaunit.assertNaN(collect(count, "echo", each { 0 / 0 })[1][2])
  end
end

function Jobs.test_faults_travel()
  for _, case in ipairs {
    { "fault", "level 3: found nothing, expected a level", 2 },
    { "guarded", "script.lua: boom", 1 },
    { "string", "crux: internal error: tests/support/jobs_worker.lua:" },
    { "table", "crux: internal error: a table" },
    { "memory", "crux: out of memory" },
  } do
    local first
    for _, count in ipairs(counts) do
      local results, problem = collect(count, "fail " .. case[1], each(50))
      luaunit.assertEquals(results, { { 1, 1 }, { 2, 2 } })
      luaunit.assertTrue(fault.is(problem))
      luaunit.assertEquals(problem.message:sub(1, #case[2]), case[2])
      luaunit.assertEquals(problem.status, case[3] or 1)
      luaunit.assertStrContains(problem.traceback, "stack traceback:\n")
      if case[1] ~= "memory" then luaunit.assertStrContains(problem.traceback, "tests/support/jobs_worker.lua:") end
      first = first or problem.message
      luaunit.assertEquals(problem.message, first)
    end
  end
end

function Jobs.test_what_goes_wrong_at_the_start_is_the_first_items_fault()
  for _, count in ipairs(counts) do
    local results, problem = collect(count, "nothing", each(50))
    luaunit.assertEquals(results, {})
    luaunit.assertEquals(problem.message, "found 'nothing', expected something to do")
    local _, missing = pcall(jobs.map(count, "no.such.module", nil, each(1)))
    luaunit.assertStrContains(missing.message, "crux: internal error: ")
    luaunit.assertStrContains(missing.message, "module 'no.such.module' not found")
  end
end

function Jobs.test_what_items_raise_is_raised_in_its_turn()
  for _, count in ipairs(counts) do
    local next_item = each(3)
    local results, problem = collect(count, "square", function() return next_item() or fault.raise "no more" end)
    luaunit.assertEquals(results, { { 1, 1 }, { 2, 4 }, { 3, 9 } })
    luaunit.assertEquals(problem.message, "no more")
    next_item = each(5)
    results, problem = collect(count, "fail fault", function() return next_item() or fault.raise "no more" end)
    luaunit.assertEquals(results, { { 1, 1 }, { 2, 2 } })
    luaunit.assertEquals(problem.status, 2) -- the worker's, which comes before
  end
end

function Jobs.test_what_cannot_be_sent()
  local lost = {}
  for _, result, reason in jobs.map(2, "jobs_worker", "fail unsendable", each(5)) do
    table.insert(lost, result or reason)
  end
  luaunit.assertStrContains(lost[3],
    "result.value[1]: found a function, expected nil, a boolean, a number, a string or a table")
  lost[3] = 3
  luaunit.assertEquals(lost, { 1, 2, 3, 4, 5 })
  local _, problem = collect(2, "echo", each { 1, { file = io.stdout } })
  luaunit.assertStrContains(problem, "item.file: found a FILE*, expected nil")
  luaunit.assertErrorMsgContains("setup.setup: found a thread, expected nil", jobs.map, 2, "jobs_worker",
    coroutine.create(print), each(1))
end

function Jobs.test_few_items_are_in_flight()
  for _, count in ipairs(counts) do
    local read, taken, most, next_item = 0, 0, 0, each(2000)
    local function items()
      read = read + 1
      most = math.max(most, read - taken)
      return next_item()
    end
    for _ in jobs.map(count, "jobs_worker", "square", items) do taken = taken + 1 end
    luaunit.assertEquals(taken, 2000)
    luaunit.assertEquals(most, count == 1 and 1 or 256 * count)
  end
end

function Jobs.test_leaving_the_loop()
  for _, count in ipairs(counts) do
    for item, result in jobs.map(count, "jobs_worker", "square", each(1000)) do
      luaunit.assertEquals(result, item * item)
      if item == 7 then break end
    end
    local ok, problem = pcall(function()
      for _ in jobs.map(count, "jobs_worker", "square", each(1000)) do error("enough", 0) end
    end)
    luaunit.assertEquals({ ok, problem }, { false, "enough" })
    jobs.map(count, "jobs_worker", "square", each(1000))() -- left to the garbage collector
  end
  collectgarbage()
end

function Jobs.test_a_worker_that_goes_on_for_ever_is_stopped()
  local path = shell.file("spins", "")
  do
    local next_result, _, _, closing <close> = jobs.map(2, "jobs_worker", "spin", each { "", path })
    luaunit.assertEquals(select(2, next_result()), "")
    while shell.exists(path) do end
  end
end

function Jobs.test_coroutines_work_in_workers_as_elsewhere()
  for level = 0, 2 do
    local expected = collect(1, "coroutines", each { level })[1][2]
    luaunit.assertEquals(#expected, 9)
    luaunit.assertEquals(collect(2, "coroutines", each { level })[1][2], expected)
  end
end

function Jobs.test_as_many_workers_as_processors_unless_told_otherwise()
  local processors = shell.run "nproc"
  luaunit.assertEquals(workers.count(), tonumber(processors.out))
  luaunit.assertEquals(workers.count(7), 7)
  luaunit.assertErrorMsgContains("number expected", workers.count, {})
end

function Jobs.test_workers_by_themselves()
  local pool <close> = assert(workers.new(2, "jobs_worker", "fail string"))
  for i = 1, 4 do pool:put(i) end
  luaunit.assertEquals({ pool:take(), pool:take() }, { 1, 2 })
  local result, problem = pool:take()
  luaunit.assertNil(result)
  luaunit.assertStrMatches(problem, "tests/support/jobs_worker.lua:%d+: boom")
  luaunit.assertEquals(pool:take(), 4)
  luaunit.assertEquals({ pool:take() }, { nil, "no item was put that is not taken yet" })
  luaunit.assertErrorMsgContains("item: found a function, expected nil", pool.put, pool, print)
  pool:put(5)
  luaunit.assertEquals(pool:take(), 5)
  pool:put(nil)
  luaunit.assertNil(pool:take())
end

--- A worker in a process: who gave it an item sees what it notes, also after its death; then another process works.
function Jobs.test_a_worker_in_a_process()
  local pool <close> = assert(workers.process("jobs_worker", "exit"))
  luaunit.assertEquals({ pool:take() }, { nil, "no item was put that is not taken yet" })
  for _, status in ipairs { 0, 3, 0, 4, 5, 0 } do
    luaunit.assertTrue(pool:descriptor() > 0)
    pool:put(status)
    local result, problem = pool:take()
    luaunit.assertEquals({ result, problem, pool:noted() }, { status == 0 and 0 or nil,
      status > 0 and "its worker ended with status " .. status or nil, 7 })
  end
  process.note(8) -- this process is no worker
  luaunit.assertEquals(pool:noted(), 7)
  pool:put(("x"):rep(1e6)) -- more than a socket takes at a time; no number
  local _, problem = pool:take()
  luaunit.assertStrContains(problem, "attempt to compare number with string")
  luaunit.assertEquals(pool:noted(), 7)
  local missing <close> = assert(workers.process("no_such_module", "exit"))
  missing:put(1)
  luaunit.assertStrContains(select(2, missing:take()), "module 'no_such_module' not found")
  luaunit.assertEquals(missing:noted(), 0)
  local threads <close> = assert(workers.new(1, "jobs_worker", "echo"))
  luaunit.assertEquals({ threads:noted(), (threads:descriptor()) }, { 0, nil })
end

function Jobs.test_what_workers_refuse()
  local open <close> = assert(workers.new(1, "jobs_worker", "echo"))
  local closed
  do
    local pool <close> = assert(workers.new(1, "jobs_worker", "echo"))
    closed = pool
  end
  for _, case in ipairs {
    { "the number of threads is 1 to 1024", workers.new, 0, "jobs_worker" },
    { "the number of threads is 1 to 1024", workers.new, 1025, "jobs_worker" },
    { "no integer representation", workers.new, 1.5, "jobs_worker" },
    { "string expected", workers.new, 1 },
    { "string expected", workers.process },
    { "setup: found a function", workers.process, "jobs_worker", print },
    { "0 to 2147483647", process.note, -1 },
    { "setup: found a function", workers.new, 1, "jobs_worker", print },
    { "the workers were stopped", closed.put, closed, 1 },
    { "the workers were stopped", closed.take, closed },
    { "value expected", function() open:put() end },
    { "crux.workers expected", closed.take, {} },
  } do
    luaunit.assertErrorMsgContains(case[1], table.unpack(case, 2, 5))
  end
end

return { Jobs = Jobs }
