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
    .. "skipped,losses,lost_by,tutorial\n7,one,1,1,5,1.5,2,1,0,0,,0\n")
  local open <close> = store.open(path, false)
  luaunit.assertEquals(open:first "PRAGMA user_version", { user_version = 2 })
  luaunit.assertEquals(open:run "SELECT * FROM player", { { id = 7, token = "digest", began = 1000, seen = 2000, acts = 2,
    came_by = "public", knows_game = 0 } })
  luaunit.assertEquals({ open:run "SELECT * FROM link", open:run "SELECT * FROM level_answer" }, { {}, {} })
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
    { false, path .. ": found tables of version 99, expected at most 2: a newer crux made them" })
end

return { Store = Store }
