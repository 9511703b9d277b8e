--- Loads a game of PuzzleScript as the fields that a script would set in crux.game.
local compiler = require "crux.puzzlescript.compiler"
local expander = require "crux.search.expander"
local fault = require "crux.base.fault"
local lpeg = require "lpeg"
local session = require "crux.puzzlescript.session"
local sizes = require "libcrux.sizes"
local palette = require "crux.puzzlescript.palette"
local program = require "crux.puzzlescript.program"
local state = require "crux.search.state"
local state_set = require "libcrux.state_set"
local text_file = require "crux.base.text_file"

local game = {}

local most_values = 10000 -- limit on the values of a state

--- The moves, in the order of the original engine's inputs 0 to 4.
local moves = { "U", "L", "D", "R", "A" }

--- Inputs by the names of moves.
local inputs = {}
for i, move in ipairs(moves) do inputs[move] = i - 1 end

local blanks = lpeg.S " \t\r\n" ^ 0
local hex = lpeg.R("09", "af", "AF")
local function character(code) return utf8.char(tonumber(code, 16)) end
local escaped = lpeg.P "\\u" * lpeg.C(hex * hex * hex * hex) / character
  + lpeg.P "\\" * lpeg.C(1) / { n = "\n", t = "\t", r = "", ["\""] = "\"", ["\\"] = "\\", ["/"] = "/", ["'"] = "'" }

--- Matches the text of a game in its HTML page: the string sourceCode.
local text_in_page = lpeg.P "sourceCode" * blanks * "=" * blanks * "\"" * lpeg.Cs((escaped + (1 - lpeg.S "\"\\")) ^ 0) * "\""
local anywhere = (1 - text_in_page) ^ 0 * text_in_page

--- Returns true if the extension of a path is .txt, .htm or .html.
function game.is_one(path) return path:find "%.txt$" ~= nil or path:find "%.html?$" ~= nil end

--- Returns true if a file is a game, not levels without rules.
function game.is_game(path)
  if not game.is_one(path) then return false end
  local ok, text = fault.catch(text_file.read, path, sizes.script_bytes, "a game")
  return ok and (path:find "%.html?$" ~= nil or text:lower():find "\n[ \t]*collisionlayers" ~= nil)
end

--- Reads and compiles a game.
---@param path string
---@return PuzzleScript
function game.read(path)
  local text = text_file.read(path, sizes.script_bytes, "a game")
  if path:find "%.html?$" then
    text = anywhere:match(text) or fault.at(path, "a page without a game", "a game that PuzzleScript exported")
  end
  return compiler.compile(text:gsub("^\239\187\191", ""), path)
end

--- Returns true if a cell has an object, given by its number.
local function has(cell, number) return cell[number // 64 + 1] >> number % 64 & 1 == 1 end

--- Returns the layers with objects that may change: { objects =, of = value by object, number =, name = of the field }.
local function layers_of(puzzle)
  local layers = {}
  for layer, names in ipairs(puzzle.source.layers) do
    local objects, values = {}, {}
    for _, name in ipairs(names) do
      local number = puzzle.objects[name].number
      if has(puzzle.changing, number) and not values[number] then
        table.insert(objects, number)
        values[number] = #objects
      end
    end
    if #objects > 0 then table.insert(layers, { objects = objects, of = values, number = layer,
        name = ("layer%04d"):format(layer) }) end
  end
  return layers
end

--- Returns the state fields of the cells.
local function state_of(layers, cells)
  local fields = {}
  for _, layer in ipairs(layers) do
    local values = {}
    for i, cell in ipairs(cells) do
      values[i] = 0
      for value, number in ipairs(layer.objects) do
        if has(cell, number) then values[i] = value end
      end
    end
    fields[layer.name] = values
  end
  return fields
end

--- Returns the cells of a state: the objects of the level that never change, and the objects of the state.
local function cells_of(layers, level, fields)
  local cells = {}
  for i, still in ipairs(level.still) do
    local cell = table.move(still, 1, #still, 1, {})
    for _, layer in ipairs(layers) do
      local number = layer.objects[fields[layer.name][i]]
      if number then cell[number // 64 + 1] = cell[number // 64 + 1] | 1 << number % 64 end
    end
    cells[i] = cell
  end
  return cells
end

--- Returns the cells as rows of text. A cell is the character of the legend that stands for all its objects, or "?".
local function rows_of(puzzle, level, cells)
  local rows = {}
  for y = 1, level.height do
    local row = {}
    for x = 1, level.width do
      local cell = cells[(x - 1) * level.height + y]
      row[x] = puzzle.glyphs[table.concat(cell, " ")] or "?"
    end
    rows[y] = table.concat(row)
  end
  return rows
end

--- Maps sets of objects to characters of the legend; a set without a background is mapped with each background added.
local function glyphs_of(puzzle)
  local glyphs, names = {}, {}
  for name, declared in pairs(puzzle.source.names) do
    if utf8.len(name) == 1 and not puzzle.properties[name] then table.insert(names, { name, declared.line }) end
  end
  table.sort(names, function(a, b) return a[2] < b[2] or a[2] == b[2] and a[1] < b[1] end)
  local backgrounds = puzzle.properties.background or { puzzle.synonyms.background or "background" }
  for _, row in ipairs(names) do
    local set = program.set_of(puzzle, row[1])
    for _, background in ipairs(backgrounds) do
      local number, cell, has_one = puzzle.objects[background].number, table.move(set, 1, #set, 1, {}), false
      for _, other in ipairs(backgrounds) do has_one = has_one or has(set, puzzle.objects[other].number) end
      if not has_one then cell[number // 64 + 1] = cell[number // 64 + 1] | 1 << number % 64 end
      local key = table.concat(cell, " ")
      glyphs[key] = glyphs[key] or row[1]
    end
  end
  return glyphs
end

--- Returns the reason why the solver refuses a game; nil if it accepts the game.
local function reason_not_to_solve(puzzle)
  if puzzle.source.prelude.realtime_interval then return "the game goes on with time (realtime_interval)" end
  if puzzle.has_chance then return "the game depends on chance" end
  if puzzle.commands & 2 ~= 0 and puzzle.commands & 16 ~= 0 then return "rules restart from checkpoints" end
end

--- Returns the `search` field of the game, and a function that makes the C search of a level.
local function search_of(puzzle, compiled, layers, path)
  local spec = { moves = table.move(moves, 1, puzzle.source.prelude.noaction and 4 or 5, 1, {}) }

  local function play_of(level) return compiled:play(level.width, level.height, session.pack(level.cells), "1", true) end

  --- Begins a level. Returns the play, and true if the level is already won.
  local function begin(level)
    local play = play_of(level)
    local won = fault.check(play:start())
    return play, won
  end

  function spec.state(level)
    local reason = reason_not_to_solve(puzzle)
    local values = level.width * level.height * #layers
    if values > most_values then
      reason = ("the level has %d cells with %d layers that change, more than %d together"):format(level.width * level.height,
        #layers, most_values)
    end
    if reason then fault.raise(("%s: not solved: %s"):format(path, reason)) end
    local fields = {}
    for _, layer in ipairs(layers) do
      fields[layer.name] = state.kinds.array(level.width * level.height, state.kinds.integer(0, #layer.objects))
    end
    return fields
  end

  function spec.start(level)
    local play, won = begin(level)
    local cells = session.unpack(play:cells(), puzzle.object_words)
    level.still = {}
    for i, cell in ipairs(cells) do
      level.still[i] = {}
      for word = 1, #cell do level.still[i][word] = cell[word] & ~puzzle.changing[word] end
    end
    return state_of(layers, cells), won
  end

  function spec.step(fields, move, level)
    level.play = level.play or play_of(level)
    level.play:set(session.pack(cells_of(layers, level, fields)))
    local won = fault.check(level.play:input(inputs[move]))
    local after = state_of(layers, session.unpack(level.play:cells(), puzzle.object_words))
    for name, values in pairs(after) do fields[name] = values end
    return won, false
  end

  local function expander_of(level)
    local objects = {}
    for i, layer in ipairs(layers) do objects[i] = layer.objects end
    return (begin(level):search(objects, #spec.moves))
  end

  expander.register(spec, expander_of)
  return spec, expander_of
end

--- Calls visit(before, after, is_player, value before, value after) for each value that a move changes.
local function each_change(puzzle, layers, solution, visit)
  local player = puzzle.sets.player
  for i = 2, #solution.way do
    local before, after = solution.way[i - 1], solution.way[i]
    for _, layer in ipairs(layers) do
      for k, value in ipairs(after[layer.name]) do
        local old = before[layer.name][k]
        if old ~= value then visit(i, value ~= 0 and not has(player, layer.objects[value])) end
      end
    end
  end
end

--- Limits of a sweep over all states of a level, in states and in bytes.
local most_swept <const>, most_swept_bytes <const> = 100000, 1 << 28

--- Returns counts over all states of a level: { states =, dead =, changing =, losing = }; nil when they exceed the limits.
local function space_of(spec, expander_of, level)
  if level.space == nil then
    local fields = state.fields(spec.state(level), "state")
    local set = fault.check(state_set.new(fields, 2, most_swept_bytes))
    set:find((spec.start(level)))
    set:add()
    local states, dead, changing, losing = expander_of(level):sweep(set, most_swept)
    level.space = states and { states = states, dead = dead, changing = changing, losing = losing } or false
    set:close()
  end
  return level.space or nil
end

local function measures_of(puzzle, layers, spec, expander_of)
  local function row(name, kind, doc, f, optional) return { name, kind = kind, doc = doc, optional = optional, f } end
  return {
    row("width", "initial", "columns of the level", function(level) return level.width end),
    row("height", "initial", "rows of the level", function(level) return level.height end),
    row("objects", "initial", "kinds of objects that the level begins with", function(level)
      local all, count = {}, 0
      for _, cell in ipairs(level.cells) do
        for word = 1, #cell do all[word] = (all[word] or 0) | cell[word] end
      end
      for number = 0, puzzle.object_count - 1 do count = count + (has(all, number) and 1 or 0) end
      return count
    end),
    row("layers", "initial", "collision layers of the game", function() return #puzzle.source.layers end),
    row("rules", "initial", "rules of the game, as compiled: one for each direction and object", function()
      return puzzle.rule_count
    end),
    row("moves", "dynamic", "moves of a solution with the fewest", function(_, solution) return solution.length end),
    row("states", "dynamic", "states found up to the solution", function(_, solution) return solution.states end),
    row("branching", "dynamic", "new states for each that was expanded", function(_, solution) return solution.branching end),
    row("dead_ends", "dynamic", "states from which no win is left, if there are at most 100,000 states", function(level)
      return (space_of(spec, expander_of, level) or {}).dead
    end, true),
    row("reachable", "dynamic", "all states that moves lead to, if these are at most 100,000", function(level)
      return (space_of(spec, expander_of, level) or {}).states
    end, true),
    row("losing", "dynamic", "share of the moves that lead to a dead end, of those that change anything where a win is left; "
      .. "if there "
      .. "are at most 100,000 states", function(level)
      local space = space_of(spec, expander_of, level)
      return space and space.losing / space.changing
    end, true),
    row("pushes", "solution", "objects other than the player that moves of that solution put on another place",
      function(_, solution)
        local count = 0
        each_change(puzzle, layers, solution, function(_, is_other) count = count + (is_other and 1 or 0) end)
        return count
      end),
    row("push_moves", "solution", "moves of that solution that put such an object on another place", function(_, solution)
      local pushed, count = {}, 0
      each_change(puzzle, layers, solution, function(i, is_other) pushed[i] = pushed[i] or is_other end)
      for i = 2, #solution.way do count = count + (pushed[i] and 1 or 0) end
      return count
    end),
  }
end

--- Returns true if an object that never changes is on a layer with objects that may change: none of them can enter the cell.
local function is_wall(puzzle, layers, cell)
  for _, layer in ipairs(layers) do
    for _, name in ipairs(puzzle.source.layers[layer.number]) do
      local number = puzzle.objects[name].number
      if has(cell, number) and not layer.of[number] then return true end
    end
  end
  return false
end

--- Returns a level with two random cells swapped; nil if the cells are equal or one is a wall.
local function varied(puzzle, layers, level, random)
  local cells = table.move(level.cells, 1, #level.cells, 1, {})
  local a, b = random:integer(1, #cells), random:integer(1, #cells)
  if is_wall(puzzle, layers, cells[a]) or is_wall(puzzle, layers, cells[b]) then return nil end
  local one, other = table.concat(cells[a], " "), table.concat(cells[b], " ")
  if one == other then return nil end
  cells[a], cells[b] = cells[b], cells[a]
  return { width = level.width, height = level.height, cells = cells, rows = rows_of(puzzle, level, cells) }
end

--- Returns the pixels and colours of an object. Without a sprite all pixels have its first colour.
local function sprite_of(object)
  local colours, pixels = {}, #object.sprite > 0 and object.sprite or { "00000", "00000", "00000", "00000", "00000" }
  for i, colour in ipairs(object.colours) do colours[i] = palette[colour] or colour end
  return { pixels = pixels, colours = colours }
end

--- Loads a game from a file: the fields that a script would set.
---@param path string
---@return table spec
---@return string path
---@return string[] sources
---@return { levels: LevelText[], begin: function, draw: function, remarks: table[] } own   the file's levels;
--- begin(number, seed) starts a Session, draw(session) returns its rows of text
function game.load(path)
  local puzzle = game.read(path)
  puzzle.glyphs = glyphs_of(puzzle)
  local compiled = session.program(puzzle)
  local changing, has_chance = compiled:effects()
  puzzle.changing, puzzle.has_chance = session.unpack(changing, puzzle.object_words)[1], has_chance
  local layers = layers_of(puzzle)
  local search, expander_of = search_of(puzzle, compiled, layers, path)
  local spec = { name = path:match "([^/]*)%.%w+$", doc = puzzle.source.prelude.title, search = search,
    measures = measures_of(puzzle, layers, search, expander_of) }

  function spec.parse(text)
    local rows = {}
    for row in text:gmatch "[^\n]+" do table.insert(rows, row:lower():match "^%s*(.-)%s*$") end
    return compiler.level(puzzle, rows, function(row, message) error(("line %d: %s"):format(row, message), 0) end)
  end

  function spec.format(level) return table.concat(level.rows, "\n") .. "\n" end

  function spec.draw(level, _, fields)
    local rows = fields and rows_of(puzzle, level, cells_of(layers, level, fields)) or level.rows
    return table.concat(rows, "\n") .. "\n"
  end

  local sprites = {}
  for number, name in pairs(puzzle.object_names) do sprites[number] = sprite_of(puzzle.source.objects[name]) end

  function spec.paint(level, _, canvas)
    canvas:size(level.width, level.height)
    for i, cell in ipairs(level.cells) do
      for number = 0, puzzle.object_count - 1 do
        if has(cell, number) then
          local x, y = (i - 1) // level.height + 1, (i - 1) % level.height + 1
          canvas:sprite(x, y, sprites[number].pixels, sprites[number].colours)
        end
      end
    end
  end

  function spec.vary(level, random) return varied(puzzle, layers, level, random) end

  local own = {}
  for _, level in ipairs(puzzle.levels) do
    if level.rows then
      local entry = { name = ("%s:%d"):format(spec.name, #own + 1), text = spec.format(level), path = path, lines = {},
        notes = {} }
      for row = 1, level.height do entry.lines[row] = level.line + row - 1 end
      table.insert(own, entry)
    end
  end
  --- Returns a Session that starts at a level: its number from 0, messages included.
  local function begin(number, seed)
    local level = puzzle.levels[number + 1]
    if not level then
      fault.at(path, ("level %d"):format(number), ("one from 0 to %d"):format(#puzzle.levels - 1))
    end
    if level.message then fault.at(path, ("level %d, a message"):format(number), "a level that can be played") end
    return session.new(puzzle, number, seed)
  end

  --- Returns the current cells of a session as rows of text.
  local function draw(played) return table.concat(rows_of(puzzle, played.level, played:cells()), "\n") .. "\n" end

  return spec, path, { path }, { levels = own, begin = begin, draw = draw,
    remarks = puzzle.source.remarks }
end

return game
