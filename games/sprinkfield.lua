-- Sprinkfield: water all fields with as few sprinklers as possible.
--
-- The rules are not published; what is known is a post of the makers about the difficulty of levels ("Sprinkfield level
-- difficulty"), whose formulas are rules of crux's own. This is our reading of it:
-- * A move sets up a sprinkler: it waters a rectangle of fields that can be used and are not watered yet. A solution waters
--   every field that can be used, none twice, in as few moves as possible.
-- * Only rocky fields and the border cannot be used: the post calls no other field so. It names no rule either by which
--   crop, fertilised, dry and water fields, scarecrows or pigs would restrict a move, so here they do not; they count in
--   the measures. Scarecrows stand on crop fields, pigs in the water.
-- * "scarecrows on non-isolated fields" is `scarecrows - isolatedAreas` in the formula: an isolated area is a scarecrow's
--   field without a usable field beside it.
-- * "how many scarecrows have a maximum of 1 adjacent square that cannot be used" is taken literally.
-- * "in how many moves we deployed all of the pigs": the moves of the solution that water a pig's field.
-- * "how large each good move is compared to the largest possible move", in fields: that at the start, as in the first
--   formula.
-- * "the number of fields other than the basic field type" is the sum of rocks, ground, dry fields and water without pigs,
--   less the greatest of them; so `groundArea` includes the basic type, crop fields, and the fertilised ones with them.
-- * The histogram says for each field how many moves water it; the first formula takes it as one number: the mean.
-- * "step-backs": the nodes of the search less the moves of the solution.
local exact_cover = crux.exact_cover

local game = crux.game "sprinkfield"

game.doc = "Water all fields with as few sprinklers as possible, each of which waters a rectangle."

local legend = crux.legend { { ".", "crop" }, { "#", "rocks" }, { "d", "dry" }, { "f", "fertilised" }, { "~", "water" },
  { "s", "crop", "scarecrows" }, { "p", "water", "pigs" } }

-- A level is one as crux.exact_cover takes it, and `planes`, the boards of its fields by kind.
function game.parse(text)
  local level = { rows = {} }
  level.planes = assert(legend:parse(text))
  level.usable = ~level.planes.rocks
  if crux.none(level.usable) then crux.refuse("nothing but rocky fields", "a field to water") end
  for row in legend:format(level.planes):gmatch "[^\n]+" do table.insert(level.rows, row) end
  level.pieces = exact_cover.rectangles(level.usable)
  return level
end

game.solve = exact_cover.cover
game.list = exact_cover.list

-- Measures of the level as it is drawn.
local function initial(name, doc, of) game.measure { name, kind = "initial", doc = doc, of } end

initial("size", "fields, rocky ones included", function(level)
  local columns, rows = level.usable:size()
  return columns * rows
end)
initial("rocks", "rocky fields", function(level) return #level.planes.rocks end)
initial("ground_area", "crop and fertilised fields, those with scarecrows included",
  function(level) return #level.planes.crop + #level.planes.fertilised end)
initial("fertilised", "fertilised fields", function(level) return #level.planes.fertilised end)
initial("dry_area", "dry fields", function(level) return #level.planes.dry end)
initial("pig_free_water", "water fields without a pig", function(level) return #(level.planes.water - level.planes.pigs) end)
initial("pigs", "water fields with a pig", function(level) return #level.planes.pigs end)
initial("scarecrows", "fields with a scarecrow", function(level) return #level.planes.scarecrows end)
initial("isolated_areas", "scarecrows without a usable field beside them",
  function(level) return #(level.planes.scarecrows - level.usable:neighbours()) end)
initial("corner_scarecrows", "scarecrows beside at most one rocky field or border", function(level)
  local count = 0
  for x, y in level.planes.scarecrows:cells() do
    local beside = crux.cells(level.usable:size()):with(x, y):neighbours() & level.usable
    count = count + (#beside >= 3 and 1 or 0)
  end
  return count
end)
initial("starting_moves", "moves that are possible at the start: rectangles of usable fields",
  function(level) return #level.pieces end)
initial("largest_possible_move", "fields that the largest of them waters", function(level) return #level.pieces[1].cells end)
initial("histogram", "moves that water a usable field, in the mean over these", function(level)
  local sum = 0
  for _, piece in ipairs(level.pieces) do sum = sum + #piece.cells end
  return sum / #level.usable
end)

-- The fewest and the most fields that a move of the solution waters.
local function sizes(solution)
  local least, most = math.huge, 0
  for _, piece in ipairs(solution.cover) do least, most = math.min(least, #piece.cells), math.max(most, #piece.cells) end
  return least, most
end

game.measure { "solution_length", kind = "dynamic", doc = "moves of a solution",
  function(_, solution) return solution.length end }

game.measure { "largest_made_move", kind = "solution", doc = "fields that the largest move of the solution waters",
  function(_, solution) return (select(2, sizes(solution))) end }

game.measure { "largest_move_difference", kind = "solution",
  doc = "fields that the smallest move of the solution waters less than the largest possible move",
  function(level, solution) return #level.pieces[1].cells - sizes(solution) end }

game.measure { "pig_moves", kind = "solution", doc = "moves of the solution that water a pig's field", function(level, solution)
  local owner, seen, count = exact_cover.owners(solution.cover), {}, 0
  for _, _, cell in level.planes.pigs:cells() do
    if not seen[owner[cell]] then seen[owner[cell]], count = true, count + 1 end
  end
  return count
end }

game.measure { "nodes", kind = "dynamic", doc = "moves that the search for a solution tries, those of the solution included",
  function(_, solution) return solution.generated end }

game.measure { "solutions", kind = "dynamic", count = true, doc = "number of solutions",
  function(_, solution) return solution.solutions end }

function game.format(level) return table.concat(level.rows, "\n") end

game.options = {
  { "side", { 4, 7 }, doc = "fields along a side" },
  { "rocks", { 2, 8 }, doc = "rocky fields" },
  { "dry", { 0, 4 }, doc = "dry fields" },
  { "fertilised", { 0, 4 }, doc = "fertilised fields" },
  { "water", { 0, 2 }, doc = "water fields without a pig" },
  { "scarecrows", { 0, 3 }, doc = "scarecrows" },
  { "pigs", { 0, 2 }, doc = "pigs, each on a water field" },
}

local tiles = { rocks = "#", dry = "d", fertilised = "f", water = "~", scarecrows = "s", pigs = "p" }

-- The level whose fields are these, in reading order; nil when none can be used.
local function level_of(fields, side)
  local text = table.concat(fields)
  return text:find "[^#]" and game.parse((text:gsub(("."):rep(side), "%0\n"))) or nil
end

function game.generate(random, options)
  local fields, count = {}, options.side ^ 2 // 1 | 0
  for i = 2, #game.options do
    local name = game.options[i][1]
    for _ = 1, options[name] do table.insert(fields, tiles[name]) end
  end
  if #fields > count then return nil, ("%d objects are more than there are fields"):format(#fields) end
  for i = #fields + 1, count do fields[i] = "." end
  return level_of(random:shuffle(fields), options.side)
end

-- Another level: two fields change places, and sometimes one becomes another.
function game.vary(level, random)
  local fields = {}
  for tile in table.concat(level.rows):gmatch "." do table.insert(fields, tile) end
  local a, b = random:integer(1, #fields), random:integer(1, #fields)
  if fields[a] == fields[b] then return nil end
  fields[a], fields[b] = fields[b], fields[a]
  if random:chance(0.1) then fields[a] = random:pick { ".", "#", "d", "f", "~", "s", "p" } end
  return level_of(fields, #level.rows[1])
end

function game.options_for(wanted)
  local side = wanted.size and math.tointeger(wanted.size ^ 0.5)
  if wanted.size and not side then return nil, ("a size of %g is no square"):format(wanted.size) end
  return { side = side, rocks = wanted.rocks, dry = wanted.dry_area, fertilised = wanted.fertilised,
    water = wanted.pig_free_water, scarecrows = wanted.scarecrows, pigs = wanted.pigs }
end

function game.draw(level, solution) return exact_cover.draw(level, solution and solution.cover or {}) end

-- Fields by what they are, and a frame around what each sprinkler waters.
function game.paint(level, solution, canvas)
  local planes = level.planes
  canvas:size(level.usable:size())
  canvas:grid()
  for x, y in planes.rocks:cells() do canvas:cell(x, y, "wall") end
  local function mark(cells, sign, pen)
    for x, y in cells:cells() do
      pen(canvas, x, y, game.colours[sign], 0.64)
      canvas:label(x, y, sign, "ground", 0.5)
    end
  end
  mark(planes.dry, "d", canvas.cell)
  mark(planes.fertilised, "f", canvas.cell)
  mark(planes.water - planes.pigs, "~", canvas.cell)
  mark(planes.scarecrows, "s", canvas.disc)
  mark(planes.pigs, "p", canvas.disc)
  for _, piece in ipairs(solution and solution.cover or {}) do
    local left, top, right, bottom = piece.x - 0.4, piece.y - 0.4, piece.x + piece.width - 0.6, piece.y + piece.height - 0.6
    canvas:line({ { left, top }, { right, top }, { right, bottom }, { left, bottom }, { left, top } }, "bright blue", 0.1)
  end
end

game.play = exact_cover.play

game.colours = { ["#"] = "white", d = "yellow", f = "green", ["~"] = "blue", s = "bright red", p = "bright magenta" }

return game
