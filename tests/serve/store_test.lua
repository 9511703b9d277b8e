--- Tests of crux.serve.store: databases of earlier versions, and of later ones.
local luaunit = require "luaunit"
local shell = require "shell"
local store = require "crux.serve.store"

local Store = {}

--- The tables of version 1, with a player who has solved a level.
local version_1 = [[
CREATE TABLE level (name TEXT PRIMARY KEY, checksum TEXT NOT NULL, tutorial INTEGER NOT NULL);
CREATE TABLE player (id INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT NOT NULL UNIQUE, began INTEGER NOT NULL,
  seen INTEGER NOT NULL, acts INTEGER NOT NULL);
CREATE TABLE answer (player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE, item TEXT NOT NULL, answer TEXT NOT NULL,
  PRIMARY KEY (player, item)) WITHOUT ROWID;
CREATE TABLE play (player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE, position INTEGER NOT NULL,
  level TEXT NOT NULL REFERENCES level, began INTEGER NOT NULL, ended INTEGER, PRIMARY KEY (player, position),
  UNIQUE (player, level)) WITHOUT ROWID;
CREATE TABLE act (player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE, number INTEGER NOT NULL,
  position INTEGER NOT NULL, act TEXT NOT NULL, value TEXT NOT NULL, result TEXT NOT NULL, client_ms INTEGER NOT NULL,
  server_ms INTEGER NOT NULL, PRIMARY KEY (player, number)) WITHOUT ROWID;
CREATE TABLE attempt (player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE, position INTEGER NOT NULL,
  attempt INTEGER NOT NULL, rating INTEGER, enjoyment INTEGER, time REAL NOT NULL, moves_used INTEGER NOT NULL,
  solved INTEGER NOT NULL, skipped INTEGER NOT NULL, losses INTEGER NOT NULL, lost_by TEXT,
  PRIMARY KEY (player, position, attempt)) WITHOUT ROWID;
CREATE INDEX play_by_level ON play (level);
INSERT INTO level VALUES ('one', 'sum', 0);
INSERT INTO player VALUES (7, 'digest', 1000, 2000, 2);
INSERT INTO answer VALUES (7, 'age', '20');
INSERT INTO play VALUES (7, 1, 'one', 1000, 2000);
INSERT INTO attempt VALUES (7, 1, 1, 5, NULL, 1.5, 2, 1, 0, 0, NULL);
PRAGMA user_version = 1;
]]

--- A database of the statements.
local function database(name, statements)
  if not package.preload["libcrux.database"] then luaunit.skip "built without crux serve" end
  local db <close> = assert(require("libcrux.database").open(shell.path(name), true))
  for sql in statements:gmatch "[^;]+;" do assert(db:run(sql)) end
  return shell.path(name)
end

function Store.test_converts_a_database_of_version_1()
  local path = database("old.db", version_1)
  luaunit.assertEquals(shell.printed("study export " .. path), "player,level,position,attempt,rating,time,moves_used,solved,"
    .. "skipped,losses,lost_by,tutorial,abandoned,version,began,ended,input\n7,one,1,1,5,1.5,2,1,0,0,,0,0,,1970-01-01T00:00:01.000Z,,\n")
  local open <close> = store.open(path, false)
  luaunit.assertEquals(open:first "PRAGMA user_version", { user_version = 5 })
  luaunit.assertEquals(open:run "SELECT * FROM player", { { id = 7, token = "digest", began = 1000, seen = 2000, acts = 2,
    came_by = "public", knows_game = 0, outcome = "finished" } })
  luaunit.assertEquals({ open:run "SELECT * FROM link", open:run "SELECT * FROM level_answer" }, { {}, {} })
end

--- The tables that version 2 adds, and players who have not gone on: in the middle of a level, after a restart, at the questions.
--- Times count as the page said, but no more than passed at the server, and no longer than until the level is over.
local version_2 = version_1 .. [[
ALTER TABLE player ADD COLUMN came_by TEXT NOT NULL DEFAULT 'public';
ALTER TABLE player ADD COLUMN knows_game INTEGER NOT NULL DEFAULT 0;
CREATE TABLE link (token TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE level_answer (player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE, position INTEGER NOT NULL,
  item TEXT NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (player, position, item)) WITHOUT ROWID;
INSERT INTO level VALUES ('two', 'sum', 0);
INSERT INTO act VALUES (7, 1, 1, 'key', 'right', 'solved', 9000, 1900), (7, 2, 1, 'answer', '5', 'rated', 1, 2000);
INSERT INTO level_answer VALUES (7, 1, 'began', 'late');
INSERT INTO play VALUES (7, 2, 'two', 2000, NULL);
INSERT INTO player VALUES (8, 'middle', 1000, 4500, 4, 'public', 0), (9, 'restarted', 1000, 2000, 2, 'link', 0),
  (10, 'asked', 1000, 9000, 5, 'public', 1), (11, 'ann', 1000, 1000, 0, 'import', 0);
INSERT INTO play VALUES (8, 1, 'one', 1000, NULL), (9, 1, 'one', 1000, NULL), (10, 1, 'two', 1000, NULL), (11, 1, 'two', 1000, 1000);
INSERT INTO act VALUES (8, 1, 1, 'key', 'up', 'lost', 700, 2000), (8, 2, 1, 'key', 'r', '', 400, 2500),
  (8, 3, 1, 'key', 'up', 'lost', 9999, 3000), (8, 4, 1, 'key', 'u', '', 300, 4500),
  (9, 1, 1, 'key', 'left', '', 700, 2000), (9, 2, 1, 'key', 'r', '', 100, 2100),
  (10, 1, 1, 'key', 'right', 'solved', 1500, 3000), (10, 2, 1, 'answer', '6', 'rated', 4000, 9000);
INSERT INTO attempt VALUES (8, 1, 1, NULL, NULL, 1.1, 1, 0, 0, 1, NULL), (9, 1, 1, NULL, NULL, 0.8, 1, 0, 0, 0, NULL),
  (11, 1, 1, 3, 4, 2.5, 1, 1, 0, 0, NULL);
PRAGMA user_version = 2;
]]

--- A database of version 2 loses nothing, and gets rows of attempts that go on.
function Store.test_converts_a_database_of_version_2()
  local path = database("older.db", version_2)
  luaunit.assertEquals(shell.printed("study export " .. path), [[
player,level,position,attempt,rating,enjoyment,time,moves_used,solved,skipped,losses,lost_by,tutorial,abandoned,version,began,ended,input,answer_began
7,one,1,1,5,,1.5,2,1,0,0,,0,0,,1970-01-01T00:00:01.000Z,1970-01-01T00:00:01.900Z,,late
8,one,1,1,,,1.1,1,0,0,1,,0,0,,1970-01-01T00:00:01.000Z,,,
8,one,1,2,,,0.8,,0,0,1,,0,1,,,1970-01-01T00:00:04.500Z,,
9,one,1,1,,,0.8,1,0,0,0,,0,1,,1970-01-01T00:00:01.000Z,,,
10,two,1,1,6,,1.5,,1,0,0,,0,0,,1970-01-01T00:00:01.000Z,1970-01-01T00:00:03.000Z,,
11,two,1,1,3,4,2.5,1,1,0,0,,0,0,,,,,
]])
  local before <close> = assert(require("libcrux.database").open(database("same.db", version_2), false))
  local after <close> = assert(require("libcrux.database").open(path, false))
  for name, by in pairs { level = "name", player = "id", answer = "player", link = "token", play = "player, position",
    act = "player, number", level_answer = "player" } do
    local sql, columns = "SELECT %s FROM " .. name .. " ORDER BY " .. by, {}
    for _, row in ipairs(before:run(("PRAGMA table_info(%s)"):format(name))) do table.insert(columns, row.name) end
    local rows = before:run(sql:format(table.concat(columns, ", ")))
    luaunit.assertEquals(after:run(sql:format(table.concat(columns, ", "))), rows, name)
  end
end

--- A migration that fails leaves the database as it was.
function Store.test_converts_wholly_or_not_at_all()
  local path = database("taken.db", version_1 .. "CREATE TABLE level_answer (a);")
  local ok, problem = pcall(store.open, path, false)
  luaunit.assertEquals({ ok, problem.message:match "table level_answer already exists" },
    { false, "table level_answer already exists" })
  local db <close> = require("libcrux.database").open(path, false)
  luaunit.assertEquals(db:run "PRAGMA user_version", { { user_version = 1 } })
  luaunit.assertEquals(#db:run "PRAGMA table_info(player)", 5)
end

function Store.test_refuses_a_later_version()
  local path = database("new.db", "PRAGMA user_version = 99;")
  local ok, problem = pcall(store.open, path, false)
  luaunit.assertEquals({ ok, problem.message },
    { false, path .. ": found tables of version 99, expected at most 5: a newer crux made them" })
end

return { Store = Store }
