-- Towers: discs on three pegs, the smallest is 1. A step makes a stack of each peg.
local game = crux.game "towers"

function game.parse(text) return { discs = tonumber(text) or crux.refuse(text, "a number of discs") } end

function game.format(level) return level.discs .. "\n" end

game.search = {
  moves = { "AB", "AC", "BA", "BC", "CA", "CB" },
  state = function(level) return { peg = crux.array(level.discs, crux.integer(1, 3)) } end,
  start = function(level)
    local peg = {}
    for i = 1, level.discs do peg[i] = 1 end
    return { peg = peg }
  end,
  step = function(now, move, level)
    local stacks = { {}, {}, {} }
    for disc = level.discs, 1, -1 do table.insert(stacks[now.peg[disc]], disc) end
    local from, to = ("ABC"):find(move:sub(1, 1)), ("ABC"):find(move:sub(2, 2))
    local source, target = stacks[from], stacks[to]
    if #source == 0 then return false end
    local disc = table.remove(source)
    if #target > 0 and target[#target] < disc then return false end
    now.peg[disc] = to
    target[#target + 1] = disc
    return #stacks[3] == level.discs
  end,
}

game.measure { "moves", kind = "dynamic", doc = "moves of a shortest solution", function(_, solution) return solution.length end }

return game
