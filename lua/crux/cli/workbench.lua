--- crux workbench: levels, their ratings and reasons, live in the browser.
local budget = require "libcrux.budget"
local convert = require "crux.option.convert"
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local Front = require "crux.workbench.server.front"
local missing = require "crux.base.missing"
local scripts = require "crux.script.script"
local sizes = require "libcrux.sizes"
local store = require "crux.serve.store"
local tokens = require "crux.serve.tokens"
local workers = require "libcrux.workers"

local function expect_there(path, is_dataset)
  if file_system.resolve(path) then return end
  fault.raise(path .. ": cannot be opened: No such file or directory" .. missing.hint(path, nil, is_dataset))
end

--- Opens the socket and starts the processes, before a script runs.
---@return { front: WorkbenchFront, http: userdata }, integer   and the socket
local function prepare(args)
  store.expect_built()
  if args.game then expect_there(scripts.path("game", args.game)) end
  if args.rule then expect_there(scripts.path("rule", args.rule)) end
  if args.data then expect_there(args.data, true) end
  for _, path in ipairs(args.levels) do expect_there(path) end
  local http, problem = require("libcrux.http_server").open("127.0.0.1", args.port, sizes.message_bytes)
  if not http then fault.raise(problem .. "; --port chooses another") end
  local front = Front.new(http, fault.check(tokens.new()), file_system.resolve ".",
    1 + (args.jobs or math.max(2, workers.count())))
  return { front = front, http = http }, http:descriptor()
end

local function run(args)
  local http <close> = args.prepared.http -- luacheck: no unused
  local front <close> = args.prepared.front
  io.stdout:write(("%s\nOpen this link in a browser on this machine. Files are saved below this folder; Ctrl-C ends crux.\n")
    :format(front:link()))
  io.stdout:flush()
  front:run { named = { game = args.game, rule = args.rule, data = args.data },
    inputs = #args.levels > 0 and args.levels or { "." }, limits = budget.settings() }
end

return {
  summary = "Draw, rate and play levels in a browser.",
  details = "Prints a link that opens a page in a browser on this machine. On it a level is drawn or typed, and played; beside "
    .. "it stand its rating, what makes it as hard as it is, and its solution, anew at each change. Levels are saved in the "
    .. "files that the other commands read, below the folder where this was started. docs/workbench.md tells more. No other "
    .. "machine or site can ask this server.",
  arguments = {
    { name = "game", args = "?", doc = "A game script, or one of crux's own games; the page has a list." },
    { name = "levels", args = "*", doc = "Level files, or folders of them; those of this folder unless given." },
  },
  options = {
    { flags = "--rule", value = "RULE", doc = "The rule that rates; the one of the game's name unless given." },
    { flags = "--data", value = "FILE.csv", doc = "Ratings of players, to fit formulas to." },
    { flags = "--port", value = "PORT", convert = convert.integer(0), default = "0", doc = "The port; 0 is any free one" },
    { flags = "--jobs", value = "N", convert = convert.integer(1),
      doc = "Number of processes that look for changes and suggestions, that of processors unless given, but two at least." },
  },
  examples = { "crux workbench move datasets/levels/move", "crux workbench mine.lua levels.txt --rule mine-rule.lua" },
  prepare = prepare,
  run = run,
}
