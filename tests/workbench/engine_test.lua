--- Tests of the workbench's engine: messages and their answers, without a server.
local appraisal = require "crux.workbench.appraisal"
local engines = require "crux.workbench.engine"
local fault = require "crux.base.fault"
local luaunit = require "luaunit"

local Engine = {}

--- An engine whose files are in memory.
---@param texts table<string, string>   by path
local function engine_of(texts)
  local function read(path)
    if not texts[path] then fault.at(path, "no such file", "a file") end
    return texts[path], "version of " .. texts[path]
  end
  return engines.new { named = { game = "move" }, list = function() return { "a.txt" } end, read = read }
end

local function ask(texts, message) return engine_of(texts):answer(message) end

--- The rating of rules/move.lua for a level with the measures that one reads off the text.
function Engine.test_a_level_is_rated_with_the_shares_of_its_measures()
  local answer = ask({}, { kind = "level", game = "move", rule = "move", text = "; one\nA . a\n" })
  local sum = 0
  for _, part in ipairs(answer.parts) do sum = sum + part[2] end
  luaunit.assertAlmostEquals(answer.rating, sum, 1e-12)
  local measures = {}
  for _, row in ipairs(answer.measures) do measures[row.name] = row.value end
  luaunit.assertEquals(measures, { size = 3, balls = 1, colours = 1, rocks = 0, moves = 2, counterintuitive = 0 })
  luaunit.assertEquals({ answer.low < answer.rating, answer.high > answer.rating }, { true, true })
  luaunit.assertEquals({ answer.solution.status, answer.solution.text, answer.columns, answer.rows }, { "solved", "LL", 3, 1 })
  luaunit.assertEquals({ answer.board.rows, answer.board.width, answer.board.head }, { { { "A", ".", "a" } }, 1, "; one\n" })
  luaunit.assertStrContains(answer.picture, "<svg")
end

--- The rule of Sokoban needs pushes, of which a search of their own has a solution; a solution by the game is asked for. In Move the
--- rating needs the game's.
function Engine.test_a_rating_may_come_before_the_solution()
  local text = "#######\n#@ $ .#\n#######\n"
  local answer = ask({}, { kind = "level", game = "sokoban", rule = "sokoban", text = text })
  luaunit.assertEquals({ answer.is_of_measure, answer.solution.status, answer.rating }, { true, "solved", 2.5 * math.log(3) })
  local solution = ask({}, { kind = "solution", game = "sokoban", text = text }).solution
  luaunit.assertEquals({ solution.status, solution.length }, { "solved", 3 })
  luaunit.assertNil(ask({}, { kind = "level", game = "move", rule = "move", text = "A . a\n" }).is_of_measure)
end

--- A text that was rated before is not measured again, unless another rule is asked for, or 100 others have come.
function Engine.test_undo_is_answered_by_what_is_known()
  local count, engine = 0, engine_of {}
  local rate <close> = setmetatable({ appraisal.of }, { __close = function(self) appraisal.of = self[1] end })
  function appraisal.of(...)
    count = count + 1
    return rate[1](...)
  end
  local function rating(text, rule) return engine:answer({ kind = "level", game = "move", rule = rule or "move", text = text }).rating end
  local first = rating "A . a\n"
  luaunit.assertEquals({ rating "A a\n" == first, rating "A . a\n" == first, count }, { false, true, 2 })
  rating("A . a\n", "move-original")
  luaunit.assertEquals(count, 3)
  for comment = 1, 100 do rating((";%d\nA a\n"):format(comment)) end
  luaunit.assertEquals(count, 103)
  rating ";1\nA a\n"
  luaunit.assertEquals(count, 104)
end

function Engine.test_faults_say_their_place()
  local answer = ask({}, { kind = "level", game = "move", rule = "move", text = "A . a\n. ? .\n" })
  luaunit.assertEquals({ answer.fault.line, answer.fault.column, answer.fault.file }, { 2, 3, "level" })
  luaunit.assertStrContains(answer.fault.message, "found '?'")
  luaunit.assertStrContains(ask({}, { kind = "level", game = "move", text = "A a\n\nA a\n" }).fault.message, "level:3: found a second level")
  luaunit.assertStrContains(ask({}, { kind = "level", game = "none-such", text = "" }).fault.message, "none-such")
  luaunit.assertStrContains(ask({}, { kind = "nonsense" }).fault.message, "'nonsense'")
  luaunit.assertStrContains(ask({}, {}).fault.message, "nil")
end

--- Each kind answers a message without the fields that it needs, by a fault that names one.
function Engine.test_messages_that_lack_fields()
  local lacking = 0
  for kind in pairs(engines.kinds) do
    local answer = ask({}, { kind = kind, game = "move", rule = "move", text = "A . a\n" })
    lacking = lacking + (answer.fault and answer.fault.message:find "^message: field '%l+': found nil, expected the type " and 1 or 0)
  end
  luaunit.assertEquals(lacking, 14)
  luaunit.assertEquals(ask({}, { kind = "save", game = "move", text = "A a\n" }).fault.message,
    "message: field 'path': found nil, expected the type string")
end

--- A pen draws at the side that is nearest, counted in half tiles: of the square at 1, 1 that above is 1, 0, that below 1, 2.
function Engine.test_pens_draw_lasers_targets_and_blocks_in_hand()
  local head, text = "# one\nGRID START\no x\nA o\nGRID STOP\n", "A 1\nL 1 0 1 1\nP 2 1\n"
  local function drawn(pen, x, y)
    local answer = ask({}, { kind = "draw", game = "lazors", text = head .. text, pen = pen, x = x, y = y })
    return answer.text and answer.text:sub(1, #head) == head and answer.text:sub(#head + 1) or answer.fault.message
  end
  for _, case in ipairs {
    { "laser ↘", 2, 1.4, "A 1\nL 1 0 1 1\nL 3 2 1 1\nP 2 1\n" },
    { "laser ↖", 9, 1.1, "A 1\nL 1 0 1 1\nL 4 1 -1 -1\nP 2 1\n" }, -- beside the board
    { "laser ↗", 1, 0.6, "A 1\nL 1 0 1 -1\nP 2 1\n" },
    { "laser ↘", 1, 1, "A 1\nL 1 0 1 1\nP 2 1\n" }, -- the last laser stays
    { "target", 1.4, 2.1, "A 1\nL 1 0 1 1\nP 2 1\nP 2 3\n" },
    { "target", 0.7, -3, "A 1\nL 1 0 1 1\nP 2 1\nP 1 0\n" },
    { "target", 1.4, 1, "A 1\nL 1 0 1 1\nP 2 1\n" }, -- the last target stays
    { "+ A", nil, nil, "A 2\nL 1 0 1 1\nP 2 1\n" }, { "− A", nil, nil, "L 1 0 1 1\nP 2 1\n" },
    { "+ C", nil, nil, "A 1\nC 1\nL 1 0 1 1\nP 2 1\n" }, { "− C", nil, nil, "A 1\nL 1 0 1 1\nP 2 1\n" },
    { "o", nil, nil, "message: field 'pen': found 'o', expected the sign of a pen of lazors" },
  } do
    luaunit.assertEquals(drawn(case[1], case[2], case[3]), case[4], case[1])
  end
  text = "A 1\nL 1 0 1 1\nL 3 2 1 1\nP 2 1\nP 2 3\n"
  luaunit.assertEquals(drawn("laser ↘", 2, 1.4), "A 1\nL 1 0 1 1\nP 2 1\nP 2 3\n")
  luaunit.assertEquals(drawn("target", 1.4, 1), "A 1\nL 1 0 1 1\nL 3 2 1 1\nP 2 3\n")
  luaunit.assertStrContains(ask({}, { kind = "draw", game = "move", text = "A a\n", pen = "target" }).fault.message, "a pen of move")
end

--- Turned clockwise, a place x, y of half tiles on a board of H rows is 2 H - y, x, and a direction likewise -y, x.
function Engine.test_a_level_of_lazors_is_turned()
  local text = "# one\nGRID START\no x o\nA o o\nGRID STOP\nB 1\nL 1 0 1 1\nP 2 1\n"
  local function turned(of) return ask({}, { kind = "draw", game = "lazors", text = of, pen = "turn" }).text end
  luaunit.assertEquals(turned(text), "# one\nGRID START\nA o\no x\no o\nGRID STOP\nB 1\nL 4 1 -1 1\nP 3 2\n")
  luaunit.assertEquals(turned(turned(turned(turned(text)))), text)
end

--- A comment stays before the line that it stood before, or that has its number.
function Engine.test_a_pen_keeps_comments()
  local function drawn(text, pen, x, y)
    return ask({}, { kind = "draw", game = "lazors", text = text, pen = pen, x = x, y = y }).text
  end
  local head = "# one\nGRID START\n# rows\no x\nA o\nGRID STOP\n# hand\n"
  luaunit.assertEquals(drawn(head .. "A 1\n# laser\nL 1 0 1 1\n# target\nP 2 1\n# below\n", "+ A"),
    head .. "A 2\n# laser\nL 1 0 1 1\n# target\nP 2 1\n# below\n")
  luaunit.assertEquals(drawn(head .. "A 1\nL 1 0 1 1\n# target\nP 2 1\n", "laser ↘", 2, 1.4),
    head .. "A 1\nL 1 0 1 1\nL 3 2 1 1\n# target\nP 2 1\n")
  luaunit.assertEquals(drawn("GRID START\r\no\r\nGRID STOP\r\n# hand\r\nL 1 0 1 1\r\nP 1 2", "+ B"),
    "GRID START\r\no\r\nGRID STOP\r\nB 1\r\n# hand\r\nL 1 0 1 1\r\nP 1 2\r\n")
end

local file = "; first\r\nA . a\r\n\r\n; a remark, to be kept\r\n; second\r\nA a\r\n; below\r\n\r\n\r\n; third\r\na A"

function Engine.test_the_levels_of_a_file_are_its_bytes()
  local answer = ask({ ["a.txt"] = file }, { kind = "file", game = "move", path = "a.txt" })
  luaunit.assertEquals(answer.version, "version of " .. file)
  local texts = {}
  for i, level in ipairs(answer.levels) do texts[i] = { level.name, level.text, level.first } end
  luaunit.assertEquals(texts, { { "first", "; first\r\nA . a\r\n", 1 },
    { "a remark, to be kept", "; a remark, to be kept\r\n; second\r\nA a\r\n; below\r\n", 4 }, { "third", "; third\r\na A", 10 } })
end

function Engine.test_a_map_of_another_program_is_not_changed()
  local map = [[{"type":"map","version":"1.10","tilewidth":16,"tileheight":16,"orientation":"orthogonal","width":2,"height":1,"tilesets":[{"firstgid":1,"name":"t","tiles":[
    {"id":0,"type":"a"},{"id":1,"type":"A"}]}],"layers":[{"type":"tilelayer","name":"l","width":2,"height":1,"data":[1,2]}]}]]
  local files, message = { ["a.tmj"] = map }, { kind = "file", game = "move", path = "a.tmj" }
  local level = ask(files, message).levels[1]
  luaunit.assertEquals({ level.text, level.first }, { "a A\n", 0 })
  message.kind, message.text, message.place, message.version = "save", "A a\n", 1, "version of " .. map
  luaunit.assertEquals(ask(files, message).fault.message, "a.tmj: found a level of another program, expected text, which can be "
    .. "changed here: crux convert a.tmj --game GAME -o FILE writes it")
end

--- The page opens the first file that holds a level of the game; a file that is chosen opens in any case.
function Engine.test_a_file_without_levels_is_refused_where_it_is_not_chosen()
  local files = { ["a.sh"] = "#!/bin/sh\n", ["b.txt"] = "A a\n\n?\n" }
  local function opened(path, strict) return ask(files, { kind = "file", game = "move", path = path, strict = strict }) end
  luaunit.assertEquals({ #opened("a.sh").levels, #opened("b.txt", true).levels }, { 1, 2 })
  luaunit.assertEquals(opened("a.sh", true).fault.message, "a.sh: found no level, expected levels of the game")
end

function Engine.test_saving_changes_one_level_and_no_other_byte()
  local texts = { ["a.txt"] = file }
  local function save(place, text, version)
    return ask(texts, { kind = "save", game = "move", path = "a.txt", version = version or "version of " .. file, place = place, text = text })
  end
  local written = save(2, "; second\r\nA . a\r\n").write
  luaunit.assertEquals(written, { path = "a.txt", version = "version of " .. file,
    text = "; first\r\nA . a\r\n\r\n; second\r\nA . a\r\n\r\n\r\n; third\r\na A" })
  luaunit.assertEquals(save(nil, "A a").write.text, file .. "\r\n\r\nA a\r\n")
  luaunit.assertStrContains(save(2, "A ?").fault.message, "found '?'")
  luaunit.assertStrContains(save(4, "A a").fault.message, "found no level 4")
  luaunit.assertStrContains(save(1, "A a", "older").fault.message, "a file that changed meanwhile")
  local new = ask({}, { kind = "save", game = "move", path = "new.txt", text = "A a" }).write
  luaunit.assertEquals(new, { path = "new.txt", text = "A a\n" })
end

function Engine.test_the_desk_shows_what_there_is()
  local answer = ask({}, { kind = "desk" })
  luaunit.assertEquals({ answer.named.game, answer.named.rule, answer.files }, { "move", "move", { "a.txt" } })
  local names = {}
  for _, row in ipairs(answer.games) do names[row.name] = row.doc end
  luaunit.assertStrContains(names.sokoban, "Push every box")
end

return Engine
