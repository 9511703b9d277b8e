# Writes tests/reference/binomial_reference.lua: the fit binomial by glm, iterated to the last digits.
# Run in the checkout: Rscript tests/r/binomial.R > tests/reference/binomial_reference.lua
# R 4.2.2.
options(digits = 17)
numbers <- function(x) paste(sprintf("%.17g", x), collapse = ", ")

row <- function(data, formula, weights = NULL, quasi = FALSE) {
  levels <- read.csv(sprintf("datasets/%s.csv", data))
  levels$w_ <- if (is.null(weights)) 1 else levels[[weights]]
  fit <- glm(as.formula(formula), data = levels, family = if (quasi) quasibinomial() else binomial(), weights = w_,
    control = glm.control(epsilon = 1e-15, maxit = 100))
  table <- coef(summary(fit))
  cat(sprintf('  { data = "datasets/%s.csv", formula = "%s", fit = "binomial%s",%s', data, formula,
    if (quasi) "(dispersion = estimated)" else "", if (is.null(weights)) "" else sprintf(' weights = "%s",', weights)))
  pearson <- sum(residuals(fit, "pearson")^2) / fit$df.residual
  cat(sprintf(" deviance = %.17g, df = %d, null_deviance = %.17g, null_df = %d, dispersion = %.17g,%s", deviance(fit),
    fit$df.residual, fit$null.deviance, fit$df.null, pearson,
    if (quasi) "" else sprintf(" log_likelihood = %.17g, aic = %.17g, bic = %.17g,", logLik(fit), AIC(fit), BIC(fit))))
  cat(sprintf(" estimates = { %s }, errors = { %s }, p = { %s }, expected = { %s } },\n", numbers(table[, 1]),
    numbers(table[, 2]), numbers(table[, 4]), numbers(head(fitted(fit), 5))))
}

cat("-- Made by tests/r/binomial.R with R ", as.character(getRversion()), ".\nreturn {\n", sep = "")
for (quasi in c(FALSE, TRUE)) {
  row("lazors", "cbind(skipped, solved) ~ size + mirrors + reflections + intersections", quasi = quasi)
  row("move", "cbind(skipped, solved) ~ size + moves + counterintuitive", quasi = quasi)
  row("flow", "cbind(skipped, solved) ~ size + colours + corners", quasi = quasi)
}
row("lazors", "cbind(solved + skipped - solved, solved) ~ log(size) + poly(mirrors, 2) + offset(reflections / 4)")
row("move", "cbind(solved, skipped) ~ 0 + moves + size")
row("rushhour-plays", "solved ~ shortest + log(position)")
row("rushhour-plays", "solved ~ shortest", weights = "attempt")
cat("}\n")
