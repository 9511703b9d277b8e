--- Small games of PuzzleScript for tests.
local games = {}

--- Returns a game of pushing; `parts` replaces its prelude, rules, win conditions or levels.
---@param parts { prelude: string?, rules: string?, win: string?, levels: string? }?
function games.pushing(parts)
  parts = parts or {}
  return ([[
title Pushing
%s
OBJECTS
Background .
black

Player P
white

Crate *
brown

Wall #
gray

Target O
blue

LEGEND
@ = Crate and Target

SOUNDS
COLLISIONLAYERS
Background
Target
Player, Crate, Wall

RULES
%s
WINCONDITIONS
%s
LEVELS
%s
]]):format(parts.prelude or "", parts.rules or "[ > Player | Crate ] -> [ > Player | > Crate ]",
    parts.win or "all Target on Crate", parts.levels or [[
message Push it

#######
#P.*.O#
#.....#
#######

######
#.O..#
#.*P.#
#....#
######]])
end

return games
