--- The fit `rasch`: players of one ability and levels of one difficulty each (Rasch 1960).
local item_response = require "crux.fit.item_response"

return {
  name = "rasch",
  doc = "Rasch's model, as rasch of R's ltm: the logit of solving is a player's ability, normal around 0, minus a "
    .. "level's difficulty; solved ~ (1 | player) + (1 | level); each level's difficulty with its standard error, each "
    .. "player's ability",
  options = { { name = "discrimination", default = "common", choices = { "common", "one" },
    doc = "one: abilities have the standard deviation 1, which is estimated else" } },
  takes_groups = true,
  knows_levels_alone = true,
  figures = { "log_likelihood", "aic", "bic" },
  fit = function(problem) return item_response.fit(problem, problem.options.discrimination) end,
  notes = item_response.notes,
}
