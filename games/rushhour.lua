-- Rush Hour: slide cars and trucks out of the way, so that the red car gets out to the right.

-- The numbers of the pieces that stand on some of these squares.
local function standing_on(level, at, squares)
  local found = {}
  for number, piece in ipairs(level.pieces) do
    if (piece.covers[at[number]] & squares):any() then table.insert(found, number) end
  end
  return found
end

-- The squares that the red car has to enter to get out.
local function way_out(level, at)
  local car, position = level.pieces[level.target], at[level.target]
  local enters = level.slides.enters[("%sR%d"):format(car.letter, car.columns - 1 - position)]
  return enters and enters[position] or level.nothing
end
local function blockers(level, at) return standing_on(level, at, way_out(level, at)) end

-- The squares that a piece enters, at the start, by its shortest slide in a direction off some squares; nil without one.
local function entered(level, number, direction, squares)
  local piece, position, slides = level.pieces[number], level.at[number], level.slides
  for count = 1, math.max(level.width, level.height) do
    local name = ("%s%s%d"):format(piece.letter, direction, count)
    local enters = slides.enters[name] and slides.enters[name][position]
    if not enters or (enters & piece.covers[position]):any() then return nil end -- beyond the board
    if (piece.covers[position + slides.shift[name]] & squares):none() then return enters end
  end
end

-- The pieces in the chain of obstacles at the start: those in the red car's way; those in the way of these, if they slide off
-- by the shortest slides in all directions; and so on.
local function chain(level)
  local queue, squares = {}, { [level.target] = level.nothing }
  local function add(numbers, where)
    for _, number in ipairs(numbers) do
      if not squares[number] then queue[#queue + 1], squares[number] = number, where end
    end
  end
  add(blockers(level, level.at), way_out(level, level.at))
  for _, number in ipairs(queue) do
    for _, direction in ipairs { "U", "L", "D", "R" } do
      local enters = entered(level, number, direction, squares[number])
      if enters then add(standing_on(level, level.at, enters), enters) end
    end
  end
  return #queue
end

local function with_length(length)
  return function(level)
    local count = 0
    for _, piece in ipairs(level.pieces) do count = count + (math.max(piece.width, piece.height) == length and 1 or 0) end
    return count
  end
end

-- A value of the numbers of states by their distance from the exit, from 0 on.
local function of_states(value)
  return function(level, solution)
    local states = level.distances()
    return states and value(states, solution)
  end
end

-- The number of states that are farther from the exit than some distance.
local function count_beyond(states, distance)
  local count = 0
  for i = distance + 1, #states - 1 do count = count + states[i + 1] end
  return count
end

-- The number of slides of a solution that meet a condition on the positions before and after.
local function slides_that(condition)
  return function(level, solution)
    local count, way = 0, solution.way
    for i = 2, #way do count = count + (condition(level, way[i - 1].at, way[i].at) and 1 or 0) end
    return count
  end
end

local function is_away(level, before, after) return after[level.target] < before[level.target] end

return crux.kits.slide {
  name = "rushhour", doc = "Slide cars and trucks out of the red car A's way to the exit on the right.",
  translations = {
    de = { "Schieben Sie Autos und Lastwagen dem roten Auto A aus dem Weg zum Ausgang rechts." },
    es = { "Deslice coches y camiones fuera del camino del coche rojo A hacia la salida de la derecha." },
    fr = { "Faites glisser voitures et camions hors du chemin de la voiture rouge A vers la sortie à droite." },
    ja = { "車とトラックを動かし、赤い車 A が右の出口に行けるようにしてください。" },
    zh = { "移开汽车和卡车，让红色汽车 A 到达右边的出口。" },
  },
  along = true, explores = true,
  measures = {
    { "cars", kind = "initial", doc = "pieces of 2 squares, the red car included", with_length(2) },
    { "trucks", kind = "initial", doc = "pieces of 3 squares", with_length(3) },
    { "blockers", kind = "initial", doc = "pieces in the car's way", function(level) return #blockers(level, level.at) end },
    { "chain", kind = "initial", doc = "pieces in the chain of obstacles", chain },
    { "slides", moves = true, doc = "slides of a shortest solution" },
    { "space", kind = "initial", doc = "states that can be reached",
      of_states(function(states) return count_beyond(states, -1) end) },
    { "width", kind = "initial", doc = "most of them at one distance from the exit, in slides",
      of_states(function(states) return math.max(table.unpack(states)) end) },
    { "depth", kind = "initial", doc = "greatest of these distances", of_states(function(states) return #states - 1 end) },
    { "dead_ends", kind = "dynamic", doc = "states farther from the exit than the start",
      of_states(function(states, solution) return count_beyond(states, solution.length) end) },
    { "pieces_moved", kind = "solution", doc = "pieces that the solution moves", function(_, solution)
      local letters = ""
      for _, move in ipairs(solution.moves) do letters = letters:gsub(move:sub(1, 1), "") .. move:sub(1, 1) end
      return #letters
    end },
    { "away", kind = "solution", doc = "slides of the red car away from the exit in the solution", slides_that(is_away) },
    { "counterintuitive", kind = "solution",
      doc = "slides of the solution that take the red car away from the exit or put more pieces in its way",
      slides_that(function(level, before, after)
        return is_away(level, before, after) or #blockers(level, after) > #blockers(level, before)
      end) },
  },

  generate = {
    line = 3, walks = 10, moves = 200, options = {
      { "side", 6, doc = "squares along a side" },
      { "cars", { 6, 10 }, length = 2, doc = "pieces of 2 squares, the red car included" },
      { "trucks", { 1, 4 }, length = 3, doc = "pieces of 3 squares" },
    },
  },
}
