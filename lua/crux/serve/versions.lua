--- Versions of a study in its database: what players agreed to, and what they were asked.
local fault = require "crux.base.fault"
local tokens = require "crux.serve.tokens"

local versions = {}

--- Raises a fault if the ratings or the questions are not those of the version before.
local function expect_same(store, study, before)
  local function differs(part, found, expected)
    fault.at(("%s: %s"):format(store.path, part), found,
      ("%s, as in version %d of the study, or --new-version"):format(expected, before.id))
  end
  if study.scale ~= before.scale then differs("scale of ratings", study.scale, before.scale) end
  if study.questions == before.questions then return end
  local changed = store:first([[SELECT json_extract(value, '$.name') AS name FROM
    (SELECT value FROM json_each(?1) UNION ALL SELECT value FROM json_each(?2)) GROUP BY value HAVING count(*) = 1
    ORDER BY name]], study.questions, before.questions)
  differs(changed and ("question '%s'"):format(changed.name) or "questions", changed and "a change" or "another order", "none")
end

--- The number of the version of a study, which is noted unless it is the last one. In a database with plays the scale and the
--- questions may not differ from the last version's unless that is wanted.
---@param study StudyVersion
---@param may_differ boolean?
---@param now integer   ms
function versions.note(store, study, may_differ, now)
  local file <close> = fault.check(io.open(study.source, "rb"))
  local row = { script = tokens.digest(file:read "a"), scale = study.scale, per_player = study.per_player,
    consent = study.consent, questions = study.questions }
  local before, is_same = store:first "SELECT * FROM version ORDER BY id DESC LIMIT 1", true
  if before and not may_differ and store:first "SELECT 1 FROM play WHERE version IS NOT NULL" then
    expect_same(store, study, before)
  end
  for _, field in ipairs { "script", "scale", "per_player", "consent", "questions" } do
    is_same = is_same and before ~= nil and before[field] == row[field]
  end
  if is_same then return before.id end
  return store:first([[INSERT INTO version (began, script, scale, per_player, consent, questions) VALUES (?, ?, ?, ?, ?, ?)
    RETURNING id]], now, row.script, row.scale, row.per_player, row.consent, row.questions).id
end

--- Tells whether a level that was begun in a version is rated, and asked about, as in another one.
function versions.ask_alike(store, one, other)
  return store:first("SELECT count(DISTINCT scale || questions) AS n FROM version WHERE id IN (?, ?)", one, other).n < 2
end

return versions
