--- Random games in plain Lua: choices, which bytes may make, draw a script by the rows of tests/support/plain_grammar.lua.
local grammar = require "plain_grammar"

local DEEPEST <const> = 4 -- blocks within blocks

---@class PlainProgram      a script with blocks of statements, from which some may be taken out
---@field step Block
---@field heuristic Block?
---@field blanks table<string, string>   what the script's other blanks hold

---@alias Block Statement[]
---@alias Statement (string|Block)[]   texts and blocks by turns, a text first

---@class Drawing            where in a script the next statement stands
---@field take fun(n: integer): integer   chooses a number from 1 to n
---@field kind "step"|"number"|"maybe"|"heuristic"   of the function: how it ends
---@field nesting integer    blocks around it
---@field loops integer      loops around it, with those around the function
---@field first integer      number of the function's first loop
---@field breaks boolean     whether `break` may stand here
local Drawing = {}
Drawing.__index = Drawing

--- A row, mostly one of those that a function may have: a function in a list that calls those of the list never ends.
function Drawing:row(rows, last)
  local row = rows[self.take(last or #rows)]
  local calls_itself = (self.kind == "number" or self.kind == "maybe") and row:find("fs[", 1, true)
  return calls_itself and rows[1] or row
end

--- The number of rows without expressions, by kind.
local leaves = {}
for kind, rows in pairs(grammar.expressions) do
  leaves[kind] = 0
  while rows[leaves[kind] + 1] and not rows[leaves[kind] + 1]:find "%u" do leaves[kind] = leaves[kind] + 1 end
end

--- A text with an expression, at most so deep, in place of each capital letter.
function Drawing:fill(text, depth)
  return (text:gsub("@", self.loops + 1):gsub("%u", function(kind)
    if kind == "L" then return self.first + self.take(self.loops - self.first + 1) - 1 end
    if kind == "I" then return self.loops > 0 and "i" .. self.take(self.loops) or "x" end
    local rows = grammar.expressions[kind]
    return self:fill(self:row(rows, depth == 0 and leaves[kind] or nil), depth - 1)
  end))
end

--- Where a block stands, by what its row calls it.
function Drawing:inner(name)
  local inner = setmetatable({ nesting = self.nesting + 1 }, { __index = self })
  if name == "loop" or name == "again" then inner.loops, inner.breaks = self.loops + 1, name == "loop" or self.breaks end
  if name == "function" or name == "maybe" then
    inner.kind, inner.first, inner.breaks = name == "maybe" and name or "number", self.loops + 1, false
  end
  return inner
end

--- A statement by one of these rows.
function Drawing:statement(rows)
  local row, statement, at = self:row(rows), {}, 1
  local text_of = self
  while true do
    local first, last, name = row:find("{(%l*)}", at)
    table.insert(statement, text_of:fill(row:sub(at, (first or 0) - 1), self.take(3)))
    if not first then return statement end
    local inner = self:inner(name)
    table.insert(statement, inner:block(self.take(3)))
    if name == "function" or name == "maybe" then text_of = setmetatable({ kind = "number" }, { __index = self }) end
    at = last + 1
  end
end

--- A number of statements.
---@return Block
function Drawing:block(count)
  local block = {}
  for i = 1, count do block[i] = self:statement(self:rows()) end
  return block
end

--- Rows of one of the groups that may stand here.
function Drawing:rows()
  local of, take = grammar.statements, self.take
  local rare = take(50)
  if rare == 2 then return of.errors end
  if rare == 3 then return of.hard end
  local groups = { of.simple, of.simple, of.simple, self.kind == "step" and of.moving or of.simple, of[self.kind] }
  if self.breaks then table.move({ of.breaks, of.breaks }, 1, 2, #groups + 1, groups) end
  if self.loops >= self.first then table.insert(groups, of.jumps) end
  if self.nesting < DEEPEST then table.move({ of.branches, of.branches, of.loops, of.loops, of.functions }, 1, 5, #groups + 1, groups) end
  return groups[take(#groups)]
end

local program = {}

--- Draws a program.
---@param take fun(n: integer): integer
function program.draw(take)
  local function at(kind)
    return setmetatable({ take = take, kind = kind, nesting = 0, loops = 0, first = 1, breaks = false }, Drawing)
  end
  local step = at "step"
  return { step = step:block(take(6) + 1), heuristic = take(6) == 6 and at("heuristic"):block(take(3)) or nil,
    blanks = { START = tostring(take(8) - 1), WON = step:fill("C", 3), LOST = take(3) == 3 and step:fill("C", 2) or "nil",
      FIRST = step:fill(("if move == 'two' then V = 5 end %s %s"):format(step:row(grammar.first), step:row(grammar.first)), 0),
      ESTIMATE = at("heuristic"):fill("N & 3", 3) } }
end

--- Adds the lines of a block.
local function add_lines(lines, block, indent)
  for _, statement in ipairs(block) do
    for _, part in ipairs(statement) do
      if type(part) == "table" then
        add_lines(lines, part, indent .. "  ")
      elseif part ~= "" then
        table.insert(lines, indent .. part:match "^%s*(.-)%s*$")
      end
    end
  end
end

local function text_of(block)
  local lines = {}
  add_lines(lines, block, "    ")
  return table.concat(lines, "\n")
end

--- The script of a program.
---@param of PlainProgram
function program.text(of)
  local begin = grammar.begin:gsub("\n$", ""):gsub("%%FIRST%%", (of.blanks.FIRST:gsub("%%", "%%%%")))
  local blanks = setmetatable({ BEGIN = begin, STEP = text_of(of.step) }, { __index = of.blanks })
  local function fill(text) return (text:gsub("%%(%u+)%%", blanks)) end
  blanks.HEURISTIC = "nil"
  if of.heuristic then
    local step = blanks.STEP
    blanks.STEP = text_of(of.heuristic)
    blanks.HEURISTIC, blanks.STEP = fill(grammar.heuristic), step
  end
  return fill(grammar.script)
end

--- Takes statements out of a block, and of those within it, for as long as something holds of the program without them.
local function reduce(block, holds)
  for i = #block, 1, -1 do
    local statement = table.remove(block, i)
    if not holds() then
      table.insert(block, i, statement)
      for _, part in ipairs(statement) do
        if type(part) == "table" then reduce(part, holds) end
      end
    end
  end
end

--- Takes statements out of a program for as long as something holds of its script.
---@param of PlainProgram
---@param holds fun(text: string): boolean
function program.reduce(of, holds)
  local function still() return holds(program.text(of)) end
  reduce(of.step, still)
  if of.heuristic then reduce(of.heuristic, still) end
end

return program
