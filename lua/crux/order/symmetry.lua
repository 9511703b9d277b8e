--- Levels that are equal under the symmetries of their board: turned, mirrored, or with other names for the same things.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"

local symmetry = {}

--- The words of a line, and their columns as a text.
local function words_of(line)
  local words, columns = {}, {}
  for column, word in line:gmatch "()(%S+)" do
    table.insert(words, word)
    table.insert(columns, column)
  end
  return words, table.concat(columns, " ")
end

--- The rows of a text as lists: of words where these begin in the same columns in all rows, else of characters, with blanks
--- behind short rows.
---@return string[][]
local function rows_of(text)
  local lines, words, columns, longest = {}, {}, {}, 0
  for line in text:gmatch "[^\n]+" do
    table.insert(lines, line)
    words[#lines], columns[#lines] = words_of(line)
    longest = math.max(longest, #line)
  end
  local is_aligned = #(words[1] or {}) > 1 and lists.all_equal(columns)
  return is_aligned and words or lists.map(lines, function(line)
    local characters = {}
    for character in (line .. (" "):rep(longest - #line)):gmatch "." do table.insert(characters, character) end
    return characters
  end)
end

local function mirrored(rows)
  return lists.map(rows, function(row)
    local reversed = {}
    for i = #row, 1, -1 do table.insert(reversed, row[i]) end
    return reversed
  end)
end

local function transposed(rows)
  local columns = {}
  for x = 1, #(rows[1] or {}) do columns[x] = lists.map(rows, function(row) return row[x] end) end
  return columns
end

local function text_of(rows)
  return table.concat(lists.map(rows, function(row) return table.concat(row, " ") end), "\n")
end

--- The eight images of a text of tiles.
function symmetry.images(text)
  local rows, images = rows_of(text), {}
  for _ = 1, 4 do
    table.insert(images, text_of(rows))
    rows = mirrored(rows)
    table.insert(images, text_of(rows))
    rows = transposed(rows)
  end
  return images
end

--- A text in which the names that a game exchanges freely are in the order of their first use.
---@param alike string[]   names: characters that stand for one thing, as "aA" for a ball and its goal
local function renamed(text, alike)
  local name_of, place_of, used = {}, {}, {}
  for i, name in ipairs(alike) do
    for place = 1, #name do name_of[name:sub(place, place)], place_of[name:sub(place, place)] = i, place end
  end
  local count = 0
  return (text:gsub(".", function(character)
    local name = name_of[character]
    if not name then return nil end
    if not used[name] then
      count = count + 1
      used[name] = alike[count]
    end
    local place = place_of[character]
    return used[name]:sub(place, place)
  end))
end

--- The images of a level's text, by the game's own function if it has one.
local function images_of(game, text)
  if not game.images then return symmetry.images(text) end
  local images = fault.guard(game.path, game.images, game:only_level(text))
  local is_list = type(images) == "table" and #images > 0
  for _, image in ipairs(is_list and images or { false }) do
    if type(image) ~= "string" then fault.at(game.path .. ": images", fault.show(image or images), "a list of texts") end
  end
  return images
end

--- A text that levels have in common if and only if they are equal under the symmetries.
---@param text string   of the level
function symmetry.key(game, text)
  local least
  for _, image in ipairs(images_of(game, text)) do
    image = renamed(image, game.alike or {})
    if not least or image < least then least = image end
  end
  return least
end

return symmetry
