-- Tests of games/happycube.lua: cubes against a search of its own over turned pieces, play, and wrong levels.
local game = require "crux.game.game"
local luaunit = require "luaunit"
local random = require "libcrux.random"
local shell = require "shell"

local happycube = game.load "games/happycube.lua"

local HappyCube = {}

--- The sides of the pieces of a level, clockwise from above, as numbers of five bits; and those of the piece turned over.
local function sides_of(level)
  local list = {}
  for number, piece in ipairs(level.pieces) do
    list[number] = {}
    for over = 0, 1 do
      local function at(u, v) return piece[5 * v + (over == 1 and 4 - u or u)] and 1 or 0 end
      local sides = { "", "", "", "" }
      for i = 0, 4 do
        sides[1], sides[2] = sides[1] .. at(i, 0), sides[2] .. at(4, i)
        sides[3], sides[4] = sides[3] .. at(4 - i, 4), sides[4] .. at(0, 4 - i)
      end
      for turn = 0, 3 do
        local turned = {}
        for i = 0, 3 do turned[i + 1] = sides[(i + turn) % 4 + 1] end
        list[number][4 * over + turn + 1] = turned
      end
    end
  end
  return list
end

-- Sides that lie on each other, by face (above, left, front, right, behind, below) and side, clockwise from above.
local edges = { { 1, 3, 3, 1 }, { 1, 4, 2, 1 }, { 1, 2, 4, 1 }, { 1, 1, 5, 1 }, { 2, 2, 3, 4 }, { 3, 2, 4, 4 }, { 4, 2, 5, 4 },
  { 5, 2, 2, 4 }, { 6, 1, 3, 3 }, { 6, 4, 2, 3 }, { 6, 2, 4, 3 }, { 6, 3, 5, 3 } }
-- Corners: three faces, and the side that begins at the corner, clockwise.
local corners = { { 1, 4, 2, 2, 3, 1 }, { 1, 3, 3, 2, 4, 1 }, { 1, 1, 5, 2, 2, 1 }, { 1, 2, 4, 2, 5, 1 }, { 6, 1, 2, 3, 3, 4 },
  { 6, 2, 3, 3, 4, 4 }, { 6, 4, 2, 4, 5, 3 }, { 6, 3, 4, 3, 5, 4 } }

--- Whether the faces that are laid fit: the three squares in the middle of edges, and corners of which all faces are laid.
local function fits(laid)
  for _, edge in ipairs(edges) do
    local a, b = laid[edge[1]], laid[edge[3]]
    for i = 2, a and b and 4 or 1 do
      if a[edge[2]]:sub(i, i) == b[edge[4]]:sub(6 - i, 6 - i) then return false end
    end
  end
  for _, corner in ipairs(corners) do
    local sum, known = 0, true
    for i = 1, 5, 2 do
      local face = laid[corner[i]]
      known = known and face ~= nil
      sum = sum + (face and tonumber(face[corner[i + 1]]:sub(1, 1)) or 0)
    end
    if sum > 1 or known and sum == 0 then return false end
  end
  return true
end

--- The number of cubes with the first piece above as it is drawn.
local function count(sides)
  local laid, used, shapes = { sides[1][1] }, { true }, {}
  local function follow(face)
    if face > 6 then
      local shape = ""
      for i = 1, 6 do shape = shape .. table.concat(laid[i]) .. laid[i].number end
      shapes[shape] = true
      return
    end
    for number = 2, 6 do
      for way = 1, used[number] and 0 or 8 do
        used[number], laid[face] = true, sides[number][way]
        laid[face].number = number
        if fits(laid) then follow(face + 1) end
        used[number], laid[face] = nil, nil
      end
    end
  end
  laid[1].number = 1
  follow(2)
  local sum = 0
  for _ in pairs(shapes) do sum = sum + 1 end
  return sum
end

function HappyCube.test_solutions_against_a_search_over_sides()
  local source, solvable = random.new(os.getenv "CRUX_TEST_SEED" or 1), 0
  for i = 1, 12 do
    local level
    repeat level = happycube.generate(source, { solutions = 1000 }) until level
    if i % 3 == 0 then -- a tooth is cut off, and no cube is left
      local piece = level.pieces[source:integer(1, 6)]
      for at = 0, 4 do piece[at] = false end
    end
    local solution, expected = happycube.solve(level, { count = true }), count(sides_of(level))
    luaunit.assertEquals(solution.solutions, expected, happycube.format(level))
    luaunit.assertEquals(solution.status, expected > 0 and "solved" or "unsolvable")
    solvable = solvable + (expected > 0 and 1 or 0)
  end
  luaunit.assertTrue(solvable >= 8)
end

--- A variation is a cube of other pieces, of which at most a few cells have changed their face.
function HappyCube.test_varied()
  local source, changes, level = random.new(2), 0
  repeat level = happycube.generate(source, { solutions = 8 }) until level
  local function cells_of(one)
    local sum = 0
    for _, piece in ipairs(one.pieces) do
      for at = 0, 24 do sum = sum + (piece[at] and 1 or 0) end
    end
    return sum
  end
  for _ = 1, 10 do
    local changed = happycube.vary(level, source, { solutions = 8 })
    if changed then
      luaunit.assertEquals(cells_of(changed), 98) -- 44 along edges and 9 in the middle of each face
      luaunit.assertTrue(happycube.solve(changed, { count = true }).solutions <= 8)
      changes, level = changes + (happycube.format(changed) ~= happycube.format(level) and 1 or 0), changed
    end
  end
  luaunit.assertTrue(changes > 5)
end

function HappyCube.test_played()
  local level = happycube.parse(shell.read "datasets/levels/happycube/cubes.txt":match "1%-1\n(.-)\n\n", {})
  local play, solution = happycube.play, happycube.solve(level, {})
  local position = play.start(level)
  luaunit.assertStrContains(play.draw(position, level), "0 of 44 cells filled, 0 twice")
  position = play.step(position, "space", level)
  luaunit.assertEquals(position.laid, { { 1, 1 } })
  for _, step in ipairs { { "t", 2 }, { "t", 3 }, { "t", 4 }, { "t", 1 }, { "o", 5 }, { "t", 6 }, { "o", 2 } } do
    position = play.step(position, step[1], level)
    luaunit.assertEquals(position.laid[1][2], step[2])
  end
  luaunit.assertNil(play.step(position, "left", level))
  position = play.step(position, "down", level)
  luaunit.assertEquals({ play.square(position) }, { 2, 2 })
  position = play.step(play.step(position, "space", level), "space", level)
  luaunit.assertEquals(position.laid, { { 1, 2 }, [3] = { 3, 1 } })
  for _ = 1, 6 do
    luaunit.assertFalse(play.done(position, level))
    position = play.hint(position, level, solution)
  end
  luaunit.assertTrue(play.done(position, level))
  luaunit.assertStrContains(play.draw(position, level), "44 of 44 cells filled, 0 twice")
  luaunit.assertNil(play.hint(position, level, solution))
end

function HappyCube.test_wrong_levels()
  local text = shell.read "datasets/levels/happycube/cubes.txt":match "1%-1\n(.-)\n\n"
  for _, case in ipairs {
    { text:gsub("#", "x", 1), 'found "...x.", expected five of # and ., with ### in the middle of rows 2 to 4' },
    { text:gsub("\n%.####", "\n.#.##", 1), '2: column 1: found ".#.##"' }, { text:gsub(" %S+\n", "\n", 1), "1: column 1: found 5 pieces, expected six" },
    { text:gsub("\n[^\n]+$", ""), "found 4 rows, expected five" }, { text .. "\n" .. text, "found 10 rows, expected five" },
    { text:gsub("\n", " .....\n", 1), "1: column 1: found 7 pieces, expected six" },
  } do
    luaunit.assertStrContains(shell.crux("measure happycube " .. shell.file("wrong.txt", case[1] .. "\n")).err, case[2])
  end
end

return { HappyCube = HappyCube }
