--- crux plot: the task, whose figure is drawn as SVG or text.
local first_argument = require "crux.cli.first_argument"
local formats = require "crux.out.formats"
local lists = require "crux.base.lists"
local plot = require "crux.show.plot"
local sinks = require "crux.out.sinks"
local tables = require "crux.out.tables"
local task = require "crux.task.plot"
local terminal = require "libcrux.terminal"

local function format_of(args)
  if args.format or not args.output then
    return args.format or terminal.is_terminal(io.stdout) and "text" or "svg"
  end
  return formats.ending(args.output, { "svg", "txt" }, ", or --format svg|text") == "txt" and "text" or "svg"
end

local max_width = 120 -- characters of text

--- Width and colours of text: those of the terminal if it goes there.
local function terminal_of(args)
  local is_terminal = not args.output and terminal.is_terminal(io.stdout)
  local has_colours = is_terminal and (os.getenv "NO_COLOR" or "") == "" and os.getenv "TERM" ~= "dumb"
  return { width = is_terminal and math.min(terminal.columns(io.stdout) or 80, max_width) or nil, colours = has_colours,
    ascii = args.ascii or not args.output and not terminal.is_utf8() }
end

local function run(args)
  local format = not args.list and format_of(args)
  local report = task.run(args)
  if args.list then return tables.report(args.output, "table", report) end
  local sink <close> = sinks.open(args.output)
  sink:colour(format == "svg" and plot.svg(report.figure) or plot.text(report.figure, terminal_of(args)))
  sink:commit()
end

return lists.merge(task, { run = run,
  options = function(words) return task.options_of(first_argument(words, task.options)) end })
