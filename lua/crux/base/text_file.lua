--- Files that are read whole: their text, within a size.
local fault = require "crux.base.fault"
local system = require "libcrux.system"

local text_file = {}

local chunk_size = 1 << 16 -- bytes

--- All that is left of an open file; nil when it has more than `most` bytes. A folder, which can be opened, is a fault.
local function read_all(file, path, most, expected)
  local chunks, size = {}, 0
  while size <= most do
    local chunk, problem = file:read(chunk_size)
    if problem then fault.at(path, "a folder", expected) end
    if not chunk then return table.concat(chunks) end
    table.insert(chunks, chunk)
    size = size + #chunk
  end
end

--- The text of a file, or of standard input for "-".
---@param path string
---@param most integer       bytes
---@param expected string    what the file should be, such as "a level file"
---@return string
function text_file.read(path, most, expected)
  local text
  if path == "-" then
    text = read_all(io.stdin, "<stdin>", most, expected)
  else
    local file <close> = fault.check(system.open_input(path))
    text = read_all(file, path, most, expected)
  end
  return text or fault.too_large(path == "-" and "<stdin>" or path, expected, most, "byte")
end

return text_file
