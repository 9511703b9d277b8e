-- A new rule in five lines; `crux fit examples/my-rule.lua datasets/flow.csv` estimates its coefficients.
return crux.rule {
  game = "flow", weights = "solved",
  formula = "difficulty ~ log(size) + corners + corners:colours",
}
