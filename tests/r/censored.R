# Writes tests/reference/censored_reference.lua: the fit censored by tobit of AER, which is survreg of survival.
# Run in the checkout: Rscript tests/r/censored.R > tests/reference/censored_reference.lua
# R 4.2.2 with AER 1.2-10, survival 3.5-3 (Debian r-cran-aer, r-cran-survival).
suppressMessages(library(AER))

numbers <- function(x) paste(sprintf("%.17g", x), collapse = ", ")
row <- function(path, formula, lower, upper, weights) {
  data <- read.csv(path, encoding = "UTF-8")
  data$w_ <- if (is.null(weights)) 1 else data[[weights]]
  fit <- tobit(as.formula(formula), left = if (is.null(lower)) -Inf else lower, right = if (is.null(upper)) Inf else upper,
    data = data, weights = w_, control = survreg.control(rel.tolerance = 1e-15, maxiter = 100))
  limits <- paste(c(if (!is.null(lower)) sprintf("lower = %g", lower), if (!is.null(upper)) sprintf("upper = %g", upper)),
    collapse = ", ")
  errors <- sqrt(diag(vcov(fit)))
  last <- length(errors)
  cat(sprintf('  { fit = "censored(%s)", data = "%s", formula = "%s",%s log_likelihood = %.17g, aic = %.17g,', limits, path,
    formula, if (is.null(weights)) "" else sprintf(' weights = "%s",', weights), logLik(fit), AIC(fit)))
  cat(sprintf(" estimates = { %s }, errors = { %s } },\n", numbers(c(coef(fit), fit$scale)),
    numbers(c(errors[-last], errors[last] * fit$scale))))
}

cat("-- AER and survival of R; written by tests/r/censored.R.\nreturn {\n")
row("datasets/flow.csv", "difficulty ~ size + colours + distance + corners", NULL, 5, "solved")
row("datasets/lazors.csv", "difficulty ~ size + mirrors + reflections + intersections", 3, 7, "solved")
row("datasets/lazors.csv", "difficulty ~ size + mirrors + reflections + intersections", NULL, 4, NULL)
row("datasets/move.csv", "difficulty ~ moves + counterintuitive", 2, NULL, NULL)
for (weights in list("w", NULL)) {
  row("tests/reference/ratings_1.csv", "rating ~ x1 + x2 + x3", 1, 10, weights)
  row("tests/reference/ratings_2.csv", "rating ~ x1 + x2 + x3", 1, 7, weights)
  row("tests/reference/ratings_3.csv", "rating ~ x1 + x2", NULL, 7, weights)
}
row("tests/reference/ratings_3.csv", "rating ~ x1 + x2 + x3", -5, 50, NULL)
cat("}\n")
