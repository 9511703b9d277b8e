--- crux.kits.exact_cover: games in which rectangles cover all usable squares of a board, each exactly once, in as few as
--- possible. docs/lua-api.md describes the fields of a declaration.
---
--- A level has the boards of its things in `planes`, `usable`, `rows` (its text), and `pieces`, all rectangles of usable
--- squares, the largest first. A solution has `cover`, the pieces that it lays.
local declaration = require "crux.kits.declaration"
local exact_cover = require "crux.puzzle.exact_cover"
local lists = require "crux.base.lists"
local look = require "crux.kits.look"
local tiles = require "crux.kits.tiles"

local kit = {}

kit.fields = lists.merge(declaration.fields, { tiles = "table", blocked = "string", look = "table", generate = "table" })

--- A generator that puts numbers of tiles anywhere, and changes that swap two of them.
local function add_generator(game, spec)
  declaration.check_generator("crux.kits.exact_cover", spec.generate, { options = "table" }, { "options" })
  local first = spec.tiles[1][1]
  game.options = spec.generate.options

  --- The level of tiles in reading order; nil if no square can be used.
  local function level_of(list, side)
    local ok, level = pcall(game.parse, (table.concat(list):gsub(("."):rep(side), "%0\n")))
    return ok and level or nil
  end

  function game.generate(random, options)
    local list, count = {}, options.side ^ 2 // 1 | 0
    for _, option in ipairs(game.options) do
      for _ = 1, option.tile and options[option[1]] or 0 do table.insert(list, option.tile) end
    end
    if #list > count then return nil, ("%d objects are more than there are fields"):format(#list) end
    for i = #list + 1, count do list[i] = first end
    return level_of(random:shuffle(list), options.side)
  end

  --- Two squares change places, and sometimes one gets another tile.
  function game.vary(level, random)
    local list = {}
    for tile in table.concat(level.rows):gmatch "." do table.insert(list, tile) end
    local a, b = random:integer(1, #list), random:integer(1, #list)
    if list[a] == list[b] then return nil end
    list[a], list[b] = list[b], list[a]
    if random:chance(0.1) then list[a] = random:pick(spec.tiles)[1] end
    return level_of(list, #level.rows[1])
  end
end

--- The things, and a frame around each piece of the solution or position.
local function painter(rows)
  return function(level, solution, canvas, now)
    local width, height = level.usable:size()
    look.paint(rows, lists.merge(level.planes, { width = width, height = height }), canvas)
    canvas:grid()
    local pieces = solution and solution.cover or {}
    if now then
      local note
      pieces, note = exact_cover.shown(now, level)
      canvas:note(note)
    end
    for _, piece in ipairs(pieces) do
      local left, top, right, bottom = piece.x - 0.4, piece.y - 0.4, piece.x + piece.width - 0.6, piece.y + piece.height - 0.6
      canvas:line({ { left, top }, { right, top }, { right, bottom }, { left, bottom }, { left, top } }, "bright blue", 0.1)
    end
  end
end

function kit.new(spec, new, refuse)
  declaration.check("crux.kits.exact_cover", spec, kit.fields, { "name", "tiles", "blocked" })
  local reader = tiles.new(spec.tiles)
  declaration.check_things("crux.kits.exact_cover", "blocked", { spec.blocked }, reader.kinds)
  local game = declaration.game(spec, new)

  function game.parse(text)
    local level = { rows = {}, planes = reader:read(text) }
    level.usable, level.drawn = ~level.planes[spec.blocked], level.planes
    if level.usable:none() then refuse("nothing but " .. spec.blocked, "a square that can be used") end
    for row in reader:write(level.planes):gmatch "[^\n]+" do table.insert(level.rows, row) end
    level.pieces = exact_cover.rectangles(level.usable)
    return level
  end

  game.solve, game.list, game.play = exact_cover.cover, exact_cover.list, exact_cover.play
  function game.format(level) return table.concat(level.rows, "\n") end
  function game.draw(level, solution) return exact_cover.draw(level, solution and solution.cover or {}) end
  if spec.look then game.colours, game.paint = look.colours(spec.look, spec.tiles), painter(spec.look) end
  for _, row in ipairs(exact_cover.measures(true)) do game.measure(row) end
  if spec.generate then add_generator(game, spec) end
  return declaration.override(game, spec)
end

return kit
