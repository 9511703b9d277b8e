--- Runs when another Lua state loads crux.so, with the folder of crux's files as argument: makes require find the modules of
--- crux there, and changes nothing else of the state.
local home = ...

local templates = ("%s/lua/?.lua;%s/lua/?/init.lua"):format(home, home)

package.loaded["libcrux.home"] = home

--- A searcher before the state's own ones, so that no folder named crux on its path takes the place of crux's modules.
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

-- LPeg is loaded without the current folder on the path: a lpeg.lua there would take the place of the system's lpeg.so.
local path, cpath = package.path, package.cpath
package.path, package.cpath = absolute(path), absolute(cpath)
local is_loaded, problem = pcall(require, "lpeg")
package.path, package.cpath = path, cpath
if not is_loaded then error(problem, 0) end

return require "crux.api.library"
