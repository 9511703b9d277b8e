-- Crossing: a farmer rows a wolf, a goat and a cabbage across, one at a time. A level names those on the left, `|`, and those
-- on the right.
local game = crux.game "crossing"

local all = { "farmer", "wolf", "goat", "cabbage" }

function game.parse(text)
  local level, bank = { start = {} }, "left"
  for word in text:gmatch "%S+" do
    if word == "|" then bank = "right" else level.start[word] = bank end
  end
  for _, who in ipairs(all) do
    if not level.start[who] then crux.refuse("no " .. who, "one on a bank") end
  end
  return level
end

function game.format(level)
  local banks = { left = {}, right = {} }
  for _, who in ipairs(all) do table.insert(banks[level.start[who]], who) end
  return table.concat(banks.left, " ") .. " | " .. table.concat(banks.right, " ") .. "\n"
end

local other = { left = "right", right = "left" }

-- The bank on which somebody is.
local function bank_of(now, who)
  if now[who] then return "right" end
  return "left"
end

local function is_eaten(now, who, by)
  local bank = bank_of(now, who)
  return bank_of(now, by) == bank and bank_of(now, "farmer") ~= bank
end

game.search = {
  moves = { "alone", "wolf", "goat", "cabbage" },
  state = function() return { farmer = crux.flag, wolf = crux.flag, goat = crux.flag, cabbage = crux.flag } end, -- is right

  start = function(level)
    local now = {}
    for _, who in ipairs(all) do now[who] = level.start[who] == "right" end
    return now
  end,

  step = function(now, move)
    local bank = bank_of(now, "farmer")
    local to = other[bank]
    if move ~= "alone" then
      if bank_of(now, move) ~= bank then return false end
      now[move] = to == "right"
    end
    now.farmer = to == "right"
    local won = true
    for _, who in ipairs(all) do won = won and bank_of(now, who) == "right" end
    return won, { wolf = is_eaten(now, "goat", "wolf"), goat = is_eaten(now, "cabbage", "goat") }
  end,
}

game.measure { "moves", kind = "dynamic", doc = "crossings of a shortest solution", function(_, solution) return solution.length end }

return game
