--- crux.base.xterm against the table of xterm's 256 colours: 16 + 36 r + 6 g + b of the cube, and the greys from 232 on.
local luaunit = require "luaunit"
local xterm = require "crux.base.xterm"

local Xterm = {}

function Xterm.test_numbers()
  for colour, number in pairs {
    ["#000"] = 16, ["#FFFFFF"] = 231, ["#f00"] = 196, ["#0000FF"] = 21, ["#87d7AF"] = 115, ["#5F5F5F"] = 59, ["#767676"] = 243,
    ["#EEEEEE"] = 255, ["#808080"] = 244, ["#E3C14A"] = 179, ["#20242B"] = 235,
  } do luaunit.assertEquals(xterm.number(colour), number, colour) end
end

function Xterm.test_names()
  for colour, name in pairs { ["#F00"] = "bright red", ["#00D000"] = "green", ["#CC00CC"] = "magenta", ["#E3C14A"] = "yellow" } do
    luaunit.assertEquals(xterm.name(colour), name)
  end
  luaunit.assertNil(xterm.name "#808080")
  luaunit.assertNil(xterm.name "#889099")
end

return { Test_Xterm = Xterm }
