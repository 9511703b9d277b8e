--- The database of a study in browsers; docs/serve.md documents its tables. Times are in milliseconds since 1970.
local fault = require "crux.base.fault"
local tokens = require "crux.serve.tokens"

local store = {}

---@class Store
---@field path string
---@field private database userdata   of libcrux.database
---@field private is_open boolean     a transaction is open
local Store = {}
Store.__index = Store

--- The statement that makes the table of attempts.
---@param moves_used string   the type of this column
---@param further string      columns at the end
local function create_attempt(moves_used, further)
  return ([[CREATE TABLE attempt (
        player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE,
        position INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        rating INTEGER,
        enjoyment INTEGER,
        time REAL NOT NULL,
        moves_used %s,
        solved INTEGER NOT NULL,
        skipped INTEGER NOT NULL,
        losses INTEGER NOT NULL,
        lost_by TEXT,%s
        PRIMARY KEY (player, position, attempt)) WITHOUT ROWID]]):format(moves_used, further)
end

--- The steps from each version of the tables to the next; PRAGMA user_version is the number of steps that were made.
local migrations = {
  { [[CREATE TABLE level (
        name TEXT PRIMARY KEY,
        checksum TEXT NOT NULL,
        tutorial INTEGER NOT NULL)]],
    [[CREATE TABLE player (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        token TEXT NOT NULL UNIQUE,
        began INTEGER NOT NULL,
        seen INTEGER NOT NULL,
        acts INTEGER NOT NULL)]],
    [[CREATE TABLE answer (
        player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE,
        item TEXT NOT NULL,
        answer TEXT NOT NULL,
        PRIMARY KEY (player, item)) WITHOUT ROWID]],
    [[CREATE TABLE play (
        player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE,
        position INTEGER NOT NULL,
        level TEXT NOT NULL REFERENCES level,
        began INTEGER NOT NULL,
        ended INTEGER,
        PRIMARY KEY (player, position),
        UNIQUE (player, level)) WITHOUT ROWID]],
    [[CREATE TABLE act (
        player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE,
        number INTEGER NOT NULL,
        position INTEGER NOT NULL,
        act TEXT NOT NULL,
        value TEXT NOT NULL,
        result TEXT NOT NULL,
        client_ms INTEGER NOT NULL,
        server_ms INTEGER NOT NULL,
        PRIMARY KEY (player, number)) WITHOUT ROWID]],
    create_attempt("INTEGER NOT NULL", ""),
    "CREATE INDEX play_by_level ON play (level)" },
  { "ALTER TABLE player ADD COLUMN came_by TEXT NOT NULL DEFAULT 'public'",
    "ALTER TABLE player ADD COLUMN knows_game INTEGER NOT NULL DEFAULT 0",
    "CREATE TABLE link (token TEXT PRIMARY KEY) WITHOUT ROWID",
    [[CREATE TABLE level_answer (
        player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE,
        position INTEGER NOT NULL,
        item TEXT NOT NULL,
        answer TEXT NOT NULL,
        PRIMARY KEY (player, position, item)) WITHOUT ROWID]] },
  { [[CREATE TABLE version (
        id INTEGER PRIMARY KEY,
        began INTEGER NOT NULL,
        script TEXT NOT NULL,
        scale TEXT NOT NULL,
        per_player INTEGER,
        consent TEXT NOT NULL,
        questions TEXT NOT NULL)]],
    "ALTER TABLE play ADD COLUMN version INTEGER REFERENCES version",
    "ALTER TABLE act ADD COLUMN input TEXT",
    "ALTER TABLE attempt RENAME TO ended_attempt",
    create_attempt("INTEGER", "began INTEGER, ended INTEGER, input TEXT,"),
    [[INSERT INTO attempt SELECT ended_attempt.*,
        CASE WHEN attempt = 1 AND came_by <> 'import' THEN play.began END,
        (SELECT server_ms FROM act WHERE act.player = play.player AND act.position = play.position
          AND result = CASE WHEN solved THEN 'solved' WHEN skipped THEN 'skipped' END), NULL
      FROM ended_attempt JOIN play USING (player, position) JOIN player ON player.id = play.player]],
    -- Attempts that go on had no row: their acts tell all but the moves, which `crux serve` counts when it knows the game.
    [[INSERT INTO attempt
      WITH timed AS (
        SELECT act.*, max(0, min(client_ms, server_ms - lag(server_ms, 1, play.began) OVER acts)) AS ms,
          coalesce(max(result IN ('solved', 'skipped')) OVER (acts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
            AS asked,
          row_number() OVER (PARTITION BY act.player, act.position ORDER BY number DESC) = 1 AS is_last
        FROM act JOIN play USING (player, position) WHERE ended IS NULL
        WINDOW acts AS (PARTITION BY act.player, act.position ORDER BY number)),
      earlier AS (
        SELECT player, position, count(*) AS n, sum(time) AS time, sum(losses) AS losses FROM ended_attempt GROUP BY 1, 2)
      SELECT player, position, 1 + coalesce(n, 0),
        (SELECT CAST(value AS INTEGER) FROM act WHERE act.player = timed.player AND act.position = timed.position
          AND act = 'answer' ORDER BY number LIMIT 1),
        NULL, max(0, round(sum(ms) FILTER (WHERE NOT asked) / 1000.0 - coalesce(earlier.time, 0), 1)), NULL,
        max(result = 'solved'), max(result = 'skipped'), sum(result = 'lost') - coalesce(earlier.losses, 0), NULL,
        CASE WHEN n IS NULL THEN play.began END, max(server_ms) FILTER (WHERE NOT asked), NULL
      FROM timed JOIN play USING (player, position) LEFT JOIN earlier USING (player, position)
      GROUP BY player, position HAVING n IS NULL OR NOT max(is_last AND act = 'key' AND value = 'r')]], -- a restart ends one
    "DROP TABLE ended_attempt" },
  { [[CREATE TABLE identifier (
        player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE,
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (player, name)) WITHOUT ROWID]] },
  { "DROP INDEX play_by_level",
    "ALTER TABLE play RENAME TO former_play",
    "ALTER TABLE level RENAME TO former_level",
    [[CREATE TABLE level (
        block TEXT NOT NULL,
        name TEXT NOT NULL,
        checksum TEXT NOT NULL,
        tutorial INTEGER NOT NULL,
        PRIMARY KEY (block, name)) WITHOUT ROWID]],
    [[CREATE TABLE play (
        player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE,
        position INTEGER NOT NULL,
        block TEXT NOT NULL DEFAULT '',
        level TEXT NOT NULL,
        began INTEGER NOT NULL,
        ended INTEGER,
        version INTEGER REFERENCES version,
        PRIMARY KEY (player, position),
        UNIQUE (player, block, level),
        FOREIGN KEY (block, level) REFERENCES level (block, name)) WITHOUT ROWID]],
    "INSERT INTO level SELECT '', name, checksum, tutorial FROM former_level",
    "INSERT INTO play SELECT player, position, '', level, began, ended, version FROM former_play",
    "DROP TABLE former_play",
    "DROP TABLE former_level",
    "CREATE INDEX play_by_level ON play (block, level)",
    "ALTER TABLE player ADD COLUMN condition TEXT",
    "ALTER TABLE player ADD COLUMN blocks TEXT",
    "ALTER TABLE player ADD COLUMN outcome TEXT",
    [[UPDATE player SET outcome = 'finished' WHERE came_by <> 'import'
        AND NOT EXISTS (SELECT * FROM play WHERE play.player = player.id AND ended IS NULL)]],
    [[CREATE TABLE visit (
        player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE,
        block TEXT NOT NULL,
        page INTEGER NOT NULL,
        try INTEGER NOT NULL,
        began INTEGER NOT NULL,
        ended INTEGER,
        wrong TEXT,
        PRIMARY KEY (player, block, page, try)) WITHOUT ROWID]],
    "CREATE TABLE researcher (token TEXT NOT NULL)" },
}

--- Runs a statement of SQL and returns its rows.
---@param ... string|number|boolean|nil   its parameters
function Store:run(sql, ...) return fault.check(self.database:run(sql, ...)) end

--- Runs a statement of SQL and returns its first row.
---@return table?
function Store:first(sql, ...) return self:run(sql, ...)[1] end

--- Calls a function in a transaction, or in a part of the one that is open; an error undoes what the function did.
---@return any ...   what the function returns
function Store:atomically(f, ...)
  local is_part = self.is_open
  self:run(is_part and "SAVEPOINT part" or "BEGIN IMMEDIATE")
  self.is_open = true
  local results = table.pack(pcall(function(...)
    local values = table.pack(f(...))
    self:run(is_part and "RELEASE part" or "COMMIT")
    return table.unpack(values, 1, values.n)
  end, ...))
  self.is_open = is_part
  if results[1] then return table.unpack(results, 2, results.n) end
  self.database:run(is_part and "ROLLBACK TO part" or "ROLLBACK") -- fails if SQLite did so itself
  if is_part then self.database:run "RELEASE part" end
  error(results[2], 0)
end

--- Adds a player and returns the number.
---@param digest string   of the token
---@param person { came_by: "public"|"link"|"import", knows_game: boolean, condition: string?, blocks: string? }
---@param now integer     ms
function Store:add_player(digest, person, now)
  return self:first([[INSERT INTO player (token, began, seen, acts, came_by, knows_game, condition, blocks)
    VALUES (?1, ?2, ?2, 0, ?3, ?4, ?5, ?6) RETURNING id]], digest, now, person.came_by, person.knows_game, person.condition,
    person.blocks).id
end

--- Deletes players who have done nothing since a time, in milliseconds, with all that is kept about them.
---@return integer   how many
function Store:forget_before(time)
  return #self:run("DELETE FROM player WHERE seen < ? RETURNING id", time)
end

--- The token of the page for researchers, which is made when it is first asked for.
---@return string
function Store:researcher()
  local row = self:first "SELECT token FROM researcher"
  if row then return row.token end
  local token = fault.check(tokens.new())
  self:run("INSERT INTO researcher VALUES (?)", token)
  return token
end

--- Removes from the disk what was deleted: the write-ahead log would keep it for a while.
function Store:clean() self:run "PRAGMA wal_checkpoint(TRUNCATE)" end

--- Makes the tables of this version of crux.
local function migrate(self)
  local version = self:first("PRAGMA user_version").user_version
  if version > #migrations then
    fault.at(self.path, ("tables of version %d"):format(version), ("at most %d: a newer crux made them"):format(#migrations))
  end
  for step = version + 1, #migrations do
    for _, sql in ipairs(migrations[step]) do self:run(sql) end
    self:run(("PRAGMA user_version = %d"):format(step))
  end
end

--- Raises a fault if this crux was built without studies in browsers.
function store.expect_built()
  if not package.preload["libcrux.database"] then
    fault.raise "this crux was built without libmicrohttpd-dev or libsqlite3-dev, which crux serve and crux workbench need"
  end
end

--- Opens a database. Use with <close>.
---@param makes boolean   a new one unless it is there
---@return Store
function store.open(path, makes)
  store.expect_built()
  local database = fault.check(require("libcrux.database").open(path, makes))
  local self = setmetatable({ path = path, database = database, is_open = false }, Store)
  self:atomically(migrate, self)
  return self
end

function Store:__close() self.database:close() end

return store
