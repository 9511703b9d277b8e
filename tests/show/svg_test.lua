--- SVG as text: escaping, numbers, elements, whole pictures.
local luaunit = require "luaunit"
local svg = require "crux.show.svg"
local xml = require "xml_reader"

local Svg = {}

function Svg.test_escape()
  for _, case in ipairs {
    { "plain ünïcode ↑", "plain ünïcode ↑" },
    { [[<script>alert("1" & '2')</script>]], "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;" },
    { "a\nb\tc\rd", "a b c d" },
    { "\0\27[31m\127", "\u{FFFD}\u{FFFD}[31m\u{FFFD}" },
    { "\255\254", "\u{FFFD}\u{FFFD}" },
    { "\u{FFFE}\u{FFFF}\u{FFFD}", "\u{FFFD}\u{FFFD}\u{FFFD}" },
    { "\237\160\128", "\u{FFFD}\u{FFFD}\u{FFFD}" }, -- a lone surrogate
    { "&amp;", "&amp;amp;" },
    { "]]>", "]]&gt;" },
  } do
    luaunit.assertEquals(svg.escape(case[1]), case[2])
  end
end

function Svg.test_every_byte_is_well_formed()
  for byte = 0, 255 do
    local name = string.char(byte)
    xml(svg.element("g", { class = name }, svg.text(name, { x = 1 })))
  end
end

function Svg.test_numbers()
  for _, case in ipairs { { 1, "1" }, { 1.5, "1.5" }, { 0.126, "0.13" }, { -0.001, "0" }, { 100, "100" }, { -20.10, "-20.1" },
    { 1e-9, "0" }, { 1200.0, "1200" } } do
    luaunit.assertEquals(svg.number(case[1]), case[2])
  end
end

function Svg.test_elements()
  luaunit.assertEquals(svg.element("rect", { y = 2, x = 1.25, class = "a" }), '<rect class="a" x="1.25" y="2"/>')
  luaunit.assertEquals(svg.element("g", {}, svg.text("a<b", { x = 0 }), ""), '<g><text x="0">a&lt;b</text></g>')
  luaunit.assertEquals(svg.path { { 1, 2 }, { 3.456, -4 } }, "M1 2L3.46 -4")
end

function Svg.test_width_is_rather_too_wide()
  luaunit.assertEquals(svg.width("", 10), 0)
  luaunit.assertAlmostEquals(svg.width("il", 10), 7.4, 1e-9)
  luaunit.assertAlmostEquals(svg.width("mö漢", 10), 9.6 + 6.3 + 10, 1e-9)
end

function Svg.test_picture()
  local root = xml(svg.picture({ width = 100, height = 50, title = "A & B", description = "what <it> shows", id = "p1" },
    svg.text("inside", {})))
  luaunit.assertEquals(root.name, "svg")
  luaunit.assertEquals(root.attributes, { xmlns = "http://www.w3.org/2000/svg", class = "crux-picture", role = "img",
    viewBox = "0 0 100 50", ["aria-labelledby"] = "p1-title p1-description" })
  luaunit.assertEquals({ root[1].name, root[1].attributes.id, root[1].text }, { "title", "p1-title", "A & B" })
  luaunit.assertEquals({ root[2].name, root[2].attributes.id, root[2].text }, { "desc", "p1-description", "what <it> shows" })
  luaunit.assertEquals({ root[3].name, root[4].name, root[5].text }, { "style", "rect", "inside" })
  luaunit.assertStrContains(root[3].text, "@media (prefers-color-scheme:dark){")
  local bare = xml(svg.picture({ width = 1, height = 1, title = "", description = "", bare = true }))
  luaunit.assertEquals({ #bare, bare[3].name }, { 3, "rect" })
end

return { Svg = Svg }
