-- Sprinkfield: water all fields with as few sprinklers as possible.
--
-- The rules are not published; a post of the makers ("Sprinkfield level difficulty") tells of the difficulty of levels. This is
-- our reading of it; the rules made for this game say how we read its formulas:
-- * A move sets up a sprinkler: it waters a rectangle of fields that can be used and are not watered yet. A solution waters
--   every field that can be used, none twice, in as few moves as possible.
-- * Only rocky fields and the border cannot be used: the post calls no other field so. It names no rule either by which
--   crop, fertilised, dry and water fields, scarecrows or pigs would restrict a move, so here they do not; they count in
--   the measures. Scarecrows stand on crop fields, pigs in the water.

-- Counts the scarecrows for which `beside` allows the number of usable fields beside theirs.
local function scarecrows_with(beside)
  return function(level)
    local count = 0
    for x, y in level.planes.scarecrows:cells() do
      local usable = crux.cells(level.usable:size()):with(x, y):neighbours() & level.usable
      count = count + (beside(#usable) and 1 or 0)
    end
    return count
  end
end

-- The fewest and the most fields that a move of the solution waters.
local function sizes(solution)
  local least, most = math.huge, 0
  for _, piece in ipairs(solution.cover) do least, most = math.min(least, #piece.cells), math.max(most, #piece.cells) end
  return least, most
end

return crux.kits.exact_cover {
  name = "sprinkfield", doc = "Water all fields with as few sprinklers as possible, each of which waters a rectangle.",
  translations = {
    de = { "Bewässern Sie alle Felder mit so wenigen Sprengern wie möglich, von denen jeder ein Rechteck bewässert.",
      crop = "Feldfrucht", rocks = "Felsen", dry = "trocken", fertilised = "gedüngt",
      water = "Wasser", scarecrows = "Vogelscheuche", pigs = "Schwein" },
    es = { "Riegue todos los campos con el menor número posible de aspersores, cada uno de los cuales riega un rectángulo.",
      crop = "cultivo", rocks = "rocas", dry = "seco", fertilised = "abonado",
      water = "agua", scarecrows = "espantapájaros", pigs = "cerdo" },
    fr = { "Arrosez tous les champs avec le moins d'arroseurs possible, dont chacun arrose un rectangle.",
      crop = "culture", rocks = "rochers", dry = "sec", fertilised = "fertilisé",
      water = "eau", scarecrows = "épouvantail", pigs = "cochon" },
    ja = { "なるべく少ないスプリンクラーで、すべての畑に水をまいてください。一つは長方形に水をまきます。",
      crop = "作物", rocks = "岩", dry = "乾いた畑", fertilised = "肥えた畑",
      water = "水", scarecrows = "かかし", pigs = "豚" },
    zh = { "用尽量少的洒水器浇灌所有田地，每个洒水器浇灌一个矩形。",
      crop = "作物", rocks = "岩石", dry = "干地", fertilised = "肥地",
      water = "水", scarecrows = "稻草人", pigs = "猪" },
  },
  tiles = { { ".", "crop" }, { "#", "rocks" }, { "d", "dry" }, { "f", "fertilised" }, { "~", "water" },
    { "s", "crop", "scarecrows", colour = "bright red" }, { "p", "water", "pigs", colour = "bright magenta" } },
  look = { { "rocks", "white" }, { "dry", "yellow square", sign = "d" }, { "fertilised", "green square", sign = "f" },
    { "water", "blue square", sign = "~" }, { "scarecrows", "bright red disc", sign = "s" },
    { "pigs", "bright magenta disc", sign = "p" } },
  blocked = "rocks",

  measures = {
    { "size", size = true, doc = "fields, rocky ones included" },
    { "rocks", count = "rocks", doc = "rocky fields" },
    { "ground_area", count = { "crop", "fertilised" }, doc = "crop and fertilised fields, those with scarecrows included" },
    { "fertilised", count = "fertilised", doc = "fertilised fields" },
    { "dry_area", count = "dry", doc = "dry fields" },
    { "pig_free_water", kind = "initial", doc = "water fields without a pig",
      function(level) return #(level.planes.water - level.planes.pigs) end },
    { "pigs", count = "pigs", doc = "water fields with a pig" },
    { "scarecrows", count = "scarecrows", doc = "fields with a scarecrow" },
    { "isolated_areas", kind = "initial", doc = "scarecrows without a usable field beside them",
      scarecrows_with(function(usable) return usable == 0 end) },
    { "corner_scarecrows", kind = "initial", doc = "scarecrows beside at most one rocky field or border",
      scarecrows_with(function(usable) return usable >= 3 end) },
    { "starting_moves", kind = "initial", doc = "moves that are possible at the start: rectangles of usable fields",
      function(level) return #level.pieces end },
    { "largest_possible_move", kind = "initial", doc = "fields that the largest of them waters",
      function(level) return #level.pieces[1].cells end },
    { "histogram", kind = "initial", doc = "moves that water a usable field, in the mean over these", function(level)
      local sum = 0
      for _, piece in ipairs(level.pieces) do sum = sum + #piece.cells end
      return sum / #level.usable
    end },
    { "solution_length", moves = true, doc = "moves of a solution" },
    { "largest_made_move", kind = "solution", doc = "fields that the largest move of the solution waters",
      function(_, solution) return (select(2, sizes(solution))) end },
    { "largest_move_difference", kind = "solution",
      doc = "fields that the smallest move of the solution waters less than the largest possible move",
      function(level, solution) return #level.pieces[1].cells - sizes(solution) end },
    { "pig_moves", kind = "solution", doc = "moves of the solution that water a pig's field", function(level, solution)
      local owner, seen, count = crux.exact_cover.owners(solution.cover), {}, 0
      for _, _, cell in level.planes.pigs:cells() do
        if not seen[owner[cell]] then seen[owner[cell]], count = true, count + 1 end
      end
      return count
    end },
    { "nodes", kind = "dynamic", doc = "moves that the search for a solution tries, those of the solution included",
      function(_, solution) return solution.generated end },
    { "solutions", kind = "dynamic", count = true, doc = "number of solutions",
      function(_, solution) return solution.solutions end },
  },

  generate = {
    options = {
      { "side", { 4, 7 }, square = "size", doc = "fields along a side" },
      { "rocks", { 2, 8 }, tile = "#", doc = "rocky fields" },
      { "dry", { 0, 4 }, tile = "d", measure = "dry_area", doc = "dry fields" },
      { "fertilised", { 0, 4 }, tile = "f", doc = "fertilised fields" },
      { "water", { 0, 2 }, tile = "~", measure = "pig_free_water", doc = "water fields without a pig" },
      { "scarecrows", { 0, 3 }, tile = "s", doc = "scarecrows" },
      { "pigs", { 0, 2 }, tile = "p", doc = "pigs, each on a water field" },
    },
  },
}
