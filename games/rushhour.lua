-- Rush Hour: slide cars and trucks out of the way, so that the red car gets out to the right.

-- The slide of a piece in a direction by a number of squares; nil if its line is too short.
local function slide_of(level, piece, direction, count)
  return level.slides[("%s%s%d"):format(piece.letter, direction, count)]
end

-- The numbers of the pieces, but one, that stand on some of these squares.
local function standing_on(level, at, squares, but)
  local found = {}
  for number, piece in ipairs(level.pieces) do
    if number ~= but and (piece.covers[at[number]] & squares):any() then table.insert(found, number) end
  end
  return found
end

-- The squares that the red car has to enter to get out.
local function way_out(level, at)
  local car, position = level.pieces[level.target], at[level.target]
  local slide = slide_of(level, car, "R", car.columns - 1 - position)
  return slide and slide.enters[position] or level.nothing
end

local function blockers(level, at) return standing_on(level, at, way_out(level, at), level.target) end

-- The pieces that keep a piece from leaving some squares by the shortest slides, forwards and back, and the squares that it
-- would enter.
local function obstacles(level, number, squares)
  local piece, position, found = level.pieces[number], level.at[number], {}
  for _, direction in ipairs { "U", "L", "D", "R" } do
    local count, slide = 1, slide_of(level, piece, direction, 1)
    while slide and (slide.enters[position] & piece.covers[position]):none() do
      if (piece.covers[position + slide.shift] & squares):none() then
        for _, other in ipairs(standing_on(level, level.at, slide.enters[position], number)) do
          table.insert(found, { other, slide.enters[position] })
        end
        break
      end
      count = count + 1
      slide = slide_of(level, piece, direction, count)
    end
  end
  return found
end

-- The chain of obstacles at the start: those in the red car's way, those that keep these from making way, and so on: how many
-- pieces, how many pairs of a piece and its obstacle, and how many links from the red car to the last.
local function chain(field)
  return function(level)
    local queue, links = {}, { [level.target] = 0 }
    local result = { pieces = 0, pairs = 0, links = 0 }
    local function add(number, squares, link)
      result.pairs = result.pairs + 1
      if links[number] then return end
      links[number], result.links, result.pieces = link, link, result.pieces + 1
      table.insert(queue, { number, squares })
    end
    for _, number in ipairs(blockers(level, level.at)) do add(number, way_out(level, level.at), 1) end
    for _, item in ipairs(queue) do
      for _, obstacle in ipairs(obstacles(level, item[1], item[2])) do add(obstacle[1], obstacle[2], links[item[1]] + 1) end
    end
    return result[field]
  end
end

-- The slides that are possible in a state.
local function choices(level, at)
  local count, taken = 0, level.nothing
  for number, piece in ipairs(level.pieces) do taken = taken | piece.covers[at[number]] end
  for _, slide in pairs(level.slides) do
    if (slide.enters[at[slide.piece]] & taken):none() then count = count + 1 end
  end
  return count
end

local function of_length(length)
  return function(level)
    local count = 0
    for _, piece in ipairs(level.pieces) do count = count + (math.max(piece.width, piece.height) == length and 1 or 0) end
    return count
  end
end

-- The numbers of states by their slides from the start, if all could be visited.
local function frontiers(solution)
  local space = solution.variants.space
  return space.status == "unsolvable" and space.frontiers or nil
end

-- A sum over the slides of the solution: of the states before and after, and the slide.
local function sum(value)
  return function(level, solution)
    local total = 0
    for i, move in ipairs(solution.moves) do total = total + value(level, solution.way[i].at, solution.way[i + 1].at, move) end
    return total
  end
end

local function is_away(level, before, after) return after[level.target] < before[level.target] end

return crux.kits.slide {
  name = "rushhour", doc = "Slide cars and trucks out of the way, so that the red car A gets out to the right.",
  along = true,

  measures = {
    { "cars", kind = "initial", doc = "cars, the red one included", of_length(2) },
    { "trucks", kind = "initial", doc = "trucks", of_length(3) },
    { "blockers", kind = "initial", doc = "pieces in the red car's way at the start", function(level) return #blockers(level, level.at) end },
    { "choices", kind = "initial", doc = "slides that are possible at the start", function(level) return choices(level, level.at) end },
    { "chain_pieces", kind = "initial", doc = "pieces in the chain of obstacles", chain "pieces" },
    { "chain_pairs", kind = "initial", doc = "pairs of a piece and its obstacle in that chain", chain "pairs" },
    { "chain_links", kind = "initial", doc = "links of that chain from the red car to the last piece", chain "links" },
    { "slides", moves = true, doc = "slides of a shortest solution" },
    { "space", kind = "dynamic", doc = "states", function(_, solution) return solution.variants.space.states end },
    { "width", kind = "dynamic", doc = "", function(_, solution) return math.max(table.unpack(frontiers(solution))) end },
    { "depth", kind = "dynamic", doc = "", function(_, solution) return #frontiers(solution) - 1 end },
    { "farther", kind = "dynamic", doc = "", function(_, solution)
      local count, by_depth = 0, frontiers(solution)
      for depth = solution.length + 1, #by_depth - 1 do count = count + by_depth[depth + 1] end
      return count
    end },
    { "solutions", kind = "dynamic", count = true, doc="n", function(_, solution) return solution.solutions end },
    { "pieces_moved", kind = "solution", doc = "x", function(_, solution)
      local moved, count = {}, 0
      for _, move in ipairs(solution.moves) do
        local letter = move:sub(1,1)
        if not moved[letter] then moved[letter], count = true, count + 1 end
      end
      return count
    end },
    { "away", kind = "solution", doc = "x", sum(function(...) return is_away(...) and 1 or 0 end) },
    { "counterintuitive", kind = "solution", doc = "x", sum(function(level, before, after)
        return (is_away(level, before, after) or #blockers(level, after) > #blockers(level, before)) and 1 or 0 end) },
    { "way_choices", kind = "solution", doc = "x", sum(choices) },
  },
}
