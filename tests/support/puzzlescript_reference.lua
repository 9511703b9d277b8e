--- A slow and simple interpreter of PuzzleScript, without bits: cells are sets of names, rules are lists of words. It takes
--- the rules as they are written from crux.puzzlescript.rules. It does not support chance.
local expansion = require "puzzlescript_expansion"
local levels = require "crux.puzzlescript.levels"
local parser = require "crux.puzzlescript.parser"
local rules = require "crux.puzzlescript.rules"
local words = require "crux.puzzlescript.words"

local reference = {}

local steps = { up = { 0, -1 }, down = { 0, 1 }, left = { -1, 0 }, right = { 1, 0 } }
local inputs = { [0] = "up", "left", "down", "right", "action" }

---@class Grid: table[]   columns of cells { objects = set of names, moves = set of directions by layer, rigid = group by
--- layer }
---@field width integer
---@field height integer

local Play = {}
Play.__index = Play

local function copy_grid(grid)
  local new = { width = grid.width, height = grid.height }
  for x = 1, grid.width do
    new[x] = {}
    for y = 1, grid.height do
      local cell = { objects = {}, moves = {}, rigid = {} }
      for name in pairs(grid[x][y].objects) do cell.objects[name] = true end
      new[x][y] = cell
    end
  end
  return new
end

--- Returns the objects of each cell, all in one line.
local function text_of(grid)
  local parts = {}
  for x = 1, grid.width do
    for y = 1, grid.height do
      local names = {}
      for name in pairs(grid[x][y].objects) do table.insert(names, name) end
      table.sort(names)
      table.insert(parts, table.concat(names, " "))
    end
  end
  return table.concat(parts, ",")
end

--- Returns the objects that a name stands for: the object itself, or those of a property.
function Play:objects_of(name) return self.game.properties[name] or { name } end
function Play:layer_of(name) return self.game.objects[self:objects_of(name)[1]].layer end

local function has_any(set, names)
  for _, name in ipairs(names) do
    if set[name] then return true end
  end
  return false
end

--- Limit on the cells compared in one input.
local max_work <const> = 50000

function Play:cell_matches(cell, pattern)
  self.work = self.work + 1
  if self.work > max_work then error(self, 0) end
  for i = 1, #pattern, 2 do
    local word, name = pattern[i], pattern[i + 1]
    local is_there = has_any(cell.objects, self:objects_of(name))
    if (word == "no") == is_there then return false end
    local moves = cell.moves[self:layer_of(name)] or {}
    if word == "stationary" and next(moves) then return false end
    if steps[word] and not moves[word] or word == "action" and not moves.action then return false end
  end
  return true
end

--- Matches a part of a row, up to a gap, with the cells from x, y on. Returns the number of the next cell of the row and the
--- place behind; nil if a cell does not match.
function Play:part_matches(row, from, x, y, step)
  local k = from
  while row[k] and row[k][1] ~= "..." do
    local cell = self.grid[x] and self.grid[x][y]
    if not cell or not self:cell_matches(cell, row[k]) then return nil end
    k, x, y = k + 1, x + step[1], y + step[2]
  end
  return k, x, y
end

--- Finds all matches of a row from a cell on, each a list of the places of its cells. Tries the shortest gap first.
function Play:places_from(row, from, x, y, step, so_far, found)
  local k, behind_x, behind_y = self:part_matches(row, from, x, y, step)
  if not k then return end
  local places = table.move(so_far, 1, #so_far, 1, {})
  for i = from, k - 1 do places[i] = { x + (i - from) * step[1], y + (i - from) * step[2] } end
  if not row[k] then
    table.insert(found, places)
    return
  end
  places[k] = false
  while self.grid[behind_x] and self.grid[behind_x][behind_y] do
    self:places_from(row, k + 1, behind_x, behind_y, step, places, found)
    behind_x, behind_y = behind_x + step[1], behind_y + step[2]
  end
end

function Play:matches(row, direction)
  local found, grid = {}, self.grid
  local function try(x, y) self:places_from(row, 1, x, y, steps[direction], {}, found) end
  if direction == "up" or direction == "down" then
    for x = 1, grid.width do
      for y = 1, grid.height do try(x, y) end
    end
  else
    for y = 1, grid.height do
      for x = 1, grid.width do try(x, y) end
    end
  end
  return found
end

function Play:clear_layer(objects, layer)
  for name in pairs(objects) do
    if self.game.objects[name].layer == layer then objects[name] = nil end
  end
end

local function same(a, b)
  for key in pairs(a) do
    if not b[key] then return false end
  end
  for key in pairs(b) do
    if not a[key] then return false end
  end
  return true
end

--- Replaces a cell by the right side. Returns true if anything changed.
function Play:replace(cell, left, right, group)
  local objects, new, moves, go = {}, {}, {}, {}
  for name in pairs(cell.objects) do objects[name] = true end
  for layer, set in pairs(cell.moves) do
    moves[layer] = {}
    for word in pairs(set) do moves[layer][word] = true end
  end
  local used, set_layers, touched, stopped = {}, {}, {}, {}
  for i = 1, #right, 2 do
    local word, name = right[i], right[i + 1]
    if word == "no" then
      for _, object in ipairs(self:objects_of(name)) do objects[object] = nil end
    else
      local layer = self:layer_of(name)
      used[layer] = true
      if word ~= "" then touched[layer] = true end
      if word == "stationary" then stopped[layer] = true
      elseif word ~= "" then go[layer] = word end
      if self.game.objects[name] then
        self:clear_layer(objects, layer)
        new[name], set_layers[layer] = true, true
      end
    end
  end
  local kept, on_left, moves_kept = true, {}, true
  for i = 1, #left, 2 do
    local word, name = left[i], left[i + 1]
    if word ~= "no" then
      local layer = self:layer_of(name)
      on_left[layer] = true
      if self.game.objects[name] then
        kept = kept and new[name]
        if not set_layers[layer] then touched[layer] = true end
      end
      if word ~= "" and word ~= "stationary" then moves_kept = moves_kept and go[layer] == word end
    end
  end
  for i = 1, #left, 2 do
    local word, name = left[i], left[i + 1]
    if word ~= "no" and self.game.objects[name] and not kept then objects[name] = nil end
    if steps[word] or word == "action" then
      local set = moves[self:layer_of(name)]
      if set and not moves_kept then set[word] = nil end
    end
  end
  for layer in pairs(on_left) do
    if not used[layer] then
      self:clear_layer(objects, layer)
      touched[layer] = true
    end
  end
  for layer in pairs(touched) do moves[layer] = nil end
  for layer in pairs(stopped) do moves[layer] = nil end
  for layer, word in pairs(go) do
    moves[layer] = moves[layer] or {}
    moves[layer][word] = true
  end
  for name in pairs(new) do objects[name] = true end
  local changed = not same(cell.objects, objects)
  for layer = 0, #self.game.source.layers - 1 do
    changed = changed or not same(cell.moves[layer] or {}, moves[layer] or {})
  end
  cell.objects, cell.moves = objects, moves
  local marked = false
  if group and next(touched) then
    local all_marked, all_of_group = true, true
    for layer in pairs(touched) do
      all_marked = all_marked and cell.rigid[layer] ~= nil
      all_of_group = all_of_group and cell.rigid[layer] == group
    end
    if not all_marked and not all_of_group then
      marked = true
      for layer in pairs(touched) do cell.rigid[layer] = cell.rigid[layer] or group end
    end
  end
  return changed or marked
end

local strong = { cancel = true, restart = true }

function Play:give(rule)
  local given = {}
  for name, bit in pairs(words.commands) do
    if rule.commands >> bit & 1 == 1 then given[name] = true end
  end
  if self.commands.cancel or self.commands.restart and not given.cancel then return end
  for name in pairs(strong) do
    if given[name] then self.commands = {} end
  end
  for name in pairs(given) do self.commands[name] = true end
end

--- Returns all combinations of one match for each row; the match of the first row changes fastest.
local function tuples_of(lists)
  local tuples = { {} }
  for _, list in ipairs(lists) do
    local longer = {}
    for _, match in ipairs(list) do
      for _, tuple in ipairs(tuples) do
        local new = table.move(tuple, 1, #tuple, 1, {})
        table.insert(new, match)
        table.insert(longer, new)
      end
    end
    tuples = longer
  end
  return tuples
end

function Play:still_matches(rule, tuple)
  for i, row in ipairs(rule.left) do
    for k, place in ipairs(tuple[i]) do
      if place and not self:cell_matches(self.grid[place[1]][place[2]], row[k]) then return false end
    end
  end
  return true
end

function Play:apply(rule, group)
  local lists = {}
  for i, row in ipairs(rule.left) do
    lists[i] = self:matches(row, rule.direction)
    if #lists[i] == 0 then return false end
  end
  local changed = false
  for number, tuple in ipairs(#rule.right > 0 and tuples_of(lists) or {}) do
    if number == 1 or self:still_matches(rule, tuple) then
      for i, row in ipairs(rule.right) do
        for k, place in ipairs(tuple[i]) do
          local is_changed = place and self:replace(self.grid[place[1]][place[2]], rule.left[i][k], row[k], rule.rigid and group)
          changed = changed or is_changed
        end
      end
    end
  end
  self:give(rule)
  return changed
end

function Play:run_groups(groups, banned)
  local changed, loops, number = false, 0, 1
  while groups[number] do
    local group = groups[number]
    if not banned[group] then
      local rounds, now = 0, true
      while now and rounds < 200 do
        now, rounds = false, rounds + 1
        for _, rule in ipairs(group) do now = self:apply(rule, group) or now end
        changed = changed or now
      end
    end
    if changed and group.loop then
      number, changed, loops = group.loop, false, loops + 1
      if loops > 200 then return end
    else
      number = number + 1
    end
  end
end

--- Moves objects, cell after cell, until none can move. Returns a rigid group that could not move.
function Play:resolve(banned)
  local grid, moved = self.grid, true
  while moved do
    moved = false
    for x = 1, grid.width do
      for y = 1, grid.height do
        for layer = 0, #self.game.source.layers - 1 do
          local cell = grid[x][y]
          local word = next(cell.moves[layer] or {})
          local step = steps[word]
          local target = step and grid[x + step[1]] and grid[x + step[1]][y + step[2]]
          local is_free = target ~= nil and not has_any(target.objects, self.game.source.layers[layer + 1])
          if word == "action" or step and target and is_free then
            for _, name in ipairs(step and self.game.source.layers[layer + 1] or {}) do
              if cell.objects[name] then cell.objects[name], target.objects[name] = nil, true end
            end
            cell.moves[layer], moved = nil, true
          end
        end
      end
    end
  end
  local failed = false
  for x = 1, grid.width do
    for y = 1, grid.height do
      local cell = grid[x][y]
      for layer = 0, #self.game.source.layers - 1 do
        local group = next(cell.moves[layer] or {}) and cell.rigid[layer]
        if group then
          failed = failed or not banned[group]
          banned[group] = true
          break
        end
      end
      cell.moves, cell.rigid = {}, {}
    end
  end
  return failed
end

local function on(cell, names, all)
  for _, name in ipairs(names) do
    if (cell.objects[name] or false) ~= all then return not all end
  end
  return all
end

function Play:is_won()
  local conditions = self.conditions
  for _, condition in ipairs(conditions) do
    local some, every = false, true
    for x = 1, self.grid.width do
      for y = 1, self.grid.height do
        local cell = self.grid[x][y]
        if on(cell, condition.first, condition.first_all) then
          local both = not condition.second or on(cell, condition.second, condition.second_all)
          some, every = some or both, every and both
        end
      end
    end
    if condition.word == "all" and not every or condition.word == "no" and some then return false end
    if (condition.word == "some" or condition.word == "any") and not some then return false end
  end
  return #conditions > 0
end

--- Takes a turn. Returns true if it changed anything, or would when `tries`.
function Play:turn(input, tries, may_win)
  local before = copy_grid(self.grid)
  self.is_again, self.commands = false, {}
  local start, banned, failed, tries_left = before, {}, true, 50
  local players = {}
  while failed and tries_left > 0 do
    self.grid, self.commands, players = copy_grid(start), {}, {}
    for x = 1, input and self.grid.width or 0 do
      for y = 1, self.grid.height do
        local cell = self.grid[x][y]
        for _, name in ipairs(self:objects_of(self.game.synonyms.player or "player")) do
          if cell.objects[name] then
            cell.moves[self:layer_of(name)] = { [inputs[input]] = true }
            table.insert(players, { x, y })
          end
        end
      end
    end
    self:run_groups(self.early, banned)
    failed, tries_left = self:resolve(banned), tries_left - 1
  end
  if failed then self.grid = copy_grid(start) else self:run_groups(self.late, {}) end
  if self.game.source.prelude.require_player_movement and #players > 0 then
    local moved = false
    for _, place in ipairs(players) do
      local cell = self.grid[place[1]][place[2]]
      moved = moved or not has_any(cell.objects, self:objects_of(self.game.synonyms.player or "player"))
    end
    if not moved then
      self.grid = before
      return false
    end
  end
  return self:run_commands(before, tries, may_win)
end

function Play:run_commands(before, tries, may_win)
  local commands = self.commands
  if commands.cancel then
    self.grid, self.commands = before, {}
    commands.cancel = nil
    return next(commands) ~= nil
  end
  if commands.restart and not tries then
    self.grid, self.commands = copy_grid(self.restart), {}
  end
  local changed = text_of(self.grid) ~= text_of(before)
  if tries then
    self.grid = before
    return changed or commands.win or commands.restart
  end
  if may_win and (self.commands.win or self:is_won()) then self.won = true end
  if self.commands.checkpoint then self.restart = copy_grid(self.grid) end
  if self.commands.again and changed then self.is_again = self:turn(nil, true, false) end
  return changed
end

local function go_on(self, input)
  self:turn(input, false, true)
  while self.is_again do self:turn(nil, false, true) end -- also after a win: no level follows
end

--- Takes an input and the turns that rules ask for. Returns false when it exceeds max_work, for example with endless rules.
function Play:input(input)
  self.work = 0
  local ok, problem = pcall(go_on, self, input)
  if not ok and problem ~= self then error(problem, 0) end
  return ok
end

function Play:text() return text_of(self.grid) end

local function groups_of(list, late, loops)
  local groups, by_line = {}, {}
  for _, rule in ipairs(list) do
    if rule.late == late then
      if not by_line[rule.group] then
        by_line[rule.group] = { line = rule.group }
        table.insert(groups, by_line[rule.group])
      end
      table.insert(by_line[rule.group], rule)
    end
  end
  for i = 1, #loops, 2 do
    local first, last
    for number, group in ipairs(groups) do
      if group.line > loops[i][1] and group.line < loops[i + 1][1] then first, last = first or number, group end
    end
    if last then last.loop = first end
  end
  return groups
end

--- Returns an expanded rule with its cells by side and row: { left =, right =, direction =, and the fields of its text }.
local function by_rows(rule)
  local result, k = setmetatable({ direction = rule.direction, left = {}, right = {} }, { __index = rule.of }), 0
  for _, side in ipairs { "left", "right" } do
    for i, row in ipairs(rule.of[side]) do
      result[side][i] = table.move(rule.cells, k + 1, k + #row, 1, {})
      k = k + #row
    end
  end
  return result
end

--- Returns false for a rule that requires two objects of a layer in one cell, or an object and its absence.
local function is_possible(self, rule)
  for _, row in ipairs(rule.left) do
    for _, cell in ipairs(row) do
      local layers, present = {}, {}
      for i = 1, #cell, 2 do
        if cell[i] ~= "no" and cell[i] ~= "..." then
          local layer = self:layer_of(cell[i + 1])
          if layers[layer] then return false end
          layers[layer], present[cell[i + 1]] = true, true
        end
      end
      for i = 1, #cell, 2 do
        if cell[i] == "no" and present[cell[i + 1]] then return false end
      end
    end
  end
  return true
end

--- Starts a level.
---@param game PuzzleScript   the compiled game
---@param number integer      the level, from 1
function reference.play(text, game, number)
  local source = parser.parse(text, "game.txt")
  local written, loops = rules.of(source)
  local self = setmetatable({ game = game, conditions = {}, commands = {} }, Play)
  local possible = {}
  for _, expanded in ipairs(expansion.of(written, game)) do
    local rule = by_rows(expanded)
    if is_possible(self, rule) then table.insert(possible, rule) end
  end
  self.early, self.late = groups_of(possible, false, loops), groups_of(possible, true, loops)
  for _, line in ipairs(source.conditions) do
    local word, first, second = line.text:match "^(%a+) (%a+) ?o?n? ?(%a*)"
    local function names(name)
      return game.aggregates[name] or self:objects_of(game.synonyms[name] or name), game.aggregates[name] ~= nil
    end
    local condition = { word = word }
    condition.first, condition.first_all = names(first)
    if second ~= "" then condition.second, condition.second_all = names(second) end
    table.insert(self.conditions, condition)
  end
  local level = levels.of(game, number - 1)
  self.grid = { width = level.width, height = level.height }
  for x = 1, level.width do
    self.grid[x] = {}
    for y = 1, level.height do
      local cell = { objects = {}, moves = {}, rigid = {} }
      for i, word in ipairs(level.cells[(x - 1) * level.height + y]) do
        for bit = 0, 63 do
          if word >> bit & 1 == 1 then cell.objects[game.object_names[64 * (i - 1) + bit]] = true end
        end
      end
      self.grid[x][y] = cell
    end
  end
  self.restart = copy_grid(self.grid)
  return self
end

return reference
