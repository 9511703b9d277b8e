--- Parses the text of a game into its sections; entries keep their line numbers.
local fault = require "crux.base.fault"
local lpeg = require "lpeg"
local words = require "crux.puzzlescript.words"

local parser = {}

---@class Source                 the parsed text of a game
---@field path string            shown in messages
---@field prelude table<string, string>
---@field objects SourceObject[]   also by name
---@field synonyms string[][]    { name, other name, line = }
---@field aggregates string[][]  { name, objects ..., line = }, defined with "and"
---@field properties string[][]  { name, objects ..., line = }, defined with "or"
---@field names table<string, string[]|SourceObject>   declaration of each name
---@field layers string[][]
---@field rules SourceLine[]
---@field conditions SourceLine[]
---@field levels table[]         { message = } or { rows ... }, with line =
---@field remarks { line: integer, message: string }[]
---@field comment integer?       the line where a comment begins that nothing closes

---@class SourceObject
---@field name string
---@field line integer
---@field colours string[]
---@field sprite string[]      at most 5 rows of at most 5 pixels
---@field is_uneven boolean?    a row of the sprite has not 5 pixels

---@class SourceLine
---@field text string            in lower case, without comments
---@field whole string?          of a rule: as the author wrote it
---@field line integer

local C, Ct, P, R, S = lpeg.C, lpeg.Ct, lpeg.P, lpeg.R, lpeg.S
local blank = S " \t" ^ 0
local letter = R("az", "AZ", "09", "\128\255") + "_"
local name = C(letter ^ 1) * blank
local rest = C(P(1) ^ 0)

--- Refuses a line with the original engine's message.
local function refuse(source, line, message) fault.raise(("%s:%d: %s"):format(source.path, line, message)) end
parser.refuse = refuse

--- Records a fault of a line that does not stop the original engine from playing the game.
local function remark(source, line, message) table.insert(source.remarks, { line = line, message = message }) end
parser.remark = remark

--- Records a fault of a line of RULES that the original engine leaves out.
function parser.leave_out(source, line, message) remark(source, line, message .. "  The line is left out.") end

local function trim(text) return text:match "^%s*(.-)%s*$" end

--- Removes comments from a line; they nest and may span lines. In a rule, "message" and the rest of the line are not searched.
---@param depth integer          nesting depth of comments at the start of the line
---@return string                the text outside comments, with a blank for each comment
---@return string                the first piece of text outside comments that is not blank
---@return integer depth
---@return boolean is_blank      true if the line separates levels or objects: it has no text and does not consist of a comment
local function without_comments(text, depth, has_messages)
  if depth == 0 and not text:find "[()]" then
    return text, text, 0, not text:find "%S"
  end
  local pieces, first, at, has_comment, tail = {}, nil, 1, depth > 0, ""
  local message = has_messages and text:find "%f[%w]message%f[%W]"
  while at <= #text + 1 do
    local next_at = text:find(depth > 0 and "[()]" or "%(", at)
    if message and depth == 0 and (not next_at or next_at > message) then next_at = nil end
    local piece = text:sub(at, (next_at or #text + 1) - 1)
    if depth == 0 then
      if not piece:find "[^%s)]" then piece = piece:gsub("%)", " ") end -- unmatched closing brackets
      table.insert(pieces, piece)
      if not first and piece:find "%S" then first = piece end
      tail = piece
    end
    if not next_at then break end
    has_comment = true
    depth = depth + (text:sub(next_at, next_at) == "(" and 1 or -1)
    tail, at = "", next_at + 1
  end
  local is_blank = depth == 0 and not first and (not has_comment or tail ~= "")
  return table.concat(pieces, " "), first or "", depth, is_blank
end

--- Functions that read a line of each section. Their arguments: the source, the text outside comments in lower case, the line's
--- number, the first piece of that text, true if the line is blank, the line in the author's case if it may have a title or a
--- message.
local sections = {}

local prelude_line = blank * name * rest

sections[""] = function(source, _, line, first, _, whole)
  if not first:find "%S" then return end
  local key, value = prelude_line:match(first)
  if not key or words.prelude[key] == nil then return remark(source, line, "Unrecognised stuff in the prelude.") end
  if key == "title" or key == "author" or key == "homepage" then value = whole:match("^%s*%S+%s*(.*)$") end
  if words.prelude[key] and value == "" then remark(source, line, ("MetaData \"%s\" needs a value."):format(key)) end
  source.prelude[key] = words.prelude[key] and trim(value) or "true"
end

local colour_names = [[black white gray darkgray lightgray grey darkgrey lightgrey red darkred lightred brown darkbrown
  lightbrown orange yellow green darkgreen lightgreen blue lightblue darkblue purple pink transparent]]
local hex = R("09", "af") * R("09", "af") * R("09", "af")
local colour = P "#" * hex * hex ^ -1
for word in colour_names:gmatch "%S+" do colour = colour + word end
local colours = blank * Ct((C(colour) * blank) ^ 0) * rest
local aliases = blank * name * Ct((C((1 - S " \t()") ^ 1) * blank) ^ 0)

local function declare(source, declared, as)
  local known = source.names[declared]
  if known then
    remark(source, as.line, ("Name \"%s\" already in use (on line %d)."):format(declared:upper(), known.line))
  end
  source.names[declared] = known or as
  return not known
end

local function object_name(source, text, line)
  local declared, others = aliases:match(text)
  if not declared then return end -- the original only warns
  if source.objects[declared] then
    refuse(source, line, ("Object \"%s\" defined multiple times."):format(declared:upper()))
  end
  local object = { name = declared, line = line, colours = {}, sprite = {} }
  declare(source, declared, object)
  source.objects[declared] = object
  table.insert(source.objects, object)
  for _, alias in ipairs(others) do
    local synonym = { alias, declared, line = line }
    if declare(source, alias, synonym) then table.insert(source.synonyms, synonym) end
  end
  source.object, source.expects = object, "colours"
end

local function object_colours(source, text, line)
  local found, behind = colours:match(text)
  if behind ~= "" then
    remark(source, line, ("Was looking for color for object %s, got \"%s\" instead."):format(source.object.name:upper(),
      behind))
  end
  source.object.colours, source.expects = found, "sprite"
end

local function object_sprite(source, text, line)
  local object, row = source.object, text:find "[ \t]" and text:gsub("[ \t]", "") or text
  if not row:find "^[.%d]" and #object.sprite == 0 then return object_name(source, text, line) end
  if row:find "[^.%d]" then
    refuse(source, line, ("Unknown junk in spritematrix for object %s."):format(object.name:upper()))
  end
  for digit in row:gmatch "%d" do
    if tonumber(digit) >= #object.colours then
      remark(source, line, ("Trying to access color number %s from the color palette of sprite %s, but there are only %d "
        .. "defined in it."):format(digit, object.name:upper(), #object.colours))
    end
  end
  object.is_uneven = object.is_uneven or #row ~= 5
  table.insert(object.sprite, row:sub(1, 5))
  if #object.sprite == 5 then source.expects = "name" end
end

--- Remarks on objects without colours, with too many, or with a sprite of another size than 5 x 5.
local function check_objects(source)
  for _, object in ipairs(source.objects) do
    if #object.colours == 0 then
      remark(source, object.line, ("color not specified for object \"%s\"."):format(object.name))
    elseif #object.colours > 10 then
      remark(source, object.line + 1,
        "a sprite cannot have more than 10 colors.  Why you would want more than 10 is beyond me.")
    end
    if object.is_uneven or #object.sprite % 5 ~= 0 then
      remark(source, object.line, "Sprite graphics must be 5 wide and 5 high exactly.")
    end
  end
end

local of_object = { name = object_name, colours = object_colours, sprite = object_sprite }

function sections.objects(source, text, line, _, is_blank)
  if is_blank then source.expects = "name" end
  if text:find "%S" then of_object[source.expects](source, text, line) end
end

local legend_form = 'Incorrect format of legend - should be one of "A = B", "A = B or C [ or D ...]", "A = B and C '
  .. '[ and D ...]".'
local legend_line = Ct(blank * C((1 - S "= \t(") ^ 1) * blank * P "=" * blank * name * (name * name) ^ 0 * -1)

--- Returns the objects that a name stands for in an entry of the legend; word: "and", "or", or nil in a synonym.
local function meaning(source, named, word, line)
  local declared = source.names[named]
  if not declared then refuse(source, line, ("You're talking about %s but it's not defined "
    .. "anywhere."):format(named:upper())) end
  if declared.name or not word then return { named } end
  if not declared.word then return meaning(source, declared[2], word, line) end
  if declared.word ~= word then
    refuse(source, line, word == "and"
      and "Cannot define an aggregate (using 'and') in terms of properties (something that uses 'or')."
      or ("Cannot define a property (something defined in terms of 'or') in terms of an aggregate (something that uses 'and'). "
        .. " In this case, you can't define \"%s\" in terms of it."):format(named))
  end
  local objects = {}
  for i = 2, #declared do
    for _, object in ipairs(meaning(source, declared[i], word, line)) do table.insert(objects, object) end
  end
  return objects
end

local kinds_of_legend = { ["and"] = "aggregates", ["or"] = "properties" }

function sections.legend(source, text, line)
  if not text:find "%S" then return end
  local parts = legend_line:match(text)
  if not parts then refuse(source, line, legend_form) end
  local declared, word = parts[1], parts[3]
  if word and not kinds_of_legend[word] then
    refuse(source, line, ("Expected and 'AND' or an 'OR' here, but got %s instead."):format(word:upper()))
  end
  local entry, late = { declared, line = line, word = word }, {}
  for i = 2, #parts, 2 do
    if parts[i] == declared then
      refuse(source, line, ("You can't define object %s in terms of itself!"):format(declared:upper()))
    end
    if i > 2 and parts[i - 1] ~= word then
      refuse(source, line, "Hey! You can't go mixing ANDs and ORs in a single legend entry.")
    end
    local objects = meaning(source, parts[i], word, line)
    local to = word == "or" and i > 4 and #objects > 1 and late or entry -- as the original orders them
    table.move(objects, 1, #objects, #to + 1, to)
  end
  for _, object in ipairs(late) do
    local is_known = false
    for i = 2, #entry do is_known = is_known or entry[i] == object end
    if not is_known then table.insert(entry, object) end
  end
  if declare(source, declared, entry) then table.insert(source[kinds_of_legend[word] or "synonyms"], entry) end
end

function sections.sounds() end -- sounds do not affect levels

local layer_words = Ct((S " \t," ^ 0 * C(letter ^ 1)) ^ 0) * S " \t," ^ 0 * rest

function sections.collisionlayers(source, text, line)
  if not text:find "%S" then return end
  local layer = { line = line }
  local named, behind = layer_words:match(text)
  if behind ~= "" then refuse(source, line, "error detected - unexpected character " .. behind:sub(1, 1)) end
  for i, word in ipairs(named) do
    if (word == "background" and i > 1) or named[1] == "background" and i > 1 then
      refuse(source, line, "Background must be in a layer by itself.")
    end
    if not source.names[word] then
      refuse(source, line, ("Cannot add \"%s\" to a collision layer; it has not been declared."):format(word:upper()))
    end
    local declared = source.names[word]
    while declared.word == nil and not declared.name do declared = source.names[declared[2]] end
    if declared.word == "and" then
      refuse(source, line, ("\"%s\" is an aggregate (defined using \"and\"), and cannot be added to a single layer because its "
        .. "constituent objects must be able to coexist."):format(word))
    end
    for _, object in ipairs(meaning(source, word, "or", line)) do table.insert(layer, object) end
  end
  table.insert(source.layers, layer)
end

function sections.rules(source, text, line, first, _, whole)
  if text:find "%S" then table.insert(source.rules, { text = first, whole = whole, line = line }) end
end

function sections.winconditions(source, text, line, first)
  if text:find "%S" then table.insert(source.conditions, { text = first, line = line }) end
end

function sections.levels(source, _, line, first, is_blank, whole)
  local levels = source.levels
  local last = levels[#levels]
  local message = first:find "^%s*message" and whole:match "^%s*%S-[mM][eE][sS][sS][aA][gG][eE]%s*(.*)$"
  if message then
    local entry = { message = trim(message), line = line }
    if last and not last.message and #last == 0 then table.insert(levels, #levels, entry) else table.insert(levels, entry) end
  elseif is_blank then
    if not last or last.message or #last > 0 then table.insert(levels, {}) end
  elseif first:find "%S" then
    if not last or last.message then
      last = {}
      table.insert(levels, last)
    end
    last.line = last.line or line
    last[#last + 1] = first:find "%s" and trim(first) or first
  end
end

local section_line = blank * C(P(false) + "objects" + "collisionlayers" + "legend" + "sounds" + "rules" + "winconditions"
  + "levels") * -letter * blank * rest

--- Enters the section that a line names, if it names one.
local function enter_section(source, text, line)
  if source.section == "levels" then return false end
  local section, behind = section_line:match(text)
  if not section then return false end
  if behind:find "^[%s)]+$" then
    remark(source, line, "You're trying to close a comment here, but I can't find any opening bracket to match it? [This is "
      .. "highly suspicious; you probably want to fix it.]")
  elseif behind ~= "" then
    refuse(source, line, ("Only comments should go after a section name (\"%s\") on a line."):format(section:upper()))
  end
  if source.visited[section] then
    refuse(source, line, ("cannot duplicate sections (you tried to duplicate \"%s\")."):format(section:upper()))
  end
  for i, known in ipairs(words.sections) do
    local before = words.sections[i - 1]
    if known == section and before and not source.visited[before] then
      refuse(source, line, ("section \"%s\" is out of order, must follow  \"%s\" (or it could be that the section \"%s\"is "
        .. "just missing totally.  You have to include all section headings, even if the section itself is empty)."):format(
        section:upper(), before:upper(), before:upper()))
    end
  end
  source.section, source.visited[section] = section, true
  return true
end

--- Parses a game.
---@param path string   shown in messages
---@return Source
function parser.parse(text, path)
  local source = { path = path, prelude = {}, objects = {}, synonyms = {}, aggregates = {}, properties = {}, names = {},
    layers = {}, rules = {}, conditions = {}, levels = {}, section = "", visited = {},
    expects = "name", remarks = {} }
  local number, depth = 0, 0
  text = text:gsub("\r\n?", "\n") .. "\n"
  for from, line, to in text:lower():gmatch "()([^\n]*)()\n" do
    number = number + 1
    local section = source.section
    local is_plain = depth == 0 and not line:find "[()=]"
    local is_message = section == "levels" and depth == 0 and line:find "^%s*message"
    local has_case = section == "" or is_message or section == "rules" and line:find("message", 1, true)
    local whole = has_case and text:sub(from, to - 1) or line
    local outside, first, is_blank = line, line, false
    if is_plain then is_blank = not line:find "%S"
    elseif not is_message then
      local was_outside = depth == 0
      outside, first, depth, is_blank = without_comments(line, depth, section == "rules")
      source.comment = depth > 0 and (was_outside and number or source.comment) or nil
    end
    local is_rule_of_equals = not is_plain and outside:find(section == "levels" and "^[%s=]*=[%s=]*$" or "^%s*=")
    if not is_rule_of_equals and not enter_section(source, outside, number) then
      sections[source.section](source, outside, number, first, is_blank, whole)
    elseif not is_rule_of_equals then
      source.expects = "name"
    end
  end
  check_objects(source)
  if not next(source.visited) then
    fault.at(path, "a text without the sections of PuzzleScript", "a game; it comes first, then the levels")
  end
  return source
end

return parser
