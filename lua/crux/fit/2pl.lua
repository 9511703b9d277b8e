--- The fit `2pl`: Rasch's model with levels that tell able players from others more or less sharply (Birnbaum 1968).
local item_response = require "crux.fit.item_response"

return {
  name = "2pl",
  doc = "two-parameter logistic model, as ltm of R's ltm: the logit of solving is a level's discrimination times the player's "
    .. "ability, standard normal, minus the level's difficulty; solved ~ (1 | player) + (1 | level)",
  takes_groups = true,
  knows_levels_alone = true,
  figures = { "log_likelihood", "aic", "bic" },
  fit = function(problem) return item_response.fit(problem, "own") end,
  notes = item_response.notes,
}
