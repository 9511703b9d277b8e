--- crux site: levels as a folder of pages for any web host; see web/report/site.html.
local examination = require "crux.task.shared.examination"
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local games = require "crux.game.game"
local home = require "libcrux.home"
local html = require "crux.show.html"
local inputs = require "crux.task.shared.inputs"
local json = require "crux.base.json"
local level_writer = require "crux.game.level_writer"
local lists = require "crux.base.lists"
local number = require "crux.base.number"
local report = require "crux.show.report"
local sinks = require "crux.out.sinks"
local text_file = require "crux.base.text_file"

--- The files of the workbench without a server, which `make wasm` makes, and the bytes that one may have.
local FILES <const>, MOST <const> = { "workbench.html", "clp.js", "offline.js" }, 64 << 20
local digits <const> = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

local function base64(text)
  return (text:gsub("..?.?", function(bytes)
    local bits, code = (">I3"):unpack(bytes .. ("\0"):rep(3 - #bytes)), ""
    for shift = 18, 18 - 6 * #bytes, -6 do
      local digit = (bits >> shift & 63) + 1
      code = code .. digits:sub(digit, digit)
    end
    return code
  end))
end

--- A text in DEFLATE's form, in blocks that are not compressed.
local function deflated(text)
  local blocks, last = {}, #text - (#text - 1) % 65535
  for first = 1, #text, 65535 do
    local block = text:sub(first, first + 65534)
    table.insert(blocks, ("<BI2I2"):pack(first == last and 1 or 0, #block, ~#block & 65535) .. block)
  end
  return table.concat(blocks)
end

--- The name by which a link names a script. Texts of scripts that are not crux's own are put into `files`, by name.
local function named(script, folder, files)
  local own = script.sources[1]:match("^" .. home:gsub("%p", "%%%0") .. "/" .. folder .. "/([^/]+)%.lua$")
  if own then return own end
  for _, path in ipairs(script.sources) do files[path:match "[^/]+$"] = text_file.read(path, MOST, "a script") end
  return script.sources[1]:match "[^/]+$"
end

--- A function of a view and texts of levels that returns the link to them; web/workbench/alone.js reads it.
local function linker(game, rule, page)
  local scripts = {}
  local what = { game = named(game, "games", scripts), rule = rule and named(rule, "rules", scripts) }
  local file = "levels." .. game.files.extensions[1]
  return function(view, texts)
    local files = lists.merge(scripts, { [file] = table.concat(texts, "\n") })
    local text = json.encode(json.of { game = what.game, rule = what.rule, files = files })
    return ("%s#%s/open=%s"):format(page, view, base64(deflated(text)))
  end
end

--- The table of levels, and the texts of all.
local function level_table(game, rule, data, link)
  local rows, ratings, texts = {}, {}, {}
  local measures = rule and rule:measures(data)
  for block in data:blocks { numbers = measures, measures = measures, texts = rule and rule:texts(data), levels = true } do
    local rated = rule and rule:rate(block)
    for i = 1, block.rows do
      local source, name = block.sources[i], block.levels[i]
      local text = level_writer.with_name(level_writer.of(source.entry, game.files), game.files)
      local place = #rows + 1
      rows[place] = { level = name, rating = rated and number.is_finite(rated[i]) and rated[i] or nil,
        name = ('<a href="%s">%s</a>'):format(link("level", { text }), html.escape(name)),
        picture = '<div class="picture">' .. report.level(source.pictures.level, "level-" .. place) .. "</div>" }
      table.insert(ratings, rows[place].rating)
      texts[place] = text
    end
  end
  local round = number.rounder(ratings)
  for _, row in ipairs(rows) do row.rating = row.rating and round(row.rating) end
  local columns = { { key = "level", html = "name" }, { key = "rating", right = true }, { key = "picture", html = "picture" } }
  return html.table { id = "level-table", rows = rows, columns = columns, sortable = true,
    caption = number.count(#rows, "level") .. "." }, texts
end

--- The text of a page that `make wasm` made, installed or in the folder of the sources.
local function product(name)
  for _, folder in ipairs { "/site/", "/build/wasm/site/" } do
    local path = home .. folder .. name
    if file_system.is_regular(path) then return text_file.read(path, MOST, "a page") end
  end
  fault.at(home .. "/site/" .. name, "no file", "the workbench without a server, which make wasm makes, or --workbench LINK")
end

local function prepare(args)
  if not args.output then fault.raise("expected -o FOLDER", 2) end
  sinks.reserve(args.output, 1 + #FILES)
end

local function run(args)
  local game = games.load(args.game)
  local name = args.rule or file_system.is_regular(("%s/rules/%s.lua"):format(home, args.game)) and args.game
  local rule = name and inputs.rule(name, args)
  args.paint = true
  local measures = rule and game:needed_by(rule) or {}
  local data, finish = examination.dataset(game, args, args.levels, measures)
  local link = linker(game, rule, args.workbench or FILES[1])
  local shown, texts = level_table(game, rule, data, link)
  local title, words = args.title or ("Levels of %s"):format(game.name), { "crux", table.unpack(args.command_line) }
  local folder <close> = sinks.open_folder(args.output, 1 + #FILES)
  folder:write("index.html", report.page { title = title, lead = game.doc or "", sources = "these levels", words = words,
    parts = { { id = "levels", name = "Levels" }, { id = "made", name = "How this page was made" } },
    template = report.read "site.html", values = { play = link("play", texts), set = link("set", texts), level_table = shown,
      rule = rule and rule.name or false } })
  for _, file in ipairs(args.workbench and {} or FILES) do folder:write(file, product(file)) end
  folder:commit()
  finish()
end

return {
  summary = "Write pages with levels to play and rate, for any web host.",
  details = "Writes a folder of static pages: index.html shows the levels with their pictures and ratings, and has links that "
    .. "open them in the workbench without a server (docs/wasm.md), where they are played in order, rated and changed. It "
    .. "keeps what a player rates as a file to send, which crux aggregate reads. Nothing is installed and no server is asked: "
    .. "put the folder on a web host, or open it from a file.",
  arguments = {
    { name = "game", doc = "A game script, or one of crux's own games." },
    { name = "levels", args = "+", doc = "Level files, or folders of them." },
  },
  options = {
    { flags = "-o", alias = "--output", value = "FOLDER", in_journal = false, doc = "The folder to write." },
    { flags = "--rule", value = "RULE", doc = "The rule that rates; the one of the game's name unless given." },
    { flags = "--title", value = "TEXT", doc = "The title of the page." },
    { flags = "--workbench", value = "LINK", doc = "A page of the workbench elsewhere, in place of one in the folder." },
    "jobs", "seconds", "states", "memory",
  },
  examples = { "crux site move move-levels/ -o site/", "crux site mine.lua levels.txt --rule mine-rule.lua -o site/" },
  prepare = prepare,
  run = run,
}
