--- The tasks that list games and rules: crux's own, then scripts of this kind in the current folder.
local file_system = require "libcrux.files"
local formats = require "crux.out.formats"
local home = require "libcrux.home"
local lists = require "crux.base.lists"
local natural = require "crux.base.natural"
local script = require "crux.script.script"
local sizes = require "libcrux.sizes"
local text_file = require "crux.base.text_file"

--- What a script says that it is: its field `doc`, else the comment that it begins with.
local function doc_of(text)
  local doc = text:match '%f[%w]doc = "(.-[^\\])"'
  return doc and doc:gsub("\\(.)", "%1") or text:match "^%-%-+ *([^\n]*)" or ""
end

---@param list { summary: string, kind: "game"|"rule", ways: string[] }   ways: patterns; the text of such a script has one
---@return Task
return function(list)
  local kind = list.kind
  local function run()
    local rows = lists.map(script.names(kind), function(name)
      local text = text_file.read(("%s/%ss/%s.lua"):format(home, kind, name), sizes.script_bytes, "a script")
      return { [kind] = name, doc = doc_of(text) }
    end)
    local names = lists.select(file_system.list "." or {}, function(name) return name:find "%.lua$" ~= nil end)
    natural.sort(names)
    for _, name in ipairs(names) do
      local ok, text = pcall(text_file.read, name, sizes.script_bytes, "a script")
      local is_one = ok and #lists.select(list.ways, function(pattern) return text:find(pattern) end) > 0
      if is_one then table.insert(rows, { [kind] = name, doc = doc_of(text) }) end
    end
    return { tables = { { columns = formats.columns { kind, "doc" }, rows = rows } } }
  end
  return {
    summary = list.summary,
    details = ("Lists crux's own %ss by name and the %s scripts in this folder by file, each with what it says of itself.")
      :format(kind, kind),
    arguments = {},
    options = { "output", "format" },
    examples = { ("crux %ss"):format(kind), ("crux %ss --format csv"):format(kind) },
    run = run,
  }
end
