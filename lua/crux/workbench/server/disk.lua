--- The process of `crux workbench` that writes files: below one folder, each whole or not at all, and never over a file that
--- changed meanwhile. It runs no script, as it has no wall of system calls.
local digest = require "libcrux.digest"
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local sinks = require "crux.out.sinks"
local sizes = require "libcrux.sizes"
local text_file = require "crux.base.text_file"

--- Refuses a path that does not lead to a file below the folder. The folder of the file must exist.
local function check_place(path, folder)
  local parent = file_system.resolve(path:match "^(.*)/[^/]*$" or ".")
  local target = file_system.resolve(path)
  local function is_below(place) return place and (place .. "/"):sub(1, #folder + 1) == folder .. "/" end
  if not is_below(parent) or target and not is_below(target) or path:find "[%c]" or path:find "/$" then
    fault.at(path, "a place outside of " .. folder, "a file below it")
  end
end

--- The version of what is written now; nil if there is no file.
local function version_of(path)
  if file_system.is_regular(path) == nil then return nil end
  return digest.text(text_file.read(path, sizes.level_file_bytes, "a text file"))
end

--- Returns a function that writes a file { path, text, version } below a folder, and returns the new version. The version is
--- that of the text which the new one replaces, nil if there is no file.
---@param folder string   where the program was started; paths begin there
return function(folder)
  return function(file)
    check_place(file.path, folder)
    if version_of(file.path) ~= file.version then
      fault.at(file.path, "a file that changed meanwhile", "it as it was; load it again")
    end
    sinks.save(file.path, file.text)
    return digest.text(file.text)
  end
end
