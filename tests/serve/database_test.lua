--- Tests of libcrux.database.
local luaunit = require "luaunit"
local shell = require "shell"

local Database = {}

local function opened(name)
  if not package.preload["libcrux.database"] then luaunit.skip "built without crux serve" end
  return assert(require("libcrux.database").open(shell.path(name), true))
end

function Database.test_values_come_back()
  local db <close> = opened "values.db"
  luaunit.assertEquals(db:run "CREATE TABLE t (a, b, c, d, e)", {})
  luaunit.assertEquals(db:run("INSERT INTO t VALUES (?, ?, ?, ?, ?)", math.mininteger, 0.1, "a\0ü", nil, true), {})
  luaunit.assertEquals(db:run "SELECT * FROM t", { { a = math.mininteger, b = 0.1, c = "a\0ü", e = 1 } })
  luaunit.assertEquals(db:run("SELECT count(*) AS n FROM t WHERE c = ?", "' OR 1=1 --"), { { n = 0 } })
end

--- Commits survive the program and the machine, as SQLite waits for the journal.
function Database.test_settings()
  local db <close> = opened "settings.db"
  luaunit.assertEquals(db:run "PRAGMA journal_mode", { { journal_mode = "wal" } })
  luaunit.assertEquals(db:run "PRAGMA synchronous", { { synchronous = 2 } })
  luaunit.assertEquals(db:run "PRAGMA foreign_keys", { { foreign_keys = 1 } })
end

function Database.test_refuses()
  local database = opened "refuses.db"
  local function says(sql, message, ...) luaunit.assertEquals({ database:run(sql, ...) }, { nil, message }) end
  local path = shell.path "refuses.db"
  says("SELEC 1", path .. ': near "SELEC": syntax error')
  says("SELECT 1; SELECT 2", "found no statement of SQL or several, expected one")
  says("", "found no statement of SQL or several, expected one")
  says("SELECT ?", path .. ": column index out of range", 1, 2)
  luaunit.assertEquals(database:run "SELECT 1 AS one", { { one = 1 } })
  database:close()
  luaunit.assertErrorMsgContains("the database was closed", database.run, database, "SELECT 1")
  local open = require("libcrux.database").open
  luaunit.assertEquals({ open(shell.path "none.db") }, { nil, shell.path "none.db" .. ": unable to open database file" })
  local text = shell.file("text.db", ("no database "):rep(100))
  luaunit.assertEquals({ open(text) }, { nil, text .. ": file is not a database" })
end

return { Database = Database }
