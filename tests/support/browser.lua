--- Pages in a headless Chromium, which only `make test-browser` starts.
local json = require "json_reader"
local luaunit = require "luaunit"
local shell = require "shell"
local write = require "crux.base.json"

local browser = {}

--- Leaves a test out unless `make test-browser` runs it.
function browser.only() luaunit.skipIf(not os.getenv "CRUX_TEST_BROWSER", "make test-browser runs it") end

--- A step of tests/support/browser.py: its name and value, and further fields.
function browser.step(name, value, more)
  local fields = { { name, value } }
  for key, field in pairs(more or {}) do table.insert(fields, { key, field }) end
  return write.object(fields)
end

--- The step that returns what a JavaScript expression is.
function browser.evaluate(expression) return browser.step("evaluate", expression) end

--- The step that presses a key.
function browser.key(name) return browser.step("key", name) end

--- Does steps on a page, a file or an address. Returns the values of expressions, and what was logged.
---@return any[]
---@return string[]
function browser.run(page, steps)
  local path = shell.file("steps.json", write.encode(steps))
  local result = shell.run(("python3 tests/support/browser.py %s %s"):format(shell.quote(page), path))
  if result.status == 77 or result.status == 127 then luaunit.skip "chromium or python3 is missing" end
  luaunit.assertEquals({ result.status, result.err }, { 0, "" })
  local found = json.decode(result.out)
  return found.values, found.console
end

return browser
