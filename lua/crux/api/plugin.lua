--- What crux.so runs in a Lua that is not crux's own, with the folder of crux's files: require finds the modules of crux there,
--- and nothing else of the state changes.
local home = ...

local templates = ("%s/lua/?.lua;%s/lua/?/init.lua"):format(home, home)

package.loaded["libcrux.home"] = home

--- In front of the state's own searchers: another folder named crux on its path must not get in between.
table.insert(package.searchers, 2, function(name)
  if not name:find "^crux%." then return nil end
  local path, problem = package.searchpath(name, templates)
  if not path then return problem end
  return assert(loadfile(path, "t")), path
end)

return require "crux.api.library"
