--- README.md, docs/ and the guides in examples/ tell the truth: what they show is printed, what they name is there, their links
--- lead somewhere, and what is generated is generated anew.
package.path = "tests/claims/?.lua;" .. package.path
local claims = require "claims"
local generate = dofile "docs/generate.lua"
local long = require "long"
local luaunit = require "luaunit"
local playing = require "playing"
local said = require "said"
local shell = require "shell"
local walkthrough = require "walkthrough"

local here = shell.run("pwd").out:gsub("\n", "")

local function pages() return shell.lines(shell.output "ls *.md docs/*.md examples/*/README.md") end

--- Iterates over path, text and the text without code blocks of all pages.
local function each_page()
  return coroutine.wrap(function()
    for _, path in ipairs(pages()) do
      local text = "\n" .. shell.read(path)
      coroutine.yield(path, text, (text:gsub("\n```.-\n```%f[\n]", "\n")))
    end
  end)
end

--- What the first player of the study sees, and whether rows of the plan are as they are shown.
local function check_study(text, folder)
  local plan = "\n" .. shell.read(folder .. "/plan.csv")
  for _, block in ipairs(walkthrough.blocks(text)) do
    if block.text:find "^player,position" then
      for line in block.text:gmatch "[^\n]+" do
        if line ~= "..." then luaunit.assertStrContains(plan, "\n" .. line .. "\n") end
      end
    elseif block.text:find "^ level 1" and not playing.missing() then
      local line = ("sh -c %s"):format(shell.quote(("cd %s && %s play --plan plan.csv --player p1 --record new.csv"):format(folder,
        shell.quote(shell.program))))
      luaunit.assertEquals(playing.run(line, { "see level 1", "size 72 12", "see q quit", "show" }), block.text)
    end
  end
end

--- The page shows the picture that its commands draw.
local function check_first_evening(_, folder)
  luaunit.assertEquals(shell.read(folder .. "/evening/predicted.svg"), shell.read "docs/pictures/predicted.svg")
end

local further = { ["docs/study.md"] = check_study, ["docs/first-evening.md"] = check_first_evening }

local Docs = {}

--- In a new folder beside which are those of the checkout that hold data.
function Docs.test_commands_print_what_is_shown()
  local total = 0
  for path, text in each_page() do
    local _, expected = text:gsub("\n%$ ", "")
    if expected > 0 and long.choose(path == "docs/formulas.md" or path == "docs/levels-in-ci.md", true) then
      local folder = shell.folder("page-" .. path:gsub("/", "-"))
      for _, name in ipairs { "datasets", "examples" } do shell.run(("ln -s %s/%s %s/%s"):format(here, name, folder, name)) end
      luaunit.assertEquals(walkthrough.follow(text, folder), expected, path)
      if further[path] then further[path](text, folder) end
      total = total + expected
    end
  end
  luaunit.assertTrue(total >= long.choose(4, 60))
  playing.expect() -- else what the first player sees was left out
end

--- Command lines that are shown and not run, by how their line begins.
local not_run = {
  "make ", -- building is what makes the tests
  "mpirun ", "crux measure move levels/ --jobs 8 ", -- tests/run/mpi_test.lua
  "cc ", -- tests/project/examples_test.lua
  "crux workbench flow my-levels ", -- tests/workbench/
  "crux play ", -- tests/cli/play_test.lua
  "crux rate sokoban level.tmx --write-property ", -- tests/format/property_test.lua
  "crux site move move-levels/ ", -- tests/cli/site_test.lua
  "crux new study ", -- tests/cli/new_test.lua
  "crux serve ", "crux study links study.db", "crux study watch study.db", "crux study export study.db", "crux study export mine.db", "crux aggregate plays.csv", -- tests/serve/
}

function Docs.test_other_command_lines_are_known()
  local programs = { crux = true, ["./crux"] = true, make = true, mpirun = true, cc = true, ["lua5.4"] = true }
  for path, text in each_page() do
    for _, block in ipairs(walkthrough.blocks(text)) do
      for line in ("\n" .. block.text):gmatch "\n([^\n$ ][^\n]*)" do
        if block.language == "" and not block.text:find "^%$ " and programs[line:match "^%S+"] and line:find "^%S+ %S" then
          local known = false
          for _, start in ipairs(not_run) do known = known or line:sub(1, #start) == start end
          luaunit.assertTrue(known, ("%s shows '%s' and does not run it"):format(path, line))
        end
      end
    end
  end
end

--- In running text, too, commands and their options are those that there are.
function Docs.test_named_options_are_there()
  local help = setmetatable({}, { __index = function(self, command)
    self[command] = shell.printed("help " .. command)
    return self[command]
  end })
  for path, _, prose in each_page() do
    for words in prose:gmatch "`crux (%l[^`]*)`" do
      local command = words:match "^%l+"
      for option in words:gmatch "%f[-]%-%-%l[%l-]*" do
        luaunit.assertStrContains(help[command], option .. " ", false, ("%s: crux %s"):format(path, words))
      end
      luaunit.assertStrContains(help[command], "Usage: crux " .. command)
    end
  end
end

--- The claims that `make claims` checks are on their pages.
function Docs.test_claims_are_said()
  for _, group in ipairs(claims.groups) do
    for _, claim in ipairs(group) do
      local figures, problem = said.by(claim.page or group.page, claim.said)
      luaunit.assertNotNil(figures, ("%s: %s: %s"):format(claim.page or group.page, claim.said, problem))
    end
  end
end

--- The paper cites each work of its bibliography, and no other, in 750 to 1,250 words.
function Docs.test_paper()
  local text, works, cited = shell.read "docs/paper.md", {}, {}
  for key in shell.read "docs/paper.bib":gmatch "\n?@%l+{([%w]+),\n" do works[key] = true end
  for key in text:gmatch "@(%l+%d*)" do cited[key] = true end
  luaunit.assertEquals(cited, works)
  local _, words = text:gsub("^%-%-%-\n.-\n%-%-%-\n", ""):gsub("%S+", "")
  luaunit.assertTrue(words >= 750 and words <= 1250, words)
end

--- What GitHub makes of a heading.
local function anchor(heading)
  return (heading:lower():gsub("`", ""):gsub("[^%w%s_\x80-\xff-]", ""):gsub(" ", "-"))
end

--- The anchors of a page.
local function anchors(path)
  local list = {}
  for heading in (("\n" .. shell.read(path)):gsub("\n```.-\n```%f[\n]", "\n")):gmatch "\n#+ ([^\n]+)" do
    list[anchor(heading)] = true
  end
  return list
end

function Docs.test_links_lead_somewhere()
  local count = 0
  for path, _, prose in each_page() do
    for target in prose:gmatch "%]%(([^)%s]+)%)" do
      if not target:find "^https?:" then
        local file, part = target:match "^([^#]*)#?(.*)$"
        local there = file == "" and path or ((path:match "^.*/" or "") .. file)
        luaunit.assertTrue(shell.exists(there), ("%s links to %s"):format(path, target))
        if part ~= "" then luaunit.assertTrue(anchors(there)[part], ("%s links to %s"):format(path, target)) end
        count = count + 1
      end
    end
  end
  luaunit.assertTrue(count > 50)
end

--- From the index every page can be reached.
function Docs.test_index_names_every_page()
  local index = shell.read "docs/README.md"
  for _, path in ipairs(pages()) do
    local name = path:match "^docs/(.+)$"
    if name and name ~= "README.md" then luaunit.assertStrContains(index, ("](%s)"):format(name)) end
  end
end

function Docs.test_generated_pages_are_up_to_date()
  for path, text in pairs(generate.pages()) do
    luaunit.assertTrue(shell.read(path) == text, path .. ": run make docs") -- assertEquals compares such texts for minutes
  end
end

--- Every public function has a section, and words of its own in it.
function Docs.test_every_public_function_is_described()
  local c_page, lua_page = shell.read "docs/c-api.md", shell.read "docs/library.md"
  for name in shell.read "src/crux.h":gmatch "CRUX_API[^\n]-(crux_[%l_]+)%(" do
    luaunit.assertStrContains(c_page, ("\n## %s\n\n"):format(name))
  end
  for name in shell.read("lua/crux/api/library.lua"):gmatch "\nfunction library%.([%w_.:]+)%(" do
    local _, last = lua_page:find("\n`crux." .. name .. "(", 1, true)
    luaunit.assertNotNil(last, name)
    luaunit.assertStrMatches(lua_page:sub(last):match "^[^\n]*\n\n([^\n]*)", "[%u%l-].*", nil, nil, name)
  end
end

--- Files are there, and what stands as `NAME()` behind a file is a function of it.
local function check_names(page)
  local path, code
  for word in shell.read(page):gsub("\n```.-\n```", ""):gmatch "`([^`\n]+)`" do
    local name = word:match "^([%w_.:]+)%(%)$"
    if word:find "^[%l_/-]+/[%w_./-]*$" and not word:find "NAME" then
      path = word
      luaunit.assertTrue(shell.exists(path), ("%s names %s, which is not there"):format(page, path))
      code = path:find "%.%l+$" and shell.read(path)
    elseif name then
      local definition = path:find "%.lua$" and ("function %s("):format(name) or name .. "("
      luaunit.assertNotNil(code:find(definition, 1, true), ("%s names %s, which is not in %s"):format(page, word, path))
    end
  end
end

function Docs.test_pages_on_the_code_name_what_is_there()
  for _, page in ipairs { "docs/architecture.md", "docs/glossary.md", "docs/new-things.md", "CONTRIBUTING.md", "SECURITY.md" } do check_names(page) end
end

return { Docs = Docs }
