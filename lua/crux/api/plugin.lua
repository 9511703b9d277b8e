--- crux.so requires this module in a Lua that is not crux's own; it returns what `require "crux"` gives.

--- A path without its templates that depend on the current folder.
local function absolute(path)
  return (path:gsub("[^;]+", function(template) return template:sub(1, 1) ~= "/" and "" or nil end))
end

-- Modules of others are loaded here: Lua would look for a lpeg.lua of the current folder before the system's lpeg.so.
local path, cpath = package.path, package.cpath
package.path, package.cpath = absolute(path), absolute(cpath)
local is_loaded, problem = pcall(require, "lpeg")
package.path, package.cpath = path, cpath
if not is_loaded then error(problem, 0) end

return require "crux.api.library"
