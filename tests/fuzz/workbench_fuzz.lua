--- The workbench's engine: messages in JSON get an answer that is JSON, or a fault of one line. Those of the views Set, Formula and
--- Script may fail otherwise, as the server tells that, too; but nothing may end the process.
local engines = require "crux.workbench.engine"
local fault = require "crux.base.fault"
local json = require "crux.base.json"
local json_reader = require "crux.base.json_reader"
local lists = require "crux.base.lists"

local texts = { ["a.txt"] = "; one\nA . a\n\n; two\nA a\n", ["b.txt"] = "A.B\n...\nA.B\n", ["c.xsb"] = "######\n#@ $.#\n######\n" }

local engine = engines.new { named = { game = "move" }, list = function() return lists.keys(texts) end, read = function(path)
  return texts[path] or fault.at(tostring(path), "no such file", "a file"), "version"
end }

local strict = lists.set { "desk", "file", "level", "save", "draw", "changes", "play", "step" }
local slow = lists.set { "suggestions", "make", "fit", "compare" } -- seconds each

return function(text)
  local is_json, message = fault.catch(json_reader.read, text, "fuzz")
  if not is_json or type(message) ~= "table" or slow[message.kind] then return end
  message.seconds = 0.1
  local ok, answer = pcall(engine.answer, engine, message)
  if not ok and not strict[message.kind] then return end
  if not ok then error(type(answer) == "table" and answer.message or answer, 0) end
  assert(not answer.fault or not answer.fault.message:find "%c", "a message of several lines")
  json.encode(json.of(answer, 20))
end
