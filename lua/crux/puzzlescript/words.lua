--- The reserved words of PuzzleScript.
local words = {}

--- Returns the set of the words of a text.
local function set(text)
  local result = {}
  for word in text:gmatch "%S+" do result[word] = true end
  return result
end

words.sections = { "objects", "legend", "sounds", "collisionlayers", "rules", "winconditions", "levels" }

--- The numbers of the words before a name in a rule: bits of movements, and those of src/puzzlescript/rewrite_text.h.
words.numbers = { [""] = 0, up = 1, down = 2, left = 4, right = 8, action = 16, no = 3, randomdir = 5, random = 18,
  stationary = 32, [">"] = 64, ["<"] = 65, ["^"] = 66, v = 67, parallel = 68, perpendicular = 69, horizontal = 70,
  vertical = 71, moving = 72, orthogonal = 73, ["..."] = 78 }

--- The words of these numbers, and those that stand for "parallel" and "perpendicular" in a rule of a direction.
words.of_numbers = { [74] = "horizontal", [75] = "horizontal", [76] = "vertical", [77] = "vertical" }
for word, number in pairs(words.numbers) do words.of_numbers[number] = word end

--- The directions of each word in front of a rule that stands for several.
words.directions = { horizontal = { "left", "right" }, vertical = { "up", "down" },
  orthogonal = { "up", "down", "left", "right" } }

words.relative = set "^ v < > parallel perpendicular"
words.absolute = set "up down left right"

--- Words allowed before an object in a cell of a rule.
words.of_cells = set [[> < ^ v up down left right moving stationary no randomdir random horizontal vertical orthogonal
  perpendicular parallel action]]

--- The bit number of each command; messages and sounds have numbers above 4.
words.commands = { cancel = 0, restart = 1, win = 2, again = 3, checkpoint = 4, message = 5 }
for i = 0, 10 do words.commands["sfx" .. i] = 6 + i end

--- Keys of the prelude: true for keys that need a value.
words.prelude = {
  title = true, author = true, homepage = true, background_color = true, text_color = true, key_repeat_interval = true,
  realtime_interval = true, again_interval = true, flickscreen = true, zoomscreen = true, color_palette = true, youtube = true,
  run_rules_on_level_start = false, norepeat_action = false, require_player_movement = false, debug = false,
  verbose_logging = false, throttle_movement = false, noundo = false, noaction = false, norestart = false, scanline = false,
}

words.quantifiers = { all = 2, any = 1, some = 1, no = 0 }

return words
