--- The commands that list games and rules: crux's own, then scripts of this kind in the current folder.
local file_system = require "libcrux.files"
local formats = require "crux.out.formats"
local home = require "libcrux.home"
local lists = require "crux.base.lists"
local natural = require "crux.base.natural"
local script = require "crux.script.script"
local sizes = require "libcrux.sizes"
local tables = require "crux.out.tables"
local text_file = require "crux.base.text_file"

local script_list = {}

--- What a script says that it is: its field `doc`, else the comment that it begins with.
local function doc_of(text)
  local doc = text:match '%f[%w]doc = "(.-[^\\])"'
  return doc and doc:gsub("\\(.)", "%1") or text:match "^%-%-+ *([^\n]*)" or ""
end

--- A command that lists scripts.
---@param kind "game"|"rule"
---@param ways string[]   patterns of which the text of such a script has one
function script_list.command(kind, ways)
  local columns = { { key = kind }, { key = "doc" } }
  local function run(args)
    local rows = lists.map(script.names(kind), function(name)
      local text = text_file.read(("%s/%ss/%s.lua"):format(home, kind, name), sizes.script_bytes, "a script")
      return { [kind] = name, doc = doc_of(text) }
    end)
    local names = lists.select(file_system.list "." or {}, function(name) return name:find "%.lua$" ~= nil end)
    natural.sort(names)
    for _, name in ipairs(names) do
      local ok, text = pcall(text_file.read, name, sizes.script_bytes, "a script")
      local is_one = ok and #lists.select(ways, function(pattern) return text:find(pattern) end) > 0
      if is_one then table.insert(rows, { [kind] = name, doc = doc_of(text) }) end
    end
    tables.save(args.output, formats.choose(args.format, args.output, "table"), columns, rows)
  end
  return {
    details = ("Lists crux's own %ss by name and the %s scripts in this folder by file, each with what it says of itself.")
      :format(kind, kind),
    options = { "output", "format" },
    examples = { ("crux %ss"):format(kind), ("crux %ss --format csv"):format(kind) },
    run = run,
  }
end

return script_list
