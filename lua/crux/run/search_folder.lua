--- Folders of searches on disk: `states`, the file of their layers, and `journal`, which says which layers are complete.
local disk_search = require "libcrux.disk_search"
local fault = require "crux.base.fault"
local file_system = require "libcrux.files"
local journal = require "crux.run.journal"

local search_folder = {}

---@class OpenFolder: SearchFolder
---@field log Journal
---@field made userdata|true     a temporary if the folder is new
---@field is_used boolean        there are layers in it
---@field is_closed boolean?
local Folder = {}
Folder.__index = Folder

--- Opens or makes a folder. No file is opened for writing later. Use with <close>.
---@return OpenFolder
function search_folder.open(path)
  local self = setmetatable({ path = path, made = fault.check(file_system.make_folder(path)), is_used = false }, Folder)
  local ok, problem = pcall(function()
    local is_known = file_system.is_regular(path .. "/journal") ~= nil -- it may have no step yet
    self.log = journal.open(path .. "/journal", { "solve", "--disk", path })
    self.log.noun, self.is_used = "layer", self.log.file:has(1)
    local message
    self.disk, message = disk_search.open(path, is_known)
    if not self.disk then fault.raise(("%s/states: %s"):format(path, message)) end
  end)
  if ok then return self end
  self:__close()
  error(problem, 0)
end

--- Raises a fault if the layers in the folder are those of another crux, or of other files.
---@param paths string[]
function Folder:files(paths)
  self.log:begin("solve --disk", {})
  self.log:files(paths)
end

function Folder:result(make)
  local step = self.log:take("layer")
  if step.is_done then return step.result end
  self.log.is_running = true
  local result = make()
  if not result then return nil end
  self.log:put(step, result)
  self.log.is_running, self.is_used = false, true
  return result
end

--- Closes the files, and tells how much is done if the search has not ended; removes files without a layer, and their folder if
--- it is new.
function Folder:__close(problem)
  if self.is_closed then return end
  self.is_closed = true
  if self.disk then self.disk:close() end
  if self.log then self.log:__close(problem or self.log.is_running) end
  if self.disk and not self.is_used then os.remove(self.path .. "/states") end
  if self.made == true then return end
  file_system[self.is_used and "keep" or "remove"](self.made)
end

return search_folder
