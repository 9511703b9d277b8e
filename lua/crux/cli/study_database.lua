--- The actions of crux study on a database of crux serve.
local codebook = require "crux.serve.codebook"
local convert = require "crux.option.convert"
local examination = require "crux.task.shared.examination"
local export = require "crux.serve.export"
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local fit_report = require "crux.task.shared.fit_report"
local formats = require "crux.out.formats"
local import = require "crux.serve.import"
local refit = require "crux.serve.refit"
local study_data = require "crux.task.shared.study_data"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local sinks = require "crux.out.sinks"
local sizes = require "libcrux.sizes"
local studies = require "crux.serve.study"
local study_summary = require "crux.cli.study_summary"
local tables = require "crux.out.tables"
local text_file = require "crux.base.text_file"
local tokens = require "crux.serve.tokens"
local watching = require "crux.cli.watching"

--- The database that the command line names.
---@return Store
local function database_of(args)
  return args.prepared or fault.at(args.inputs[1], "no database", "the one of crux serve")
end

--- The blocks of the study of a database that have a rule, and by them the measures of its levels that the rule needs; none
--- without a script.
---@return { block: StudyBlock, measured: Dataset }[]
local function ruled_of(args)
  local path = args.study or args.inputs[1]:gsub("%.%w+$", "") .. ".lua"
  if not args.study and not file_system.is_regular(path) then return {} end
  local ruled = lists.select(studies.playable(studies.load(path)), function(block) return block.rule end)
  return lists.map(ruled, function(block)
    local measured, finish = examination.dataset(block.game, args, block.inputs, block.game:needed_by(block.rule))
    finish()
    return { block = block, measured = measured }
  end)
end

--- Seconds between two looks at a database.
local PAUSE <const> = 1

--- Prints the summary of a database, and the refitted rule of its study, again when a level was solved, skipped or rated.
local function run_watch(args)
  local open <close> = database_of(args)
  local ruled = ruled_of(args)
  local function report()
    local data = export.dataset(open)
    study_summary.print(data, args)
    for _, one in ipairs(ruled) do
      io.stdout:write(("\n%s, refitted to the mean ratings of levels\n\n"):format(one.block.rule:who()))
        tables.report(nil, "table", fit_report.of(refit.of(open, one.block, one.measured), one.block.rule))
    end
  end
  local count
  local function outcomes() return open:first("SELECT total(solved + skipped) + count(rating) AS n FROM attempt").n end
  watching.forever(function()
    count = outcomes()
    local ok, problem = fault.catch(report)
    if not ok then sinks.say(problem.message) end
    return open.path
  end, function()
    watching.until_true(PAUSE, function() return outcomes() ~= count end)
    return open.path .. " has changed"
  end)
end

--- Adds the plays of files to a database.
local function run_import(args)
  local open <close> = database_of(args)
  local files = lists.select(args.inputs, function(path) return path ~= args.inputs[1] end)
  if not files[1] then fault.raise("expected DB PLAYS.csv", 2) end
  local added, known = open:atomically(import.plays, open, study_data.attempts(files, args), 1000 * os.time())
  sinks.say(("%s: %s added, %d there before"):format(open.path, number.count(added, "attempt"), known))
end

local function run_links(args)
  local open <close> = database_of(args)
  local lines = {}
  open:atomically(function()
    for i = 1, args.count do
      local token = fault.check(tokens.new())
      open:run("INSERT INTO link VALUES (?)", tokens.digest(token))
      lines[i] = ("%s#%s\n"):format(args.url, token)
    end
    sinks.save(args.output, table.concat(lines))
  end)
end

--- Writes the plays of a database, to --players-file what players said about themselves, and to --codebook what columns mean.
local function run_export(args)
  local open <close> = database_of(args)
  local function save(format, path, names, rows)
    tables.save(path, formats.choose(format, path, "csv"), formats.columns(names), rows)
  end
  local blocks = export.blocks(open)
  if args.block and not lists.contains(blocks, args.block) then fault.unknown("--block", "block", args.block, blocks) end
  save(args.format, args.output, export.plays(open, args.block))
  if args.players_file then save(args.format, args.players_file, export.players(open)) end
  if args.identifiers then
    local links = {}
    for token in (args.links and text_file.read(args.links, sizes.script_bytes, "links") or ""):gmatch "#(%x+)" do
      table.insert(links, token)
    end
    save(args.format, args.identifiers, export.identifiers(open, links))
  end
  if args.codebook then save(nil, args.codebook, codebook.columns, codebook.rows(open)) end
end

local function run_jsonl(args)
  local open <close> = database_of(args)
  sinks.save(args.output, export.acts(open))
end

local function run_forget(args)
  local open <close> = database_of(args)
  local count = open:forget_before(math.floor(1000 * (os.time() + 1 - 86400 * args.older_than))) -- this second counts
  open:clean()
  sinks.say(("%s: %s deleted"):format(open.path, number.count(count, "player")))
end

---@type StudyAction[]
return {
  { name = "watch", takes_database = true, run = run_watch,
    doc = "DB: the summary, and the study's rule fitted to the mean ratings, again as players play",
    options = {
      { flags = "--study", value = "STUDY.lua",
        doc = "The study script, whose field rule is fitted; the one beside the database, with its name, unless given." },
      "memory",
    } },
  { name = "links", takes_database = true, run = run_links, needed = { "count" },
    doc = "DB: personal links, one for each player",
    options = {
      { flags = "--count", value = "N", convert = convert.integer(1), doc = "The number of links." },
      { flags = "--url", value = "URL", default = "http://127.0.0.1:8080/", doc = "The link of the study" },
      "output",
    } },
  { name = "import", takes_database = true, takes_files = true, run = run_import,
    doc = "DB PLAYS.csv...: adds what 'crux play --record' wrote; plays that are there already stay once",
    options = { "delimiter", "rename" } },
  { name = "export", takes_database = true, run = run_export,
    doc = "DB: the plays in a database of 'crux serve', as 'crux aggregate' takes them",
    options = {
      { flags = "--block", value = "NAME", doc = "Write the plays of this block of the study alone." },
      { flags = "--players-file", value = "FILE.csv", doc = "Write what players said about themselves to this file, too." },
      { flags = "--identifiers", value = "FILE.csv",
        doc = "Write the identifiers of the links by which players came to this file, too." },
      { flags = "--links", value = "FILE",
        doc = "Personal links, of 'crux study links': --identifiers says which a player has." },
      { flags = "--codebook", value = "FILE", doc = "Write the meaning, unit and values of each column to this file, too: CSV, "
        .. "or Markdown if its name ends in .md." },
      "output", "format",
    } },
  { name = "jsonl", takes_database = true, run = run_jsonl, doc = "DB: all that players did, a line of JSON for each act",
    options = { "output" } },
  { name = "forget", takes_database = true, run = run_forget, needed = { "older_than" },
    doc = "DB: delete players who have done nothing for some days",
    options = { { flags = "--older-than", value = "DAYS", convert = convert.limit, doc = "The days." } } },
}
