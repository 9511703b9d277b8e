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

-- The squares that a piece enters, at the start, by its shortest slide in a direction off some squares; nil if there is none.
local function entered(level, number, direction, squares)
  local piece, position, slides = level.pieces[number], level.at[number], level.slides
  for count = 1, math.max(level.width, level.height) do
    local name = ("%s%s%d"):format(piece.letter, direction, count)
    local enters = slides.enters[name] and slides.enters[name][position]
    if not enters or (enters & piece.covers[position]):any() then return nil end -- beyond the board
    if (piece.covers[position + slides.shift[name]] & squares):none() then return enters end
  end
end

-- The chain of obstacles at the start: the pieces in the red car's way; those in the way of these, if they slide off it by the
-- shortest slides in all directions; and so on. Returns the number of its pieces, and of links from the red car to the last.
local function chain(level)
  local queue, squares, links = {}, {}, { [level.target] = 0 }
  local function add(numbers, where, link)
    for _, number in ipairs(numbers) do
      if not links[number] then
        queue[#queue + 1], links[number], squares[number] = number, link, where
      end
    end
  end
  add(blockers(level, level.at), way_out(level, level.at), 1)
  for _, number in ipairs(queue) do
    for _, direction in ipairs { "U", "L", "D", "R" } do
      local enters = entered(level, number, direction, squares[number])
      if enters then add(standing_on(level, level.at, enters), enters, links[number] + 1) end
    end
  end
  return #queue, links[queue[#queue]] or 0
end

local function with_length(length)
  return function(level)
    local count = 0
    for _, piece in ipairs(level.pieces) do count = count + (math.max(piece.width, piece.height) == length and 1 or 0) end
    return count
  end
end

-- A value of the search of all states, and of the solution's length; none if a limit ended that search.
local function of_space(value)
  return function(_, solution)
    local space = solution.variants.space
    return space.status == "unsolvable" and value(space, solution.length) or nil
  end
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
  name = "rushhour", doc = "Slide cars and trucks out of the way, so that the red car A gets out to the right.",
  along = true,
  measures = {
    { "cars", kind = "initial", doc = "pieces of 2 squares, the red car included", with_length(2) },
    { "trucks", kind = "initial", doc = "pieces of 3 squares", with_length(3) },
    { "blockers", kind = "initial", doc = "pieces in the red car's way", function(level) return #blockers(level, level.at) end },
    { "chain", kind = "initial", doc = "pieces in the chain of obstacles", function(level) return (chain(level)) end },
    { "links", kind = "initial", doc = "links of that chain from the red car to the last piece",
      function(level) return (select(2, chain(level))) end },
    { "slides", moves = true, doc = "slides of a shortest solution" },
    { "space", kind = "dynamic", doc = "states that can be reached", of_space(function(space) return space.states end) },
    { "width", kind = "dynamic", doc = "most of them at one distance from the start, in slides",
      of_space(function(space) return math.max(table.unpack(space.frontiers)) end) },
    { "depth", kind = "dynamic", doc = "greatest of these distances", of_space(function(space) return space.depth end) },
    { "dead_ends", kind = "dynamic", doc = "states farther from the start than the solution is long",
      of_space(function(space, length)
        local count = space.states
        for distance = 0, length do count = count - (space.frontiers[distance + 1] or 0) end
        return count
      end) },
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
