--- What crux.so runs in a Lua that is not crux's own, with the folder of crux's files: require finds the modules of crux there,
--- and nothing else of the state changes.
local home = ...

local templates = ("%s/lua/?.lua;%s/lua/?/init.lua"):format(home, home)

package.loaded["libcrux.home"] = home

--- In front of the state's own searchers: crux's modules come from nowhere else, such as a folder named crux on its path.
table.insert(package.searchers, 2, function(name)
  if not name:find "^crux%." then return nil end
  local path, problem = package.searchpath(name, templates)
  if not path then error(("module '%s' not found:\n\t%s"):format(name, problem), 0) end
  return assert(loadfile(path, "t")), path
end)

--- A path without its templates that depend on the current folder.
local function absolute(path)
  return (path:gsub("[^;]+", function(template) return template:sub(1, 1) ~= "/" and "" or nil end))
end

-- What is not crux's own is loaded here: Lua would look for a lpeg.lua of the current folder before the system's lpeg.so.
local path, cpath = package.path, package.cpath
package.path, package.cpath = absolute(path), absolute(cpath)
local is_loaded, problem = pcall(require, "lpeg")
package.path, package.cpath = path, cpath
if not is_loaded then error(problem, 0) end

return require "crux.api.library"
