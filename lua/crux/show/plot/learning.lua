--- How the error falls with the number of rated levels.
local figure = require "crux.show.plot.figure"

---@param self { points: LearningPoint[], name: string, target: string, weights: string? }   points of crux.learning; the
---  names of the rule, what it predicts, and the case weights
---@return Figure
return function(self)
  local x, errors, baselines, ends, titles, marks, said = {}, {}, {}, {}, {}, {}, {}
  for i, point in ipairs(self.points) do
    x[i], errors[i], baselines[i] = point.n, point.mae, point.baseline
    titles[i] = ("%d levels: %s"):format(point.n, figure.show(point.mae))
    said[i] = ("%s, baseline %s"):format(titles[i], figure.show(point.baseline))
    if point.std_error then
      local low, high = math.max(0, point.mae - point.std_error), point.mae + point.std_error
      table.insert(marks, { kind = "line", x = { point.n, point.n }, y = { low, high }, series = 1 })
      table.insert(ends, high)
    end
  end
  for s, values in ipairs { errors, baselines } do
    table.insert(marks, { kind = "line", x = x, y = values, series = s })
    table.insert(marks, { kind = "points", x = x, y = values, series = s, titles = s == 1 and titles or nil })
  end
  return {
    title = "Error by number of rated levels", series = { self.name, "baseline (the mean)" },
    description = ("Mean absolute error in predicting %s of levels that the fit has not seen, by the number of levels that it "
      .. "was fitted to. %s."):format(self.target, table.concat(said, "; ")),
    x = figure.axis("levels that the fit has seen", { x }, { is_whole = true }),
    y = figure.axis(("mean absolute error of %s%s"):format(self.target, self.weights and ", weighted by " .. self.weights
      or ""), { errors, baselines, ends }, { from_zero = true }),
    marks = marks,
    note = "Bars: one standard error to both sides. Where the line still falls, more rated levels would help.",
  }
end
