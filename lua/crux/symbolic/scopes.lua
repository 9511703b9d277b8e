--- Which variable a name means at a place of a text, which variables functions capture, and where gotos go.

---@class Scopes
---@field fn FunctionNode?   the function that is being parsed
local Scopes = {}
Scopes.__index = Scopes

local scopes = {}

---@param refuse fun(found: string, expected: string, node: table)   raises a fault at the place of a node
---@return Scopes
function scopes.new(refuse)
  return setmetatable({ refuse = refuse,
    active = {},   -- variables in scope, the innermost last
    hidden = {},   -- the variable that each of them hides, or false
    visible = {},  -- variables by name
    labels = {},   -- visible labels of the function by name
    gotos = {},    -- of the function, those that have found no label yet
  }, Scopes)
end

--- Makes a variable visible.
---@param variable Variable
function Scopes:declare(variable)
  local n = #self.active + 1
  self.active[n], self.hidden[n] = variable, self.visible[variable.name] or false
  self.visible[variable.name] = variable
end

--- Opens the scope of a block; it lists the names of its labels.
function Scopes:open() return { first = #self.active, gotos = #self.gotos } end

--- Closes a scope. Its gotos that have found no label go on in the block around it.
function Scopes:close(scope)
  local active, hidden = self.active, self.hidden
  for i = #active, scope.first + 1, -1 do
    self.visible[active[i].name] = hidden[i] or nil
    active[i], hidden[i] = nil, nil
  end
  for i = scope.gotos + 1, #self.gotos do self.gotos[i].depth = math.min(self.gotos[i].depth, scope.first) end
  for _, name in ipairs(scope) do self.labels[name] = nil end
end

--- Begins a function inside the current one.
function Scopes:enter(fn)
  fn.outer, fn.is_free = self.fn, {}
  self.fn, fn.around = fn, { self.labels, self.gotos }
  self.labels, self.gotos = {}, {}
end

--- Ends the current function.
function Scopes:leave()
  local fn = self.fn
  local lost = self.gotos[1]
  if lost then self.refuse(("a goto to '%s'"):format(lost.node.label), "a label of that name around it", lost.node) end
  self.labels, self.gotos = fn.around[1], fn.around[2]
  self.fn, fn.is_free, fn.around = fn.outer, nil, nil
end

--- Notes the use of an outer function's variable: as an upvalue of the function and of those between.
function Scopes:capture(variable, fn)
  if fn.is_free[variable] then return end
  if fn.outer and fn.outer ~= variable.owner then self:capture(variable, fn.outer) end
  fn.is_free[variable], variable.is_captured = true, true
  table.insert(fn.free, variable)
end

--- The variable of a name that is used in the current function; nil for a global name.
---@return Variable?
function Scopes:find(name)
  local variable = self.visible[name]
  if variable and variable.owner ~= self.fn and not variable.constant then self:capture(variable, self.fn) end
  return variable
end

--- Notes the target of an assignment in the functions for which its variable is one from outside.
function Scopes:note_target(target)
  local root = target
  while root.kind == "index" do root = root.object end
  local owner, fn = root.variable and root.variable.owner, root.variable and self.fn
  while fn and fn ~= owner do
    fn.outside_target = fn.outside_target or target
    fn = fn.outer
  end
end

--- Finds the label of a goto, or lets it wait for one.
function Scopes:go(node)
  node.target = self.labels[node.label]
  if not node.target then table.insert(self.gotos, { node = node, depth = #self.active }) end
end

--- Adds a label to a scope; gotos that wait for it go there.
---@param is_last boolean   no statement follows in the block, so that none of its variables is in scope any more
function Scopes:label(node, scope, is_last)
  local other = self.labels[node.label]
  if other then self.refuse(("a second label '%s'"):format(node.label), ("one, in line %d"):format(other.line), node) end
  local depth = is_last and scope.first or #self.active
  for i = #self.gotos, scope.gotos + 1, -1 do
    local waiting = self.gotos[i]
    if waiting.node.label == node.label then
      if waiting.depth < depth then
        self.refuse(("a goto to '%s'"):format(node.label),
          ("none into the scope of the variable '%s'"):format(self.active[waiting.depth + 1].name), waiting.node)
      end
      waiting.node.target = node
      table.remove(self.gotos, i)
    end
  end
  self.labels[node.label] = node
  table.insert(scope, node.label)
end

return scopes
