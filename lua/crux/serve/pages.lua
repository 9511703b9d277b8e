--- What servers of pages share: the files of a page in web/, and the headers of all answers.
local canvas = require "crux.show.canvas"
local fault = require "crux.base.fault"
local home = require "libcrux.home"
local svg = require "crux.show.svg"

local pages = {}

--- The headers of all answers: a page asks its own server alone, and is shown by no other page.
pages.headers = {
  { "Content-Security-Policy",
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
      .. "frame-ancestors 'none'" },
  { "X-Content-Type-Options", "nosniff" }, { "Referrer-Policy", "no-referrer" }, { "Cache-Control", "no-store" },
}

---@class PageFile
---@field type string
---@field text string

--- The text of a file in web/.
local function read(name)
  local file <close> = fault.check(io.open(("%s/web/%s"):format(home, name), "r"))
  return file:read "a"
end

--- The files of the page web/NAME/HTML by path: the page itself as "", and the style sheet and scripts that it names; a path
--- with '/' begins in web/. The style sheet has the rules for pictures behind its own.
---@param made table<string, string>?   texts of scripts by path that are no files
---@return table<string, PageFile>
function pages.files(name, html, made)
  local text = read(name .. "/" .. html)
  local files = { [""] = { type = "text/html", text = text } }
  local function of(path) return path:find "/" and path or ("%s/%s"):format(name, path) end
  for path in text:gmatch 'href="/?([%l/]+%.css)"' do
    files[path] = { type = "text/css", text = table.concat({ read(of(path)), svg.style, canvas.style }, "\n") }
  end
  for path in text:gmatch 'src="/?([%l/]+%.js)"' do
    files[path] = { type = "text/javascript", text = made and made[path] or read(of(path)) }
  end
  return files
end

--- Files of CodeMirror, an editor, by path; empty where the package libjs-codemirror is missing, as the browser tells errors.
---@return table<string, PageFile>
function pages.editor()
  local files = {}
  for path, type in pairs { ["lib/codemirror.css"] = "text/css", ["lib/codemirror.js"] = "text/javascript",
    ["mode/lua/lua.js"] = "text/javascript" } do
    local file <close> = io.open("/usr/share/javascript/codemirror/" .. path)
    files["codemirror/" .. path] = { type = type, text = file and file:read "a" or "" }
  end
  return files
end

return pages
