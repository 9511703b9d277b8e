--- The trees of functions, found in the texts from which they were loaded.
local sources = {}

local function refuse(...) require("crux.symbolic.paths").refuse(...) end

--- Texts of chunks by the source that debug.getinfo tells of their functions.
---@type table<string, string>
local texts = {}

--- By source: its text, and by_lines: its functions in lists, by "first line, last line".
local parsed = {}

--- The trees of functions that were found.
---@type table<function, FunctionNode>
local nodes = setmetatable({}, { __mode = "k" })

--- Keeps the text of a chunk, as it was loaded. A later one takes its place.
---@param source string   as debug.getinfo tells it
---@param text string
function sources.keep(source, text)
  texts[source] = text
end

local function text_of(source, short)
  if texts[source] then return texts[source] end
  if source:sub(1, 1) ~= "@" then return source:sub(1, 1) ~= "=" and source or nil, short end
  local file <close> = io.open(source:sub(2), "rb")
  return file and file:read "a"
end

--- True if a node has the parameters and upvalues that debug tells of a function.
local function is_like(node, f, info)
  if #node.parameters ~= info.nparams or node.is_vararg ~= info.isvararg or #node.free ~= info.nups then return false end
  for i, variable in ipairs(node.free) do
    if debug.getupvalue(f, i) ~= variable.name then return false end
  end
  return true
end

--- The tree of a function alone, without the rest of its text, which takes longer; nil unless its lines tell where it begins,
--- and the text which of its names are no constants.
local function alone(text, f, info)
  local line, last, from = info.linedefined, info.lastlinedefined, 1
  if line < 1 or text:find("\r", 1, true) then return nil end
  for _ = 2, line do from = (text:find("\n", from, true) or #text) + 1 end
  local to = from
  for _ = line, last do to = (text:find("\n", to, true) or #text) + 1 end
  local first = text:match("^[^\n]*", from)
  local before, _, rest = first:match "^(.-)%f[%w_](function)%f[^%w_](.*)"
  if not before or rest:find "%f[%w_]function%f[^%w_]" or first:find "[\x80-\xFF]" then return nil end
  local names = {}
  for i = 1, info.nups do names[i] = debug.getupvalue(f, i) end
  local own = ("\n"):rep(line - 1) .. (" "):rep(#before) .. text:sub(from + #before, to - 1)
  local ok, node, list, globals = pcall(require("crux.symbolic.parser").parse, own, info.short_src, names)
  if not ok or node.line ~= line or node.last_line ~= last or not is_like(node, f, info) then return nil end
  for name in next, globals do
    if text:find("%f[%w_]" .. name .. "%s*[<-]") then return nil end -- perhaps <const>
  end
  for _, inner in ipairs(list) do inner.path = info.short_src end
  return node
end

--- The functions of a list by their lines.
local function add(by_lines, list, short)
  for _, node in ipairs(list) do
    local lines = ("%d %d"):format(node.line, node.last_line)
    node.path = short
    by_lines[lines] = by_lines[lines] or {}
    table.insert(by_lines[lines], node)
  end
end

--- The functions of a source's text on the lines of a function. A file may have changed since it was read.
local function functions_of(f, info, lines)
  local source, short = info.source, info.short_src
  local text = text_of(source, short)
  if not text then refuse(("a function of %s, whose text is not known"):format(short), "one of a file") end
  local known = parsed[source]
  if not known or known.text ~= text then
    known = { text = text, alone = {} }
    parsed[source] = known
  end
  if not known.by_lines then
    known.alone[lines] = known.alone[lines] or alone(text, f, info)
    if known.alone[lines] then return { known.alone[lines] } end
    known.by_lines = {}
    add(known.by_lines, select(2, require("crux.symbolic.parser").parse(text:gsub("^#[^\n]*", ""), short)), short)
  end
  return known.by_lines[lines]
end

--- The tree of a function in Lua; refuses one whose text is not known, or that cannot be told from another on its line.
---@param f function
---@return FunctionNode
function sources.node_of(f)
  if nodes[f] then return nodes[f] end
  local info, found = debug.getinfo(f, "Su"), {}
  local lines = ("%d %d"):format(math.max(info.linedefined, 0), math.max(info.lastlinedefined, 0))
  if info.what == "main" then lines = "0 0" end
  for _, node in ipairs(functions_of(f, info, lines) or {}) do
    if is_like(node, f, info) then table.insert(found, node) end
  end
  local at = { path = info.short_src, line = info.linedefined, column = found[1] and found[1].column or 1 }
  if #found > 1 then refuse("several functions on one line with the same variables", "one on each line", at) end
  if #found == 0 then refuse("a function that its text has not", "the text from which it was loaded", at) end
  nodes[f] = found[1]
  return found[1]
end

--- Functions for which others stand.
---@type table<function, function>
local originals = setmetatable({}, { __mode = "k" })

--- Notes that a function does what another does, within bounds, or as a profile is taken.
function sources.stands_for(f, original) originals[f] = original end

function sources.original(f) return originals[f] or f end

return sources
