--- What all fuzzers ask of a call: that it goes well, or raises a fault of one line.
local fault = require "crux.base.fault"

--- The result of a call, nil when it raised a fault, which is then the second result; raises an error when what it raised is
--- no fault of one line of UTF-8.
return function(f, ...)
  local ok, result = pcall(f, ...)
  if ok then return result end
  if not fault.is(result) then error(type(result) == "table" and result.message or result, 0) end
  if result.message:find "%c" or not utf8.len(result.message) then error("a message of several lines: " .. result.message, 0) end
  return nil, result
end
