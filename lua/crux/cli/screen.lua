--- The screen of crux play: a title with the counts, the board, a message, and the keys.
local ascii = require "crux.show.ascii"
local xterm = require "crux.base.xterm"

local screen = {}

---@class View
---@field terminal userdata
---@field colours table<string, string>   of characters
---@field plain boolean       the terminal shows ASCII alone
---@field pixels boolean      the terminal shows pixels, as half blocks in 256 colours
---@field title string
---@field session Session
---@field commands string     the last line
---@field question string?    asked in place of the message; the cursor stands behind it

--- A text in UTF-8 without control characters.
local function clean(text) return ((utf8.len(text) and text or text:gsub("[\128-\255]", "?")):gsub("%c", "?")) end

--- A clean text in the characters of the terminal.
local function shown(view, text)
  return view.plain and ascii.of(text) or text
end

--- Puts a clean line of a drawing on the terminal, its characters in their colours.
local function put_line(view, row, column, line)
  local run, style = "", "plain"
  local function flush()
    view.terminal:put(row, column, shown(view, run), style)
    column, run = column + utf8.len(run), ""
  end
  for character in line:gmatch(utf8.charpattern) do
    local colour = view.colours[character] or "plain"
    if colour ~= style then flush() end
    run, style = run .. character, colour
  end
  flush()
end

--- Puts the first line: the title on the left, cut to the width that is left, and the counts on the right.
local function put_title(view, columns)
  local session = view.session
  local left = shown(view, clean(" " .. view.title))
  local right = (" moves %d  time %s "):format(session.moves, screen.time(session.seconds))
  local room = math.max(0, columns - #right)
  if utf8.len(left) > room then left = left:sub(1, utf8.offset(left, room + 1) - 1) end
  view.terminal:put(1, 1, left .. (" "):rep(room - utf8.len(left)) .. right, "reverse")
end

--- The keys of a game in one line.
local function keys_line(rows)
  local words = {}
  for i, row in ipairs(rows) do words[i] = row[1]:gsub("up left down right", "arrows") .. " " .. row[2] end
  return clean(table.concat(words, "  "))
end

function screen.time(seconds) return ("%d:%02d"):format(seconds // 60, seconds // 1 % 60) end

--- The column on which a board of that width begins.
local function left_of(width, columns) return width + 2 <= columns and 3 or 1 end

--- Puts a picture of pixels, each a column wide and half a row high, below the title; returns false without one, or if it is
--- too large.
local function put_pixels(view, columns, room)
  local painting = view.pixels and not view.session:cursor() and view.session:paint()
  local pixels = painting and not painting.note and painting.pixels
  if not pixels or pixels.width > columns or pixels.height > 2 * room then return false end
  local function colours_of(row)
    local numbers = {}
    for x, colour in pairs(pixels.rows[row] or {}) do numbers[x] = xterm.number(colour) end
    return numbers
  end
  local left = left_of(pixels.width, columns)
  for y = 0, pixels.height - 1, 2 do
    view.terminal:pixels(y // 2 + 3, left, colours_of(y), colours_of(y + 1), pixels.width)
  end
  return true
end

--- Puts the board below the title. Returns the cursor's row and column on the screen; false if the board is too large.
local function put_board(view, columns, room)
  if put_pixels(view, columns, room) then return nil end
  local lines, needed = view.session:draw(), 0
  for i, line in ipairs(lines) do
    lines[i] = clean(line)
    needed = math.max(needed, utf8.len(lines[i]))
  end
  if #lines > room or needed > columns then
    view.terminal:put(3, 1, ("too large for this window: it needs %d columns and %d rows"):format(needed, #lines + 5))
    return false
  end
  local left = left_of(needed, columns)
  for i, line in ipairs(lines) do put_line(view, i + 2, left, line) end
  local column, row = view.session:cursor()
  return row and row + 2, row and column + left - 1
end

--- Draws the screen. Returns whether the board could be shown.
function screen.draw(view)
  local terminal, session = view.terminal, view.session
  local columns, rows = terminal:size()
  terminal:clear()
  put_title(view, columns)
  local row, column = put_board(view, columns, rows - 5)
  local said = shown(view, clean(view.question or session.message))
  terminal:put(rows - 2, 1, said, "bold")
  terminal:put(rows - 1, 1, shown(view, keys_line(session.rules.keys)))
  terminal:put(rows, 1, view.commands)
  if view.question then
    terminal:show(rows - 2, utf8.len(said) + 1)
  else
    terminal:show(row or nil, column)
  end
  return row ~= false
end

return screen
