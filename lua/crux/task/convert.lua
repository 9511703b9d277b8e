--- The task convert: levels in the format of another program.
local arguments = require "crux.option.arguments"
local check_levels = require "crux.check.levels"
local convert = require "crux.option.convert"
local fault = require "crux.base.fault"
local level_formats = require "crux.format.level_formats"
local games = require "crux.game.game"
local level_writer = require "crux.game.level_writer"
local levels = require "crux.game.levels"
local lists = require "crux.base.lists"

--- A level in crux's text, or as level_formats.write takes it.
local function converted(game, entry, to)
  if to == "text" and not entry.map_number then return level_writer.of(entry, game.files) end
  local written = levels.split(game:text(game:level(entry)), entry.path, game.files)[1] -- without its notes
  local notes = lists.merge(entry.notes, written.notes)
  local level = { name = entry.name, notes = notes, text = written.text, path = entry.path }
  return to == "text" and level_writer.of(level, game.files) or level
end

local function run(args)
  local list = {}
  if #args.levels == 0 then fault.raise("expected LEVELS", 2) end
  if (args.output or ""):find "%.tmx$" then fault.raise("found -o FILE.tmx, expected FILE.tmj, with --to tiled", 2) end
  local game = games.load(args.game or check_levels.game_of(args.levels[1]))
  for entry in game:entries(args.levels) do
    if entry.problem then fault.raise(entry.problem.message) end
    table.insert(list, converted(game, entry, args.to))
  end
  if args.to == "puzzlink" and #list > 0 then args.say "puzz.link's addresses hold no names and notes; these are left out" end
  local format = args.to == "text" and game.files or { extensions = { level_formats.endings[args.to] } }
  if args.to == "tiled" and #list > 1 and not level_writer.is_folder(args.output) then
    fault.raise(("found %d levels for one map of Tiled, expected one, or -o FOLDER/"):format(#list), 2)
  end
  if #list > args.count then fault.raise(("found %d levels, expected --count %d"):format(#list, #list), 2) end
  local files = args.to == "ldtk" and { list } or lists.map(list, function(level) return { level } end)
  return { level_format = format, levels = args.to == "text" and list or lists.map(files, function(file)
    return { name = file[1].name, text = level_formats.write(args.to, file, game.files) }
  end) }
end

return {
  summary = "Write levels in the format of another program.",
  details = "Writes levels as crux's text, as maps of Tiled in JSON, a file for each, as one project of LDtk, or as addresses "
    .. "of puzz.link, a line for each. The levels may be in any format that crux reads. A map has one layer, whose tiles' "
    .. "classes, or values' names, are the characters of the game's text; notes and the name are properties, or fields.",
  arguments = { arguments.levels },
  options = {
    { flags = "--to", value = "FORMAT", choices = { "text", "tiled", "ldtk", "puzzlink" }, default = "text",
      doc = "The format" },
    { flags = "--count", value = "N", convert = convert.integer(1), default = "100", doc = "The most levels" },
    "game", "output",
  },
  examples = {
    "crux convert datasets/levels/move/1.txt --to tiled -o level.tmj",
    "crux convert 'https://puzz.link/p?nurikabe/5/5/g5k2o1k3g'",
  },
  writes_levels = function(args) return args.count end,
  run = run,
}
