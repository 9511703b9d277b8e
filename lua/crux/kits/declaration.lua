--- The common part of the declarations of all kits: their checks, and the fields of the game that they become.
local fault = require "crux.base.fault"
local lists = require "crux.base.lists"
local measures = require "crux.kits.measures"
local nearest = require "crux.base.nearest"

local declaration = {}

--- Fields of crux.game that a declaration may give itself, in place of what its kit makes.
declaration.overrides = { notation = "function", draw = "function", paint = "function", options_for = "function",
  vary = "function", colours = "table", keys = "table", tap = "string",
  translations = "table" }

--- The fields of all declarations, and their types.
declaration.fields = lists.merge(declaration.overrides,
  { name = "string", doc = "string", files = "table", measures = "table", variants = "table", requires = "table",
    alike = "table" })

--- Raises an error that names the kit, as "crux.grid"; the script's name is put in front.
local function refuse(what, message) error(("%s: %s"):format(what, message), 0) end

--- Raises an error if a declaration has unknown fields, fields of other types, or lacks some.
---@param what string     "crux.grid"
---@param fields table<string, string>
---@param needed string[]
function declaration.check(what, spec, fields, needed)
  if type(spec) ~= "table" then refuse(what, ("found %s, expected a table of fields"):format(fault.show(spec))) end
  for name, value in pairs(spec) do
    if not fields[name] then refuse(what, nearest.unknown("field", tostring(name), lists.keys(fields))) end
    if type(value) ~= fields[name] then
      refuse(what, ("field '%s': found a %s, expected a %s"):format(name, type(value), fields[name]))
    end
  end
  for _, name in ipairs(needed) do
    if spec[name] == nil then refuse(what, ("found no field '%s', expected a %s"):format(name, fields[name])) end
  end
end

--- Raises an error if the field `generate` of a declaration is not as declaration.check expects it, or an option is no row.
function declaration.check_generator(kit, make, fields, needed)
  local what = kit .. ": generate"
  declaration.check(what, make, fields, needed)
  for _, row in ipairs(make.options or {}) do
    if type(row) ~= "table" then
      refuse(what, ("field 'options': found %s, expected a row { \"name\", a number or { least, greatest } }"):format(
        fault.show(row)))
    end
  end
end

--- Raises an error if a field of a declaration names things that no tile has.
---@param things string[]
---@param advice string?   ends the message
function declaration.check_things(what, field, names, things, advice)
  for _, name in ipairs(names) do
    if not lists.contains(things, name) then
      refuse(what, field .. ": " .. nearest.unknown("thing", name, things) .. (advice and advice:format(name) or ""))
    end
  end
end

--- A game of crux.game with the fields that all declarations have.
---@param new fun(name: string): table   crux.game
function declaration.game(spec, new)
  local game, files = new(spec.name), spec.files or {}
  game.doc, game.variants, game.requires, game.alike = spec.doc, spec.variants, spec.requires, spec.alike
  if files[1] then game.extensions = table.move(files, 1, #files, 1, {}) end
  game.rows, game.starts, game.comment = files.rows, files.starts, files.comment
  game.tiled, game.tiles = files.tiled, spec.tiles
  for _, row in ipairs(spec.measures or {}) do
    for _, whole in ipairs(measures.rows(row, spec.variants)) do game.measure(whole) end
  end
  local things, own = {}, lists.set(lists.field(game.measures, 1))
  for _, tile in ipairs(spec.tiles or {}) do things = lists.union(things, { table.unpack(tile, 2) }) end
  for _, thing in ipairs(things) do
    local row = measures.row { "tiles_" .. thing, count = thing, optional = true }
    row.is_added = true
    if not own[row[1]] then game.measure(row) end
  end
  return game
end

--- Raises an error if a row of a generator's options names an unknown measure or tile.
local function check_options(game, spec)
  local known = { measure = lists.field(game.measures, 1), tile = lists.field(spec.tiles or {}, 1) }
  for _, option in ipairs(spec.generate.options) do
    for what, name in pairs { measure = option.square or option.share or option.measure, tile = option.tile } do
      if not lists.contains(known[what], name) then
        refuse(("generate: option '%s'"):format(option[1]), nearest.unknown(what, tostring(name), known[what]))
      end
    end
  end
end

--- The first value of an option's default.
local function default_of(option) return type(option[2]) == "table" and option[2][1] or option[2] end

--- The value of an option for what is wanted of measures; an option whose default is an integer gets no other number. Nil and
--- the reason if no value gives what is wanted.
---@param sides table<string, integer>   the defaults of options
---@return number?, string?
local function value_of(option, wanted, meets, sides)
  local value = wanted[option.square or option.share or option.measure or option[1]]
  if not value then return nil end
  if option.square then
    local side = math.tointeger(value ^ 0.5)
    return side, not side and ("a %s of %g is no square"):format(option.square, value) or nil
  end
  if option.share then
    local size = sides.columns * sides.rows
    local count = math.floor(value * size + 0.5)
    if meets(option.share, count / size) then return count end
    return nil, ("no number of tiles of %d x %d is a share of %g"):format(sides.columns, sides.rows, value)
  end
  if math.type(default_of(option)) == "integer" then return math.tointeger(value) end
  return value
end

--- The function `options_for` of a generator: an option is what is wanted of the measure of its name or of its row's
--- `measure`, the square root of what is wanted of `square`, or the number of squares that are the wanted `share` of a board of
--- as many `columns` and `rows` as these options have at least.
---@param change nil|fun(wanted: table<string, number>, meets: crux.Meets, options: table): table?, string?   the declaration's
local function options_for(options, change)
  local defaults = {}
  for _, option in ipairs(options) do defaults[option[1]] = default_of(option) end
  return function(wanted, meets)
    local found = {}
    for _, option in ipairs(options) do
      local value, reason = value_of(option, wanted, meets, defaults)
      if reason then return nil, reason end
      found[option[1]] = value
      if option.share and value then found.columns, found.rows = defaults.columns, defaults.rows end
    end
    if change then return change(wanted, meets, found) end
    return found
  end
end

--- Puts the fields that a declaration gives itself in place of what its kit made.
function declaration.override(game, spec)
  for name in pairs(declaration.overrides) do game[name] = spec[name] or game[name] end
  if game.options then
    if spec.generate then check_options(game, spec) end
    game.options_for = options_for(game.options, spec.options_for)
  end
  return game
end

return declaration
