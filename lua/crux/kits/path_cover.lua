--- crux.kits.path_cover: games in which paths join pairs of endpoints and cover a board, such as Flow. A declaration has
--- `name`, `doc`, `measures`, and what crux.kits.declaration allows; all else follows.
---
--- A level has `width`, `height`, `letters` and `endpoints` (the numbers of two squares) by colour, and `cells`, as
--- libcrux.path_cover takes it. A solution has `paths`, the squares of each colour, and `turns`.
local declaration = require "crux.kits.declaration"
local legend = require "libcrux.legend"
local letters = require "crux.kits.letters"
local path_cover = require "crux.puzzle.path_cover"

local kit = {}

local SHORTEST <const> = 3 -- squares of a generated path: two would be joined at sight

--- A level of the letters and endpoints of its colours.
local function level_of(width, height, names, endpoints)
  local level = { width = width, height = height, cells = {}, letters = names, endpoints = endpoints }
  for cell = 1, width * height do level.cells[cell] = 0 end
  for colour, ends in ipairs(endpoints) do level.cells[ends[1]], level.cells[ends[2]] = colour, colour end
  return level
end

--- A generated level, which also has the paths that it was made from.
local function level_with(paths, side)
  local names, endpoints = {}, {}
  for i, path in ipairs(paths) do
    names[i], endpoints[i] = letters.all:sub(i, i), { path[1], path[#path] }
    table.sort(endpoints[i])
  end
  table.sort(endpoints, function(a, b) return a[1] < b[1] end)
  local level = level_of(side, side, names, endpoints)
  level.paths = paths
  return level
end

--- The function `parse` of crux.game.
local function parser(refuse)
  local reader = legend.new((letters.added { { "." }, expected = "a letter, a digit or '.'" }))
  return function(text)
    local planes, width, height = assert(reader:parse(text))
    local names, endpoints = {}, {}
    for letter in letters.all:gmatch "." do
      local ends, found = planes[letter], {}
      if #ends > 2 then refuse(("'%s' a third time"):format(letter), "it exactly twice", ends:nth(3)) end
      if #ends == 1 then refuse(("'%s' once"):format(letter), "it exactly twice", ends:first()) end
      for _, _, cell in ends:cells() do table.insert(found, cell) end
      if #found > 0 then
        table.insert(names, letter)
        table.insert(endpoints, found)
      end
    end
    if #names == 0 then refuse("no endpoints", "some") end
    return level_of(width, height, names, endpoints)
  end
end

local function solve(level, options)
  local solution = assert(path_cover.solve(level, { paths = true, seconds = options.seconds, bytes = options.bytes }))
  if not solution.paths then return solution end
  local owners = {}
  for colour, path in ipairs(solution.paths) do
    for _, cell in ipairs(path) do owners[cell] = level.letters[colour] end
  end
  solution.text = path_cover.rows(level, function(cell) return owners[cell] or "." end):gsub("\n", " ")
  return solution
end

--- Endpoints as discs, and the paths of a solution or position as lines; the one that is held is wider. Squares of a joined
--- path are tinted.
local function painter(inks)
  return function(level, solution, canvas, now)
    local paths = (now or solution or { paths = {} }).paths
    canvas:size(level.width, level.height)
    canvas:grid()
    local function place(cell) return (cell - 1) % level.width + 1, (cell - 1) // level.width + 1 end
    for colour, letter in ipairs(level.letters) do
      local path = paths[colour] or {}
      for _, cell in ipairs(path_cover.joins(path, level.endpoints[colour]) and path or {}) do
        local x, y = place(cell)
        canvas:tint(x, y, inks[letter])
      end
    end
    for colour, letter in ipairs(level.letters) do
      local path = {}
      for i, cell in ipairs(paths[colour] or now and { level.endpoints[colour][1] } or {}) do path[i] = { place(cell) } end
      if now then canvas:thing("path" .. colour) end
      if #path > 0 then canvas:line(path, inks[letter], now and now.held == colour and 0.4 or 0.3) end
      if now then canvas:thing() end
    end
    for colour, letter in ipairs(level.letters) do
      for _, cell in ipairs(level.endpoints[colour]) do
        local x, y = place(cell)
        canvas:disc(x, y, inks[letter], 0.75)
        canvas:label(x, y, letter, "ground", 0.45)
      end
    end
  end
end

local function add_generator(game)
  game.options = {
    { "side", { 5, 9 }, square = "size", doc = "squares along a side" },
    { "colours", 0, doc = "pairs of endpoints; 0: as many as squares along a side, or one less" },
  }

  function game.generate(random, options)
    local side, count = options.side, options.colours
    if count == 0 then count = random:integer(side - 1, side) end
    if count > #letters.all then return nil, ("%d colours are more than there are letters"):format(count) end
    local paths, problem = path_cover.random(side, side, count, SHORTEST, random)
    return paths and level_with(paths, side), problem
  end

  -- A level that was read has the paths of its solution.
  function game.vary(level, random)
    level.paths = level.paths or game.solve(level, {}).paths
    local paths = level.paths and path_cover.vary(level.paths, level.width, level.height, SHORTEST, random)
    return paths and level_with(paths, level.width)
  end
end

function kit.new(spec, new, refuse)
  declaration.check("crux.kits.path_cover", spec, declaration.fields, { "name" })
  local game = declaration.game(spec, new)
  game.parse, game.solve, game.list, game.play = parser(refuse), solve, path_cover.list, path_cover.play
  game.colours = letters.colours()
  game.alike = {} -- any letter may stand for any other
  for letter in letters.all:gmatch "." do table.insert(game.alike, letter) end
  game.paint = painter(game.colours)
  function game.format(level)
    return path_cover.rows(level, function(cell) return level.letters[level.cells[cell]] or "." end)
  end
  function game.draw(level, solution) return path_cover.draw(level, solution and solution.paths or {}) end
  add_generator(game)
  return declaration.override(game, spec)
end

return kit
