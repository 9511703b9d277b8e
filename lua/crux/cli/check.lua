--- crux check: whether level files are right, and the game's search does on them what its script says.
local arguments = require "crux.cli.arguments"
local fault = require "crux.fault"
local game = require "crux.game"
local output = require "crux.output"
local sandbox_report = require "crux.cli.sandbox_report"
local survey = require "crux.cli.survey"

local columns = { { key = "level" }, { key = "status" }, { key = "states" }, { key = "engine" }, { key = "heuristic" } }

local function run(args)
  if args.sandbox then return sandbox_report.print(args) end
  if not args.game then fault.raise("expected --game GAME", 2) end
  local sink <close> = output.open(args.output)
  local writer = output.writer(sink, output.format(args.format, args.output, "table"), columns)
  args.states = args.states or 100000
  local finish = survey.run(game.load(args.game), args, { check = true }, function(finding)
    finding.check.level = finding.level
    writer:add(finding.check)
  end)
  writer:finish()
  sink:commit()
  finish()
end

return {
  details = "Reads levels and solves them. Where a game searches states, it is searched twice, natively and in Lua, and "
    .. "everything that comes out is compared; and a heuristic is refused that says more moves than are needed from some "
    .. "state. Searches end after 100,000 states unless --states says otherwise.",
  arguments = { arguments.levels },
  options = survey.options { { flags = "--game", value = "GAME", doc = arguments.game.doc },
    { flags = "--sandbox", doc = "Tell which walls stand around scripts instead: what they prevent is tried (SECURITY.md)." } },
  examples = { "crux check --game move move-levels/", "crux check --game lazors one.bff", "crux check --sandbox" },
  run = run,
}
