-- Compiles modules for crux.data: dump.lua FOLDER FILE.lua... writes FOLDER/FILE.lua as bytecode without a name, which
-- src/host/module_searcher.c puts in.
local folder = table.remove(arg, 1)
for _, path in ipairs(arg) do
  local source <close> = assert(io.open(path, "rb"))
  local target <close> = assert(io.open(folder .. "/" .. path, "wb"))
  assert(target:write(string.dump(assert(load(source:read "a", "", "t")), true)))
end
