--- What a player of crux play sees: a title with the counts, the board, a message, and the keys.
local ascii = require "crux.show.ascii"

local screen = {}

---@class View
---@field terminal userdata
---@field colours table<string, string>   of characters
---@field plain boolean       the terminal shows ASCII only
---@field title string
---@field session Session
---@field commands string     the last line
---@field question string?    asked in place of the message; the cursor stands behind it

--- A text in UTF-8 without what controls a terminal.
local function clean(text) return ((utf8.len(text) and text or text:gsub("[\128-\255]", "?")):gsub("%c", "?")) end

--- A clean text as the terminal can show it.
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
    local own = view.colours[character] or "plain"
    if own ~= style then flush() end
    run, style = run .. character, own
  end
  flush()
end

--- The first line: what is played on the left, as far as there is room, and the counts on the right.
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

--- Minutes and seconds.
function screen.time(seconds) return ("%d:%02d"):format(seconds // 60, seconds // 1 % 60) end

--- Puts the board below the title and returns where the cursor is in it, as row and column of the screen; false when it
--- does not fit into the room that is left.
local function put_board(view, columns, room)
  local lines, needed = view.session:draw(), 0
  for i, line in ipairs(lines) do
    lines[i] = clean(line)
    needed = math.max(needed, utf8.len(lines[i]))
  end
  if #lines > room or needed > columns then
    view.terminal:put(3, 1, ("too large for this window: it needs %d columns and %d rows"):format(needed, #lines + 5))
    return false
  end
  local left = needed + 2 <= columns and 3 or 1
  for i, line in ipairs(lines) do put_line(view, i + 2, left, line) end
  local column, row = view.session:cursor()
  return row and row + 2, row and column + left - 1
end

--- Draws all of it. Returns whether the board could be shown.
---@param view View
---@return boolean
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
