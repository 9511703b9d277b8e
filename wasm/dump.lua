-- Compiles modules for crux.data: dump.lua FOLDER FILE.lua... writes FOLDER/FILE.lua as bytecode without a name, which
-- src/host/module_searcher.c puts in. Some stay text, as crux reads the text of a function that a `step` or a walk's `back`
-- calls (lua/crux/symbolic/sources.lua), and searches in Lua where it finds none.
local texts <const> = { "/kits/", "/game/walk.lua", "/search/pushes.lua" }

local function stays_text(path)
  for _, part in ipairs(texts) do
    if path:find(part, 1, true) then return true end
  end
end

local folder = table.remove(arg, 1)
for _, path in ipairs(arg) do
  local source <close> = assert(io.open(path, "rb"))
  local target <close> = assert(io.open(folder .. "/" .. path, "wb"))
  local text = source:read "a"
  assert(target:write(stays_text(path) and text or string.dump(assert(load(text, "", "t")), true)))
end
