--- Loads a game of PuzzleScript as the fields that a script would set in crux.game.
local compiler = require "crux.puzzlescript.compiler"
local expander = require "crux.search.expander"
local fault = require "crux.base.fault"
local grid = require "crux.puzzlescript.grid"
local levels = require "crux.puzzlescript.levels"
local lpeg = require "lpeg"
local measures = require "crux.puzzlescript.measures"
local session = require "crux.puzzlescript.session"
local sprites = require "crux.puzzlescript.sprites"
local sizes = require "libcrux.sizes"
local state = require "crux.search.state"
local text_file = require "crux.base.text_file"
local words = require "crux.puzzlescript.words"

local game = {}

local max_bits <const> = 10000 -- of a state
local most_between <const> = 40 -- states between that pages show

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
---@return PuzzleScript
function game.read(path)
  local text = text_file.read(path, sizes.script_bytes, "a game")
  if path:find "%.html?$" then
    text = anywhere:match(text) or fault.at(path, "a page without a game", "a game that PuzzleScript exported")
  end
  return compiler.compile(text:gsub("^\239\187\191", ""), path)
end

--- Returns the number of bits that hold the integers from 0 to a limit.
local function bits_of(limit)
  local bits = 0
  while limit >> bits > 0 do bits = bits + 1 end
  return bits
end

--- Returns the reason why the solver refuses a level of a number of cells; nil if it accepts the level.
---@param layers table[]   see grid.layers_of
local function reason_not_to_solve(puzzle, layers, cells)
  if puzzle.source.prelude.realtime_interval then return "the game goes on with time (realtime_interval)" end
  if puzzle.has_chance then return "the game depends on chance" end
  if puzzle.commands & 2 ~= 0 and puzzle.commands & 16 ~= 0 then return "rules restart from checkpoints" end
  local bits = 0
  for _, layer in ipairs(layers) do bits = bits + cells * bits_of(#layer.objects) end
  if bits > max_bits then return ("a state of the level has %d bits, more than %d"):format(bits, max_bits) end
end

--- Returns the `search` field of the game, a function that makes the C search of a level, one that begins a level, and the
--- field `between`.
local function search_of(puzzle, layers, path)
  local spec = { moves = table.move(moves, 1, puzzle.source.prelude.noaction and 4 or 5, 1, {}) }

  local plays = setmetatable({}, { __mode = "k" }) -- by level, for steps

  local function play_of(level) return puzzle.program:play(level.width, level.height, grid.pack(level.cells), "1", true) end

  --- Begins a level. Returns the play, and true if the level is already won.
  local function begin(level)
    local play = play_of(level)
    local won = fault.check(play:start())
    return play, won
  end

  function spec.state(level)
    local reason = reason_not_to_solve(puzzle, layers, level.width * level.height)
    if reason then fault.raise(("%s: not solved: %s"):format(path, reason)) end
    local fields = {}
    for _, layer in ipairs(layers) do
      fields[layer.name] = state.kinds.array(level.width * level.height, state.kinds.integer(0, #layer.objects))
    end
    return fields
  end

  function spec.start(level)
    local play, won = begin(level)
    local cells = grid.unpack(play:cells(), puzzle.object_words)
    level.still = {}
    for i, cell in ipairs(cells) do
      level.still[i] = {}
      for word = 1, #cell do level.still[i][word] = cell[word] & ~puzzle.changing[word] end
    end
    return grid.state_of(layers, cells), won
  end

  function spec.step(fields, move, level)
    plays[level] = plays[level] or play_of(level)
    local play = plays[level]
    play:set(grid.pack(grid.cells_of(layers, level, fields)))
    local won = fault.check(play:input(inputs[move]))
    local after = grid.state_of(layers, grid.unpack(play:cells(), puzzle.object_words))
    for name, values in pairs(after) do fields[name] = values end
    return won, false
  end

  --- The states from which `again` goes on after a move, and the seconds of each.
  local function between(level, fields, move)
    local play, list = play_of(level), {}
    play:set(grid.pack(grid.cells_of(layers, level, fields)))
    local goes_on = fault.check(play:turn(inputs[move]))
    while goes_on and #list < most_between do
      table.insert(list, grid.state_of(layers, grid.unpack(play:cells(), puzzle.object_words)))
      goes_on = fault.check(play:turn(-1))
    end
    return list, tonumber(puzzle.source.prelude.again_interval) or 0.15
  end

  local function expander_of(level, count)
    local objects = {}
    for i, layer in ipairs(layers) do objects[i] = layer.objects end
    return (begin(level):search(objects, #spec.moves, count))
  end

  expander.register(spec.step, { make = expander_of, stretch = 8, is_only = true }) -- a turn may take milliseconds
  return spec, expander_of, begin, puzzle.commands & 1 << words.commands.again ~= 0 and between or nil
end

--- Returns true if an object that never changes is on a layer with objects that may change: none of them can enter the cell.
local function is_wall(puzzle, layers, cell)
  for _, layer in ipairs(layers) do
    for _, name in ipairs(puzzle.source.layers[layer.number]) do
      local number = puzzle.objects[name].number
      if grid.has(cell, number) and not layer.of[number] then return true end
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
  return { width = level.width, height = level.height, cells = cells, rows = grid.rows_of(puzzle, level, cells) }
end

--- The levels of a file, each with the messages before it, and why the solver refuses one of them.
---@return LevelText[]
---@return string?
local function levels_of(puzzle, layers, spec, path)
  local own, messages, unsolved = {}, {}, reason_not_to_solve(puzzle, layers, 0)
  for _, level in ipairs(puzzle.levels) do
    if level.message then
      table.insert(messages, level.message)
    else
      local entry = { name = ("%s:%d"):format(spec.name, #own + 1), text = spec.format { rows = level }, path = path,
        lines = {}, notes = {}, message = messages[1] and table.concat(messages, "\n") }
      messages = {}
      for row = 1, #level do entry.lines[row] = level.line + row - 1 end
      table.insert(own, entry)
      unsolved = unsolved or reason_not_to_solve(puzzle, layers, #level * (utf8.len(level[1]) or #level[1]))
    end
  end
  return own, unsolved
end

--- Loads a game from a file: the fields that a script would set.
---@return table spec
---@return string path
---@return string[] sources
---@return { levels: LevelText[], begin: function, draw: function, remarks: table[], comment: integer?, unsolved: string? } own
--- the file's levels; begin(number, seed) starts a Session, draw(session) returns its rows of text; comment: the line where a
--- comment begins that nothing closes; unsolved: why the solver refuses a level
function game.load(path)
  local puzzle = game.read(path)
  puzzle.glyphs = grid.glyphs_of(puzzle)
  local layers = grid.layers_of(puzzle)
  local search, expander_of, begin, between = search_of(puzzle, layers, path)
  local spec = { name = path:match "([^/]*)%.%w+$", doc = puzzle.source.prelude.title, search = search,
    tiles = grid.tiles_of(puzzle), between = between,
    tap = not puzzle.source.prelude.noaction and "A" or nil,
    measures = measures.of(puzzle, { spec = search, layers = layers, expander_of = expander_of, begin = begin,
      inputs = inputs }) }

  function spec.parse(text)
    local rows = {}
    for row in text:gmatch "[^\n]+" do table.insert(rows, row:lower():match "^%s*(.-)%s*$") end
    return levels.read(puzzle, rows, function(row, message) error(("line %d: %s"):format(row, message), 0) end)
  end

  function spec.format(level) return table.concat(level.rows, "\n") .. "\n" end

  function spec.draw(level, _, fields)
    local rows = fields and grid.rows_of(puzzle, level, grid.cells_of(layers, level, fields)) or level.rows
    return table.concat(rows, "\n") .. "\n"
  end

  local of_objects = sprites.of(puzzle)
  spec.colours = sprites.terminal_colours(puzzle, of_objects)

  function spec.paint(level, _, canvas, fields)
    canvas:size(level.width, level.height)
    local cells = fields and grid.cells_of(layers, level, fields) or level.cells
    for number = 0, puzzle.object_count - 1 do
      for i, cell in ipairs(cells) do
        if grid.has(cell, number) then
          local x, y = (i - 1) // level.height + 1, (i - 1) % level.height + 1
          canvas:sprite(x, y, of_objects[number].pixels, of_objects[number].colours)
        end
      end
    end
  end

  function spec.vary(level, random) return varied(puzzle, layers, level, random) end

  local own, unsolved = levels_of(puzzle, layers, spec, path)

  --- Returns a Session that starts at a level: its number from 0, messages included; of messages, the next that can be played.
  local function begin_session(number, seed)
    local at, level = number, puzzle.levels[number + 1]
    if not level then
      fault.at(path, ("level %d"):format(number), ("one from 0 to %d"):format(#puzzle.levels - 1))
    end
    while level and level.message do at, level = at + 1, puzzle.levels[at + 2] end
    if not level then fault.at(path, ("level %d, a message"):format(number), "a message that a level follows") end
    return session.new(puzzle, at, seed)
  end

  --- Returns the current cells of a session as rows of text.
  local function draw(played) return table.concat(grid.rows_of(puzzle, played.level, played:cells()), "\n") .. "\n" end

  return spec, path, { path }, { levels = own, begin = begin_session, draw = draw, remarks = puzzle.source.remarks,
    comment = puzzle.source.comment, unsolved = unsolved }
end

return game
