-- Hanoi: bring the tower from the left peg to the right one; no disk may lie on a smaller one. A level is the number of disks.
local game = crux.game "hanoi"

local pegs = { A = 1, B = 2, C = 3 }

function game.parse(text)
  local disks = tonumber(text)
  if not disks or disks < 1 or disks > 12 then crux.refuse(text, "a number of disks from 1 to 12") end
  return { disks = disks }
end

function game.format(level) return level.disks .. "\n" end

game.search = {
  moves = { "AB", "AC", "BA", "BC", "CA", "CB" },
  state = function(level) return { peg = crux.array(level.disks, crux.integer(1, 3)) } end, -- of each disk, the smallest first

  start = function(level)
    local peg = {}
    for disk = 1, level.disks do peg[disk] = 1 end
    return { peg = peg }
  end,

  step = function(now, move, level)
    local from, to = pegs[move:sub(1, 1)], pegs[move:sub(2, 2)]
    for disk = 1, level.disks do
      if now.peg[disk] == to then return false end -- a smaller disk lies there
      if now.peg[disk] == from then
        now.peg[disk] = to
        break
      end
    end
    for disk = 1, level.disks do
      if now.peg[disk] ~= 3 then return false end
    end
    return true
  end,
}

game.measure { "moves", kind = "dynamic", doc = "moves of a shortest solution", function(_, solution) return solution.length end }

return game
