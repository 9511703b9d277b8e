--- crux serve: a study that people play in their browsers.
local convert = require "crux.option.convert"
local examination = require "crux.task.shared.examination"
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local Front = require "crux.serve.front"
local lists = require "crux.base.lists"
local missing = require "crux.base.missing"
local rated_levels = require "crux.task.shared.rated_levels"
local sizes = require "libcrux.sizes"
local store = require "crux.serve.store"
local studies = require "crux.serve.study"

--- Opens a database and locks it, so that no other server, which would not know what this one keeps in memory, changes it.
---@return file*   the lock, which ends when the file is closed, after all connections to the database
---@return string  the token of its page for researchers
local function locked(path)
  if file_system.is_regular(path) == false then fault.at(path, "no plain file", "a database, or none yet") end
  local file = fault.check(io.open(path, "a"))
  local is_locked, problem = file_system.lock(file)
  if not is_locked then fault.raise(("%s: %s"):format(path, problem or "another 'crux serve' uses this database")) end
  local made <close> = store.open(path, true)
  return file, made:researcher()
end

--- Opens the socket and the database, also in the workers, before a script runs.
---@return { front: Front, http: userdata, lock: file*?, path: string, is_new: boolean, researcher: string? }
---@return integer   the socket
local function prepare(args)
  if file_system.is_regular(args.study) == nil and args.study:find "[/.]" then
    fault.at(args.study, "no such file", "a study or a game" .. missing.hint(args.study))
  end
  if args.preview and args.database then fault.raise("--preview keeps nothing, and takes no --database", 2) end
  local path = args.preview and ":memory:" or args.database or args.study:match "([^/]*)$":gsub("%.%w+$", "") .. ".db"
  local is_new = not args.preview and file_system.is_regular(path) == nil
  fault.check(file_system.allow_files(sizes.connections + 100))
  store.expect_built()
  local http, problem = require("libcrux.http_server").open(args.address, args.port, sizes.request_bytes)
  if not http then fault.raise(problem .. "; --address and --port choose others") end
  local lock, researcher
  if not args.preview then lock, researcher = locked(path) end
  local jobs = args.preview and 1 or args.jobs -- a database in memory is that of one process
  local front = Front.new(path, http, jobs, { is_secure = args.url ~= nil and args.url:find "^https:" ~= nil,
    most_joins = args.sessions_per_minute })
  return { front = front, http = http, lock = lock, path = path, is_new = is_new, researcher = researcher }, http:descriptor()
end

--- The names of the levels of a block by the rating of its rule, the easiest first; those without a rating come last.
local function names_by_rating(block, args)
  local ratings, rated, finish = {}, rated_levels.of(block.game, block.rule, lists.merge(args, { levels = block.inputs }))
  for _, level in ipairs(rated) do ratings[level.name] = (block.rule.falls and -1 or 1) * level.rating end
  finish()
  return lists.sort(lists.field(block.list), function(name) return ratings[name] or math.huge end)
end

--- Tells the workers to load the study of the command line.
local function load(front, args)
  local names = {}
  for _, block in ipairs(studies.playable(studies.open(args.study, args.levels))) do
    examination.warn(block.game, args.say)
    if block.order == "rising" then names[block.name] = names_by_rating(block, args) end
  end
  front:load { study = args.study, levels = args.levels, names = names, may_differ = args.new_version,
    is_preview = args.preview }
end

local function link_of(args, http)
  local host = args.address:find ":" and ("[%s]"):format(args.address) or args.address
  return args.url or ("http://%s:%d/"):format(host, http:port())
end

local function run(args)
  local prepared = args.prepared
  local lock <close> = prepared.lock -- luacheck: no unused
  local http <close> = prepared.http
  local front <close> = prepared.front
  local ok, problem = pcall(load, front, args)
  if not ok then
    front:__close()
    if prepared.is_new then os.remove(prepared.path) end
    error(problem, 0)
  end
  local link = link_of(args, http)
  local progress = prepared.researcher and ("%sprogress/%s shows its progress\n"):format(link, prepared.researcher) or ""
  io.stdout:write(("%s\n%sThe server listens on %s, port %d; %s; Ctrl-C ends the server.\n"):format(link, progress,
    args.address, http:port(), args.preview and "nothing is kept" or "the database is " .. prepared.path))
  io.stdout:flush()
  front:run()
end

return {
  summary = "Let people play and rate in browsers.",
  details = "Serves a study: who opens the link that it prints plays levels in a browser and rates them. A study script says "
    .. "which levels, and what is asked; with a game and levels instead, everybody plays all of these and rates them from 1 to "
    .. "10. Each act of a player is in the database before it is answered, so that the server can be ended at any time: the "
    .. "same command goes on, and players come back by their links. 'crux study export' gives the plays to the other commands. "
    .. "docs/serve.md tells more, such as how to put a web server in front.",
  arguments = {
    { name = "study", doc = "A study script; or a game script, or the name of one of crux's own games, with LEVELS." },
    { name = "levels", args = "*", doc = "Level files, or folders of them, if there is no study script." },
  },
  options = {
    { flags = "--database", value = "FILE.db", doc = "The database of what players do; STUDY.db unless given." },
    { flags = "--preview", doc = "Show each page and level of the study without a database: questions need no answer, wrong "
      .. "answers end nothing, and levels may be skipped at once. Who begins again gets the next condition." },
    { flags = "--new-version", doc = "Go on with a database although the scale or the questions have changed. Each play is "
      .. "marked with the version of the study in which it began." },
    { flags = "--address", value = "ADDRESS", default = "127.0.0.1",
      doc = "The address to listen on; 0.0.0.0 is all of this machine" },
    { flags = "--port", value = "PORT", convert = convert.integer(0), default = "8080", doc = "The port; 0 is any free one" },
    { flags = "--url", value = "URL", doc = "The link that players use, where a web server is in front." },
    { flags = "--sessions-per-minute", value = "N", convert = convert.integer(1), default = "100",
      doc = "The number of players who may begin in a minute" },
    "memory",
    { flags = "--jobs", value = "N", convert = convert.integer(1),
      doc = "Number of processes that play, that of processors unless given, but two at least. While a script takes long in "
        .. "one, the others serve its other players." },
  },
  examples = { "crux serve study.lua", "crux serve move move-levels/ --port 8000" },
  prepare = prepare,
  run = run,
}
