--- Lists all solutions of a puzzle by a solver that finds one: it decides a detail of the solution at a time, and follows each
--- choice that leaves a solution.
local sizes = require "libcrux.sizes"

local listing = {}

--- The solutions of a puzzle, as nodes for which `branch` returns nil; nil if there are too many, or the solver met a limit.
---@generic T
---@param start T                             nothing is decided
---@param status fun(node: T): string         "solved" if the node leaves a solution, "unsolvable" if not
---@param branch fun(node: T): T[]?           a node for each choice of the next detail; nil if all is decided
---@return T[]?
function listing.run(start, status, branch)
  local found = {}
  local function follow(node)
    local outcome = status(node)
    if outcome ~= "solved" then return outcome == "unsolvable" end
    local nodes = branch(node)
    if not nodes then table.insert(found, node) end
    for _, next_node in ipairs(nodes or {}) do
      if not follow(next_node) then return false end
    end
    return #found <= sizes.listed_solutions
  end
  return follow(start) and found or nil
end

return listing
