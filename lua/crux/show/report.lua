--- Pages as one HTML file each; text, style sheet and script are files in web/report.
local canvas = require "crux.show.canvas"
local home = require "libcrux.home"
local html = require "crux.show.html"
local lists = require "crux.base.lists"
local plot = require "crux.show.plot"
local svg = require "crux.show.svg"
local process = require "libcrux.process"

local report = {}

--- The text of a file of web/report.
function report.read(name)
  local file <close> = assert(io.open(("%s/web/report/%s"):format(home, name), "r"))
  return file:read "a"
end

--- The content of the style element. The page's Content-Security-Policy has the hashes of the style sheet and the script.
function report.style() return table.concat { "\n", report.read "page.css", svg.style, "\n", canvas.style, "\n" } end

function report.script() return "\n" .. report.read "page.js" end

--- A table as an element of a page.
---@type fun(data: HtmlTable): string
report.table = html.table

--- A figure of crux.plot as an element of a page.
---@param id string   unique on the page
function report.figure(figure, id) return plot.svg(figure, { id = id, bare = true }) end

--- A picture of a level as an element of a page.
---@param painted LevelPicture
function report.level(painted, id)
  return svg.picture(setmetatable({ id = id, bare = true }, { __index = painted.picture }), painted.content)
end

--- Pictures of levels as an element of a page, each with its name.
---@param list LevelPicture[]
function report.gallery(list, id)
  local parts = {}
  for i, painted in ipairs(list) do
    parts[i] = ("<figure>\n%s<figcaption>%s</figcaption></figure>\n"):format(report.level(painted, ("%s-%d"):format(id, i)),
      html.escape(painted.picture.title))
  end
  return '<div class="gallery">\n' .. table.concat(parts) .. "</div>"
end

--- A text quoted as one word for the shell.
local function quoted(word) return word:find "^[%w%+%-%./:=@_%%,~]+$" and word or "'" .. word:gsub("'", "'\\''") .. "'" end

--- The name of a file without its folders if it is an absolute path, which is nothing to readers elsewhere.
function report.named(word) return word:match "^/.*/([^/]+)/*$" or word end

---@class Page
---@field title string
---@field lead string
---@field template string             of the page's main part, for html.fill
---@field values table                for the template
---@field parts { id: string, name: string }[]   sections, in order
---@field words string[]              of the command line, with the program's name first
---@field sources string              the inputs, in words

function report.page(page)
  return html.fill(report.read "page.html", { title = page.title, lead = page.lead, version = process.version, lua = _VERSION,
    style = report.style(), script = report.script(), parts = page.parts, main = html.fill(page.template, page.values),
    command = table.concat(lists.map(lists.map(page.words, report.named), quoted), " "), sources = page.sources })
end

return report
