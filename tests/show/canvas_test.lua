--- Tests of pictures of levels: what game.paint may draw, what of scripts is refused, and crux solve --format svg.
local canvas = require "crux.show.canvas"
local colours = require "colour"
local contrast = require "contrast"
local letters = require "crux.kits.letters"
local lists = require "crux.base.lists"
local long = require "long"
local look = require "crux.kits.look"
local luaunit = require "luaunit"
local shell = require "shell"
local xml = require "xml_reader"

--- A game of levels that are one line of text, which is their solution, too; its paint is given.
local function game_of(paint)
  return shell.file("painted.lua", ([[
    local game = crux.game "painted"
    function game.parse(text) return { text = text:gsub("\n", "") } end
    function game.format(level) return level.text end
    function game.solve(level) return { status = "solved", text = level.text } end
    %s
    return game]]):format(paint and ("function game.paint(level, solution, canvas)\n%s\nend"):format(paint) or ""))
end

--- The picture of a level of one line by such a game.
local function painted(paint, text, name)
  local levels = shell.file("painted.txt", ("; %s\n%s\n"):format(name or "the level", text or "abc"))
  return shell.crux(("solve --format svg %s %s"):format(game_of(paint), levels))
end

local Canvas = {}

--- Squares are 32 units wide, with 4 around the board.
function Canvas.test_shapes()
  for _, case in ipairs(long.some(5, {
    { 'canvas:grid()', '<path class="grid" d="M4 4V68M36 4V68M68 4V68M4 4H68M4 36H68M4 68H68"/>' },
    { 'canvas:grid(1, 1)', 'd="M4 4V36M36 4V36M4 4H36M4 36H36"/>' },
    { 'canvas:cell(1, 1, "wall") canvas:cell(2, 1, "wall")', '<path class="fill ink-wall" d="M4 4h32v32h-32zM36 4h32v32h-32z"/>' },
    { 'canvas:tint(2, 2, "red")', '<path class="fill tint ink-red" d="M36 36h32v32h-32z"/>' },
    { 'canvas:cell(1, 2, "red", 0.5)', '<rect class="fill ink-red" height="16" rx="3" width="16" x="12" y="44"/>' },
    { 'canvas:disc(2, 1, "bright blue", 0.5)', '<circle class="fill ink-bright-blue" cx="52" cy="20" r="8"/>' },
    { 'canvas:ring(1, 1, "red", 1)', '<circle class="stroke ink-red" cx="20" cy="20" r="16" stroke-width="3"/>' },
    { 'canvas:line({ { 1, 1 }, { 2, 1 }, { 2, 2 } }, "green", 0.5)',
      '<path class="stroke ink-green" d="M20 20L52 20L52 52" stroke-width="16"/>' },
    { 'canvas:label(1.5, 1, "<&>", "ground")',
      '<text class="fill ink-ground" font-size="16" font-weight="bold" x="36" y="20">&lt;&amp;&gt;</text>' },
    { 'canvas:sprite(1, 1, { "00", ".1" }, { "#abc", "#123456" })', '<path class="sprite" d="M1 1h1v1h-1z" fill="#123456" transform="translate(4 4)scale(16)"/>\n'
      .. '<path class="sprite" d="M0 0h2v1h-2z" fill="#abc" transform="translate(4 4)scale(16)"/>' },
    { 'canvas:sprite(1.5, 1.25, { "0" }, { "#abc" })', 'd="M0 0h1v1h-1z" fill="#abc" transform="translate(20 12)scale(32)"' },
    { 'local pixels, colours = { "00", "00" }, { "#abc" } canvas:sprite(1, 1, pixels, colours) canvas:sprite(2, 2, pixels, colours)',
      'd="M0 0h2v2h-2zM2 2h2v2h-2z"' },
    -- squares beside each other are one, and what another sprite hides is left out
    { 'for x = 1, 2 do canvas:sprite(x, 1, { "00", "00" }, { "#abc" }) end canvas:sprite(1, 1, { "..", "00" }, { "#def" })',
      'd="M0 0h4v1h-4zM2 1h2v1h-2z" fill="#abc"' },
    { 'canvas:arrow({ { 1, 1 } }, "red")', '<path class="stroke ink-red" d="M20 20" stroke-width="3.2"/>' },
  })) do
    local result = painted("canvas:size(2, 2) " .. case[1])
    luaunit.assertEquals(result.status, 0, result.err)
    luaunit.assertStrContains(result.out, case[2])
    luaunit.assertEquals(xml(result.out).attributes.viewBox, "0 0 72 72")
  end
end

function Canvas.test_refusals()
  for _, case in ipairs(long.some(6, {
    { 'canvas:disc(1, 1, "red")', "canvas:disc: found no size, expected canvas:size(columns, rows) first" },
    { 'canvas:size(0, 1)', "canvas:size: found columns = 0, expected a number from 1 to 200" },
    { 'canvas:size(1e9, 1)', "canvas:size: found columns = 1000000000, expected a number from 1 to 200" },
    { 'canvas:size(2, 2) canvas:disc(0/0, 1, "red")', "canvas:disc: found x = NaN, expected a number from 0 to 3" },
    { 'canvas:size(2, 2) canvas:disc(1, "1", "red")', "canvas:disc: found y = '1', expected a number from 0 to 3" },
    { 'canvas:size(2, 2) canvas:disc(1, 1, "rad")', "canvas:disc: found the unknown colour 'rad'; " },
    { 'canvas:size(2, 2) canvas:cell(1, 1, 7)', "canvas:cell: found the unknown colour '7'; " },
    { 'canvas:size(2, 2) canvas:cell(1, 1, "red", 1e6)', "canvas:cell: found size = 1000000, expected a number from 0.01 to 4" },
    { 'canvas:size(2, 2) canvas:sprite(1, 1, "0", {})', "canvas:sprite: found '0', expected rows of digits, and colours" },
    { 'canvas:size(2, 2) canvas:sprite(1, 1, { "00" }, {})', "canvas:sprite: found '00', expected a row of at most 1 digits" },
    { 'canvas:size(2, 2) canvas:line("x", "red")', "canvas:line: found 'x', expected a list of points { x, y }" },
    { 'canvas:size(2, 2) canvas:line({ 1 }, "red")', "canvas:line: found 1, expected a point { x, y }" },
    { 'canvas:size(2, 2) canvas:label(1, 1, ("x"):rep(13), "red")', "expected a text of at most 12 letters" },
    { 'canvas:size(2, 2, 2)', "canvas:size: found border = 2, expected a number from 0 to 1" },
    { 'canvas:size(2, 2) canvas:note(("x"):rep(201))', "expected a text of at most 200 bytes" },
    { 'canvas:size(2, 2) local list = {} for i = 1, 100001 do list[i] = { 1, 1 } end canvas:line(list, "red")',
      "canvas:line: found more points, expected at most 100000" },
    { 'local a = 1', "paint: found no size, expected canvas:size(columns, rows)" },
    { 'error "no"', "no" },
  })) do
    local result = painted(case[1])
    luaunit.assertEquals(result.status, 1, case[1])
    luaunit.assertStrContains(result.err, case[2])
    luaunit.assertStrMatches(result.err, ".*painted.lua:.*", nil, nil, case[1])
  end
end

--- The line of the script is told, wherever the number is checked.
function Canvas.test_place()
  luaunit.assertStrContains(painted("canvas:size(2, 2)\ncanvas:line({ { 1, 9 } }, 'red')").err, "painted.lua:7: canvas:line: found y = 9")
end

--- A list that pretends to be another is read as it is.
function Canvas.test_no_metamethods()
  local result = painted [[
    canvas:size(2, 2)
    canvas:line(setmetatable({ setmetatable({ 1, 1 }, { __index = error }) }, { __len = error, __index = error }), "red")]]
  luaunit.assertEquals(result.err, "")
end

function Canvas.test_hostile_names()
  local result = painted("canvas:size(1, 1)", '"><script>x</script>', "<script>alert(1)</script>\1")
  local root = xml(result.out)
  luaunit.assertEquals(root[1].text, "<script>alert(1)</script>\\x01, solved")
  luaunit.assertEquals(root[2].text, 'A solution: "><script>x</script>.')
end

--- Without paint the picture is made of the drawing: each character in its place, 11 units wide and 20 high.
function Canvas.test_default()
  local result = painted(nil, "a <b")
  luaunit.assertStrContains(result.out,
    '<text class="drawing fill ink-bright-white" font-size="17" x="9.5 31.5 42.5" y="14">a&lt;b</text>')
  luaunit.assertEquals(xml(result.out).attributes.viewBox, "0 0 52 28")
end

local levels = { flow = "datasets/levels/flow/7.txt datasets/levels/flow/8.txt", move = "datasets/levels/move/1.txt",
  lazors = "datasets/levels/lazors/3.bff", sokoban = "datasets/levels/sokoban/rooms.xsb" }

--- Every game of crux draws its levels, in light and dark, and several on a sheet.
function Canvas.test_games()
  long.only()
  levels.dungeongrams = shell.file("dungeon.txt", "-----\n-@-#-\n--^*-\n-&-XO\n")
  levels.sprinkfield = shell.file("field.txt", ".#s\n~d.\np..\n")
  levels.sudoku = shell.file("sudoku.txt", "73..2.8..........9..2..3.7....6..1.3.8.741.6.1.5..2....5.9..3..3..........8.6..45\n")
  levels.nurikabe = shell.file("nurikabe.txt", ".....\n....1\n1.3..\n....3\n.2...\n")
  for name, paths in pairs(levels) do
    local text = shell.printed(("solve %s %s -o %s && cat %s"):format(name, paths, shell.path "levels.svg", shell.path "levels.svg"))
    local root = xml(text)
    luaunit.assertEquals(root.name, "svg")
    luaunit.assertStrContains(text, "prefers-color-scheme:dark")
    luaunit.assertStrContains(text, "solved</title>")
  end
end

--- A frame around what each of the two sprinklers of the only cover waters; squares have 32 units and the margin 4, by hand.
function Canvas.test_sprinkfield()
  local text = shell.printed("solve --format svg sprinkfield " .. shell.file("field.txt", "d.#\n..s\n..#\n"))
  local frames = {}
  for path in text:gmatch '<path class="stroke ink%-bright%-blue" d="([^"]*)"' do table.insert(frames, path) end
  luaunit.assertEquals(frames, { "M7.2 7.2L64.8 7.2L64.8 96.8L7.2 96.8L7.2 7.2", "M71.2 39.2L96.8 39.2L96.8 64.8L71.2 64.8L71.2 39.2" })
end

function Canvas.test_sheet()
  local root, inner = xml(shell.printed("solve --format svg flow " .. levels.flow)), {}
  for _, element in ipairs(root) do
    if element.name == "svg" then table.insert(inner, element.attributes["aria-label"]:match "^[^:]*") end
  end
  luaunit.assertEquals(inner, { "7, solved", "8, solved" })
end

--- What a level without a solution looks like.
function Canvas.test_unsolved()
  local result = shell.crux("solve --format svg flow " .. shell.file("cross.txt", "AB\nBA\n"))
  luaunit.assertStrContains(result.out, "A level of flow.")
  luaunit.assertStrContains(result.err, "no solution exists")
end

--- Colour-blind people tell the inks of things apart, by a simulation: the first six of Flow by six times what is just seen, and all
--- twelve, whose letters differ, too, by three times.
function Canvas.test_inks_for_the_colour_blind()
  local names, by_name = {}, {}
  for _, ink in ipairs(canvas.inks) do by_name[ink[1]] = ink end
  for i = 1, 12 do names[i] = letters.colours()[letters.all:sub(i, i)] end
  for kind, vision in pairs(colours.visions) do
    for shade = 2, 3 do
      for i = 2, 12 do
        for j = 1, i - 1 do
          local one, other = by_name[names[i]], by_name[names[j]]
          local found = colours.distance(one[shade], other[shade], vision)
          luaunit.assertTrue(found >= (i <= 6 and 13 or 7), ("%s and %s, %s: %.1f"):format(one[1], other[1], kind, found))
        end
      end
    end
  end
end

--- Letters of the ground's colour can be read on every other ink but floor, light and wall, and these inks on the ground: AA, 4.5;
--- shapes that bear no letters, as walls, need 3 (WCAG 2.1, 1.4.3 and 1.4.11).
function Canvas.test_contrast()
  local grounds = { false, "#FFFFFF", "#14181D" }
  for _, ink in ipairs(canvas.inks) do
    for shade = 2, 3 do
      local found = contrast(ink[shade], grounds[shade])
      local least = (ink[1] == "ground" or ink[1] == "floor" or ink[1] == "light") and 1 or ink[1] == "wall" and 3 or 4.5
      luaunit.assertTrue(found >= least, ("%s %d: %.2f"):format(ink[1], shade, found))
    end
  end
  for i, line in ipairs(canvas.lines) do luaunit.assertTrue(contrast(line, grounds[i + 1]) >= 3, line) end
end

--- What the kits take as a colour can be drawn.
function Canvas.test_colours_of_look_are_inks()
  local inks = lists.set(lists.field(canvas.inks, 1))
  for _, colour in ipairs(look.inks) do luaunit.assertTrue(inks[colour], colour) end
end

return { Canvas = Canvas }
