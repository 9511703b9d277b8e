--- Reading a whole text file of limited size.
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"

local text_file = {}

local chunk_size = 1 << 16 -- bytes

--- Reads an open file to its end; nil when it has more than `limit` bytes. A folder, which can be opened, is a fault.
local function read_all(file, path, limit, expected)
  local chunks, size = {}, 0
  while size <= limit do
    local chunk, problem = file:read(chunk_size)
    if problem then fault.at(path, "a folder", expected) end
    if not chunk then return table.concat(chunks) end
    table.insert(chunks, chunk)
    size = size + #chunk
  end
end

--- The text of a file, or of standard input for "-".
---@param limit integer     bytes
---@param expected string   what the file should be, such as "a level file"
function text_file.read(path, limit, expected)
  local text
  if path == "-" then
    text = read_all(io.stdin, "<stdin>", limit, expected)
  else
    local file <close>, problem = file_system.open_input(path)
    if not file then fault.raise(problem .. require("crux.base.missing").hint(path, problem)) end
    text = read_all(file, path, limit, expected)
  end
  return text or fault.too_large(path == "-" and "<stdin>" or path, expected, limit, "byte")
end

return text_file
