-- A file that requires itself.
-- measure: requires itself
local game = require "honest"
require "require-itself"
return game
