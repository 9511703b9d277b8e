# Writes into a folder the datasets that tests/fit/mixed_test.lua reads, and on standard output what lmer and glmer of lme4 and clmm
# of ordinal estimate from them, as a Lua table. The test runs it where R is installed: Rscript tests/r/mixed.R FOLDER fits; without
# `fits` it only writes lme4's VerbAgg.
# R 4.2.2 with lme4 1.1-31 and ordinal 2022.11-16 (Debian r-cran-lme4, r-cran-ordinal).
if (!requireNamespace("lme4", quietly = TRUE) || !requireNamespace("ordinal", quietly = TRUE)) quit(status = 3)
suppressMessages(library(lme4))
words <- commandArgs(trailingOnly = TRUE)
folder <- words[1]
save <- function(data, name) write.csv(data, file.path(folder, paste0(name, ".csv")), row.names = FALSE, quote = FALSE)

save(transform(VerbAgg, yes = as.integer(r2 == "Y")), "verbagg")
if (length(words) == 1) quit()
suppressMessages(library(ordinal))

# 40 players play some of 30 levels; levels belong to packs.
set.seed(24)
plays <- expand.grid(player = sprintf("p%02d", 1:40), level = sprintf("l%02d", 1:30))
plays <- plays[runif(nrow(plays)) < 0.5, ]
plays$pack <- paste0("k", (as.integer(plays$level) - 1) %/% 6)
plays$size <- round(runif(30, 5, 20))[plays$level]
plays$hours <- round(runif(nrow(plays), 0, 3), 2)
plays$times <- sample(1:5, nrow(plays), replace = TRUE)
ability <- rnorm(40)[plays$player]; slope <- rnorm(40, 0, 0.4)[plays$player]; own <- rnorm(30, 0, 0.7)[plays$level]
own <- own + rnorm(5, 0, 0.5)[as.integer(factor(plays$pack))]
eta <- 0.2 * (plays$size - 12) - 0.3 * plays$hours - ability + slope * plays$hours + own
plays$rating <- round(5 + eta + rnorm(nrow(plays)), 3)
plays$solved <- rbinom(nrow(plays), 1, plogis(0.5 - eta))
plays$grade <- as.integer(cut(eta + rlogis(nrow(plays)), c(-Inf, -2, -0.5, 1, 2.5, Inf)))
save(plays, "plays")

numbers <- function(x) paste0("{ ", paste(sprintf("%.12g", x), collapse = ", "), " }")
case <- function(formula, fit, likelihood, estimates, errors, deviations, more = "", singular = "false") {
  cat(sprintf('  { formula = "%s", fit = "%s", log_likelihood = %.12g, singular = %s,\n    estimates = %s, errors = %s, deviations = %s%s },\n',
    formula, fit, likelihood, singular, numbers(estimates), numbers(errors), numbers(deviations), more))
}
of_lme4 <- function(formula, fit, model) {
  parts <- as.data.frame(VarCorr(model), order = "lower.tri")
  effects <- as.data.frame(ranef(model, condVar = TRUE))
  effects <- effects[effects$grpvar == "player" & effects$term == "(Intercept)", ]
  case(formula, fit, as.numeric(logLik(model)), fixef(model), sqrt(diag(as.matrix(vcov(model)))), parts$sdcor[is.na(parts$var2)],
    sprintf(",\n    players = { names = { %s }, effects = %s, errors = %s }", paste0('"', effects$grp, '"', collapse = ", "),
      numbers(effects$condval), numbers(effects$condsd)), tolower(isSingular(model)))
}
cat("return {\n")
linear <- function(formula, fit = "mixed", ...) of_lme4(formula, fit, lmer(as.formula(formula), plays, ...))
linear("rating ~ size + hours + (1 | player) + (1 | level)")
linear("rating ~ size + hours + (1 | player) + (1 | level)", "mixed(reml = 0)", REML = FALSE)
linear("rating ~ size + poly(hours, 2) + (hours | player) + (1 | level)")
linear("log(times) ~ 1 + (hours | player)")
linear("rating ~ size + hours + (hours || player) + (1 | pack/level)")
linear("rating ~ size + (0 + hours | player) + (1 | player:pack) + (1 | player)")
exact <- glmerControl(optimizer = "bobyqa", tolPwrss = 1e-10, optCtrl = list(rhoend = 1e-8)) # by default it stops early
logistic <- function(formula, fit = "mixed(family = logistic)", ...)
  of_lme4(formula, fit, glmer(as.formula(formula), plays, family = binomial, control = exact, ...))
logistic("solved ~ size + hours + (1 | player) + (1 | level)")
logistic("solved ~ size + hours + (1 | player)", "mixed(family = logistic, quadrature = 15)", nAGQ = 15)
plays$grade <- factor(plays$grade)
model <- clmm(grade ~ size + hours + (1 | player) + (1 | level), data = plays)
errors <- sqrt(diag(vcov(model)))
case("grade ~ size + hours + (1 | player) + (1 | level)", "mixed(family = ordinal)", as.numeric(logLik(model)),
  c(model$beta, model$alpha), c(errors[names(model$beta)], errors[names(model$alpha)]),
  sapply(c("player", "level"), function(g) attr(VarCorr(model)[[g]], "stddev")))
cat("}\n")
