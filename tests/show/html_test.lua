--- Tests of crux.html: templates and tables.
local html = require "crux.show.html"
local luaunit = require "luaunit"

local Html = {}

function Html.test_fill()
  for _, case in ipairs {
    { "{{a}}, {{{a}}}", { a = "<b>" }, "&lt;b&gt;, <b>" },
    { "{{#list}}{{x}}{{outer}};{{/list}}", { list = { { x = 1 }, { x = 2 } }, outer = "!" }, "1!;2!;" },
    { "{{#list}}x{{/list}}{{^list}}none{{/list}}", { list = {} }, "none" },
    { "{{#list}}x{{/list}}{{^list}}none{{/list}}", {}, "none" },
    { "{{#yes}}{{a}}{{/yes}}{{^yes}}no{{/yes}}", { yes = true, a = "a" }, "a" },
    { "{{#text}}[{{text}}]{{/text}}", { text = "t" }, "[t]" },
    { "{{#a}}{{#b}}{{x}}{{y}}{{/b}}{{/a}}", { a = { { x = 1, b = { { y = 2 }, { y = 3 } } } } }, "1213" },
    { "no tags }} {{ at all", {}, "no tags }} {{ at all" },
  } do
    luaunit.assertEquals(html.fill(case[1], case[2]), case[3])
  end
end

--- What was filled in is not read again.
function Html.test_values_are_no_templates()
  luaunit.assertEquals(html.fill("{{a}}{{{b}}}", { a = "{{b}}", b = "{{#a}}" }), "{{b}}{{#a}}")
end

function Html.test_unknown_name() luaunit.assertErrorMsgContains("nobody", html.fill, "{{nobody}}", {}) end

function Html.test_table()
  local text = html.table { id = "t", caption = "A & B", sortable = true,
    columns = { { key = "level" }, { key = "the_size" }, { key = "picture", html = "raw" } },
    rows = { { level = "<x>", the_size = 1.23456789, raw = "<i>" }, { level = "y", the_size = 2 }, { level = "z" } } }
  for _, part in ipairs {
    '<table class="sortable">', '<caption id="t-caption">A &amp; B</caption>', '<th scope="col" class="number">the size</th>',
    '<th scope="col" data-fixed>picture</th>', '<th scope="row">&lt;x&gt;</th>',
    '<td class="number" data-value="1.23456789">1.235</td><td><i></td>', '<td class="number" data-value="2">2.000</td>',
    '<th scope="row">z</th><td class="number"></td>',
  } do
    luaunit.assertStrContains(text, part)
  end
end

return { Html = Html }
