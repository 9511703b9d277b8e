--- A folder of somebody who wants crux to run what lies there.
local luaunit = require "luaunit"
local shell = require "shell"

local hostile_folder = {}

local root = shell.output "pwd":match "[^\n]+"
local mark = shell.path "hostile-code-was-run"

--- Makes the folder: it holds files of the names by which crux is started or loaded, and Lua files that leave a mark when they are
--- run, of the names of crux's own and of the libraries that it needs. Returns its path.
function hostile_folder.folder()
  local folder = shell.folder "hostile"
  os.remove(mark)
  shell.output(("cp -r lua %s"):format(folder))
  local modules = shell.output(("cd %s && find lua -name '*.lua'"):format(folder))
  for name in ("argparse.lua\nlpeg.lua\n" .. modules):gmatch "[^\n]+" do
    shell.file("hostile/" .. name, ("io.open(%q, 'w'):close()"):format(mark))
  end
  for _, name in ipairs { "crux", "crux-mpi", "editor", "embed", "crux.so", "libcrux.so", "lpeg.so", "libClp.so.1" } do
    shell.file("hostile/" .. name, "")
  end
  return folder
end

--- What a command prints in that folder, with `path` in front of PATH, the checkout as ROOT, and no CRUX_HOME. Expects that all is
--- well, and that nothing of the folder was run.
function hostile_folder.output(command, path)
  local out = shell.output(("cd %s && export ROOT=%s PATH=%s:$PATH && unset CRUX_HOME && %s"):format(hostile_folder.folder(), root, path,
    command))
  luaunit.assertFalse(shell.exists(mark), command)
  return out
end

return hostile_folder
