--- Pages to look at: one HTML file with all that it needs, whose text, style and script are files in crux/show/pages.
local canvas = require "crux.show.canvas"
local home = require "libcrux.home"
local html = require "crux.show.html"
local plot = require "crux.show.plot"
local svg = require "crux.show.svg"
local system = require "libcrux.system"

local report = {}

--- A file of crux/show/pages.
local function read(name)
  local file <close> = assert(io.open(("%s/lua/crux/show/pages/%s"):format(home, name), "r"))
  return file:read "a"
end

--- What stands in the page's style element. The page's Content-Security-Policy has its hash, and that of the script.
function report.style() return table.concat { "\n", read "page.css", svg.style, "\n", canvas.style, "\n" } end

--- What stands in its script element.
function report.script() return "\n" .. read "page.js" end

--- A figure of crux.plot as an element of a page.
---@param figure Figure
---@param id string   differs from others of the page
function report.figure(figure, id) return plot.svg(figure, { id = id, bare = true }) end

--- A picture of a level as an element of a page.
---@param painted LevelPicture
---@param id string
function report.level(painted, id)
  return svg.picture(setmetatable({ id = id, bare = true }, { __index = painted.picture }), painted.content)
end

--- Pictures of levels as an element of a page, each with its name.
---@param list LevelPicture[]
---@param id string
function report.gallery(list, id)
  local parts = {}
  for i, painted in ipairs(list) do
    parts[i] = ("<figure>\n%s<figcaption>%s</figcaption></figure>\n"):format(report.level(painted, ("%s-%d"):format(id, i)),
      html.escape(painted.picture.title))
  end
  return '<div class="gallery">\n' .. table.concat(parts) .. "</div>"
end

--- A text as the shell takes it for one word.
local function quoted(word) return word:find "^[%w%+%-%./:=@_%%,~]+$" and word or "'" .. word:gsub("'", "'\\''") .. "'" end

---@class Page
---@field title string
---@field lead string
---@field template string             file in crux/show/pages whose text is the page's main part
---@field values table                fill it
---@field parts { id: string, name: string }[]   its sections, in order
---@field words string[]              of the command line
---@field sources string              what it was made from
---@field citation string             HTML: of what it is about

--- The text of a page.
---@param page Page
---@return string
function report.page(page)
  local words = {}
  for i, word in ipairs(page.words) do words[i] = quoted(word) end
  return html.fill(read "page.html", { title = page.title, lead = page.lead, version = system.version, lua = _VERSION,
    style = report.style(), script = report.script(), parts = page.parts, main = html.fill(read(page.template), page.values),
    command = "crux " .. table.concat(words, " "), sources = page.sources, citation = page.citation })
end

return report
