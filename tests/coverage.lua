--- Prints which share of the lines of C and Lua has run, and the files below 80 %: coverage.lua BUILD LINES, LINES being the file of
--- tests/support/lua_lines.c. Lines of C are those of gcov, lines of Lua those with an instruction.
local build, path = arg[1], arg[2]

local function read(command)
  local pipe <close> = assert(io.popen(command))
  return pipe:read "a"
end

--- Files with their count of lines, and of those that have run.
local function of_c()
  local files = {}
  for name, share, lines in read(("gcov -n %s/*/*.gcda 2> /dev/null"):format(build)):gmatch "File '(src/[%w_/]+%.c)'\nLines executed:([%d.]+)%% of (%d+)" do
    files[name] = { all = tonumber(lines), run = share / 100 * lines }
  end
  return files
end

--- The bytes of the lines of each source; one that has run is 1. The sizes are those of tests/support/lua_lines.c.
local function lines_that_ran()
  local sources, file <close> = {}, assert(io.open(path, "rb"))
  for slot in function() return file:read(1 + 255 + 7936) end do
    if slot:byte() ~= 0 then sources[slot:match "^.@([^\0]*)" or ""] = slot:sub(257) end
  end
  return sources
end

local function of_lua()
  local files, here, ran = {}, read "pwd":gsub("\n", ""), lines_that_ran()
  for name in read "find lua games rules -name '*.lua'":gmatch "%S+" do
    local lines, counted = ran[here .. "/" .. name] or ran[name] or "", { all = 0, run = 0 }
    local seen = {}
    for line in read("luac5.4 -l -p " .. name):gmatch "\n\t%d+\t%[(%d+)%]" do
      if not seen[line] then
        seen[line], counted.all = true, counted.all + 1
        counted.run = counted.run + (lines:byte(tonumber(line) + 1) == 1 and 1 or 0)
      end
    end
    files[name] = counted
  end
  return files
end

for what, files in pairs { ["src"] = of_c(), ["lua, games, rules"] = of_lua() } do
  local run, all, low = 0, 0, {}
  for name, file in pairs(files) do
    run, all = run + file.run, all + file.all
    if file.run < 0.8 * file.all then table.insert(low, ("  %3.0f %% of %d lines: %s"):format(100 * file.run / file.all, file.all, name)) end
  end
  table.sort(low)
  print(("%s: %.2f %% of %d lines"):format(what, 100 * run / all, all))
  if low[1] then print(table.concat(low, "\n")) end
end
