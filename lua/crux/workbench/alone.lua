--- The workbench in a page without a server: an engine in a Worker, whose files are in its own memory. The page
--- (web/workbench/alone.js) puts them there, and keeps what is written.
local disk = require "crux.workbench.server.disk"
local fault = require "crux.base.fault"
local json = require "crux.base.json"
local json_reader = require "crux.base.json_reader"
local worker = require "crux.workbench.server.worker"

local alone = {}

local folder <const> = "/files"

local answer, write

--- Answers an item { setup, message } of crux.workbench.server.worker, as texts of JSON. Where a file was written, the answer
--- has its new `version`, and its path as `wrote`.
---@param text string
---@return string
function alone.answer(text)
  answer, write = answer or worker(), write or disk(folder)
  local result = answer(json_reader.read(text, "message"))
  if not result.write then return result.body end
  local ok, version = fault.catch(write, result.write)
  return json.encode(ok and json.object { { "version", version }, { "wrote", result.write.path } }
    or json.object { { "fault", json.object { { "message", version.message } } } })
end

--- The files of the page, as JSON of texts by path; see crux.serve.pages.
function alone.page()
  local texts = {}
  for path, file in pairs(require("crux.serve.pages").files("workbench", "index.html")) do texts[path] = file.text end
  return json.encode(json.by_name(texts))
end

return alone
