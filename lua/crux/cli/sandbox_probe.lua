-- Runs as a user's script: tries forbidden operations, and returns true for each that succeeded.
local probes = {}

local function try(what, action)
  local ok, result = pcall(action)
  table.insert(probes, { what, ok and result ~= nil and result ~= false })
end

try("read and write files (io)", function() return io end)
try("start programs, remove files (os)", function() return os end)
try("look behind functions (debug)", function() return debug end)
try("load C libraries (package)", function() return package end)
try("run files (dofile, loadfile)", function() return dofile or loadfile end)
try("reach crux's own modules (require)", function() return require "libcrux.files" end)
try("run bytecode (load)", function() return load(string.dump(function() end)) end)
try("stop the garbage collector", function() return collectgarbage "stop" end)
try("change strings for all (getmetatable)", function() return getmetatable("").__index end)
try("leave the environment (_G)", function() return _G.io end)

return probes
