-- A filter of pandoc, for wasm/site.sh: links to pages, the page's title, and above it links to what all pages lead to.

function Link(link)
  if not link.target:find "^%a+:" then link.target = link.target:gsub("%.md$", ".html"):gsub("%.md#", ".html#") end
  return link
end

function Pandoc(page)
  local root, places = pandoc.utils.stringify(page.meta.root) .. "/", {}
  for _, place in ipairs { { "crux", "index.html" }, { "All pages", "docs/README.html" }, { "Games to play", "games.html" },
    { "Workbench", "workbench.html" } } do
    table.insert(places, pandoc.Link(place[1], root .. place[2]))
    table.insert(places, pandoc.Str " · ")
  end
  table.remove(places)
  for _, block in ipairs(page.blocks) do
    if block.t == "Header" then
      page.meta.pagetitle = pandoc.utils.stringify(block)
      break
    end
  end
  table.insert(page.blocks, 1, pandoc.Div({ pandoc.Para(places) }, pandoc.Attr("", {}, { role = "navigation" })))
  return page
end
