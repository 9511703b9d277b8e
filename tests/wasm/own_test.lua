--- crux's own tests in Lua, inside WebAssembly in node: `make test-wasm` runs some of their files, `make test-wasm CRUX_TEST_MORE=1`
--- all. Tests that start a process are left out by tests/support/shell.lua, and files by the list below.
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local host = "build/wasm/lua_host.js"

--- Files that WebAssembly cannot run, by Lua patterns.
local left_out = {
  "^tests/project/", -- of the build and the sources
  "^tests/wasm/", -- of WebAssembly from outside
  "^tests/serve/", -- there is no server
  "^tests/run/jobs_test", -- of workers in threads and processes, of which one goes on for ever
  "^tests/format/tiled_test", -- there is no libexpat
}

local function is_left_out(file)
  for _, pattern in ipairs(left_out) do
    if file:find(pattern) then return true end
  end
end

local Own = {}

function Own.test_files_pass()
  long.only()
  luaunit.skipIf(not shell.exists(host), "make wasm was not run, which needs emscripten and f2c")
  local files = { "tests/formula/formula_test.lua", "tests/boards/board_test.lua", "tests/fit/expressions_test.lua" }
  if os.getenv "CRUX_TEST_MORE" then files = shell.lines(shell.output "ls tests/*/*_test.lua") end
  local failed = {}
  for _, file in ipairs(files) do
    if not is_left_out(file) then
      local result = shell.run(("env -u CRUX_TEST_LONG -u CRUX_TEST_MORE CRUX_TEST_WASM=1 CRUX_TEST_FOLDER=%s CRUX_HOME=$PWD "
        .. "node --no-experimental-fetch %s tests/run.lua %s"):format(shell.folder "own", host, file))
      if result.status ~= 0 then table.insert(failed, file .. ":\n" .. result.out .. result.err) end
    end
  end
  luaunit.assertEquals(table.concat(failed, "\n"), "")
end

return { Own = Own }
