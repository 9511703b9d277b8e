--- The package for npm, installed from its tarball without a network: `make test-wasm`.
local json = require "json_reader"
local long = require "long"
local luaunit = require "luaunit"
local shell = require "shell"

local package_folder = "build/wasm/package"

local Package = {}

--- The example of docs/wasm.md, what its task found, the message of a mistake, and a fit that needs Clp.
local function program()
  local example = shell.read "docs/wasm.md":match "```js\n(.-)```"
  return "const {CruxFault} = require('crux');\n(async () => {\n" .. example .. [[
crux.write('data.csv', [1, 2, 4, 7, 11].map((x, i) => ({level: 'l' + i, x, y: 2 * x + 1})));
const fitted = crux.fit({formula: 'y ~ x', data: 'data.csv', fit: 'lad'}).result;
let mistake;
try { crux.rate({rule: 'none', input: ['data.csv']}); } catch (raised) { mistake = [raised instanceof CruxFault, raised.message]; }
process.stdout.write(JSON.stringify({result, fitted, mistake}));
})();
]]
end

function Package.test_tarball_is_installed_and_used()
  long.only()
  luaunit.skipIf(not shell.exists(package_folder .. "/crux.data"), "make wasm was not run, which needs emscripten and f2c")
  luaunit.skipIf(shell.run "command -v npm".status ~= 0, "npm is missing")
  local folder = shell.folder("installed", { ["program.js"] = program(), ["level.txt"] = shell.read "datasets/levels/flow/2.txt" })
  local npm = ("cd %s && npm_config_cache=%s npm --offline --no-audit --no-fund"):format(folder, shell.path "npm")
  local tarball = shell.output(("%s pack --silent %s"):format(npm, shell.quote(shell.output "pwd":match "[^\n]+" .. "/" .. package_folder)))
  luaunit.assertEquals(shell.run(("%s install ./%s"):format(npm, tarball)).status, 0)
  local found = json.decode(shell.output(("cd %s && node program.js"):format(folder)))
  local small = shell.file("small.txt", "A..B\n....\n....\nA..B\n")
  luaunit.assertEquals(found.result[1].rating, json.decode(shell.crux(("rate flow %s --format json"):format(small)).out)[1].rating)
  luaunit.assertEquals(found.mistake, { true, "found the unknown rule 'none'; did you mean 'move'?" })
  luaunit.assertEquals({ found.fitted.terms[1].estimate, found.fitted.terms[2].estimate }, { 1, 2 })
  luaunit.assertEquals(shell.output(("cd %s && npx --offline crux rate flow level.txt"):format(folder)),
    shell.printed("rate flow level.txt", { folder = folder }))
  luaunit.assertEquals(shell.run(npm .. " uninstall crux").status, 0)
  luaunit.assertFalse(shell.exists(folder .. "/node_modules/crux/package.json"))
end

return { Package = Package }
