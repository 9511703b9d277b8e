--- HTML from templates and tables; text from files is escaped.
---
--- A template has tags of Mustache: {{name}} is the value, escaped; {{{name}}} is the value as HTML; the part between
--- {{#name}} and {{/name}} is filled for each item of a list, whose fields hide those of the values around it, or once if the
--- value is true or text; the part between {{^name}} and {{/name}} is filled if the value is false, nil or an empty list.
local formats = require "crux.out.formats"
local number = require "crux.base.number"
local plain = require "crux.base.plain"
local svg = require "crux.show.svg"

local html = {}

--- A text escaped for an element or attribute, in one line, with hidden characters shown.
function html.escape(text) return svg.escape(plain.line(text)) end

local function is_empty(value) return not value or type(value) == "table" and #value == 0 end

--- Fills a template.
function html.fill(template, values)
  local parts, place = {}, 1
  while true do
    local first, last, kind, name = template:find("{{([#^{]?)([%w_]+)}}}?", place)
    table.insert(parts, template:sub(place, (first or #template + 1) - 1))
    if not first then return table.concat(parts) end
    local value = values[name]
    if kind == "#" or kind == "^" then
      local close, behind = template:find("{{/" .. name .. "}}", last, true)
      local inner = template:sub(last + 1, assert(close, name) - 1)
      local items = type(value) == "table" and value or { values }
      if is_empty(value) ~= (kind == "^") then items = {} elseif kind == "^" then items = { values } end
      for _, item in ipairs(items) do
        table.insert(parts, html.fill(inner, item == values and values or setmetatable(item, { __index = values })))
      end
      place = behind + 1
    else
      assert(value ~= nil, name)
      table.insert(parts, kind == "{" and value or html.escape(tostring(value)))
      place = last + 1
    end
  end
end

---@class HtmlTable
---@field id string
---@field caption string
---@field columns HtmlColumn[]   the first heads the rows
---@field rows table[]           with an `id`, unique on the page, if it is linked to
---@field sortable boolean?

---@class HtmlColumn: Column
---@field html string?           field of the rows with HTML, in place of the rounded value

--- The attribute of a cell with the value by which the page's script sorts; "" if the cell shows that value.
local function sort_key(value, text)
  return type(value) == "number" and value == value and number.exact(value) ~= text
    and (' data-value="%s"'):format(html.escape(number.exact(value))) or ""
end

--- A table that scrolls sideways if it is too wide.
---@param data HtmlTable
function html.table(data)
  local parts, numeric = {}, {}
  local function add(text, ...) table.insert(parts, text:format(...)) end
  local cells = formats.cells(data.columns, data.rows)
  for j, column in ipairs(data.columns) do
    numeric[j] = column.right or false
    for _, row in ipairs(data.rows) do numeric[j] = numeric[j] or type(row[column.key]) == "number" end
  end
  add('<div class="scroll" role="region" aria-labelledby="%s-caption" tabindex="0">\n<table%s>\n', data.id,
    data.sortable and ' class="sortable"' or "")
  add('<caption id="%s-caption">%s</caption>\n<thead>\n<tr>', data.id, html.escape(data.caption))
  for j, column in ipairs(data.columns) do
    add('<th scope="col"%s%s>%s</th>', numeric[j] and ' class="number"' or "", column.html and " data-fixed" or "",
      html.escape((column.label or column.key):gsub("_", " ")))
  end
  add "</tr>\n</thead>\n<tbody>\n"
  for i, row in ipairs(data.rows) do
    add("<tr%s>", row.id and (' id="%s"'):format(row.id) or "")
    for j, column in ipairs(data.columns) do
      local name, text = j == 1 and 'th scope="row"' or "td", html.escape(cells[i][j])
      add("<%s%s%s>%s</%s>", name, numeric[j] and ' class="number"' or "", sort_key(row[column.key], text),
        column.html and row[column.html] or text, name:match "%w+")
    end
    add "</tr>\n"
  end
  add "</tbody>\n</table>\n</div>"
  return table.concat(parts)
end

return html
