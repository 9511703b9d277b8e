# Writes tests/reference/quantile_reference.lua: median and quantile regressions of R's quantreg, by Barrodale and Roberts' method.
# Run in the checkout: Rscript tests/r/quantile.R > tests/reference/quantile_reference.lua
suppressMessages(library(quantreg))

lazors <- "difficulty ~ size + usable_tiles + emitters + receivers + mirrors + reflections + intersections"
cases <- list(
  list("datasets/flow.csv", "difficulty ~ size + colours + distance + corners", "solved"),
  list("datasets/flow.csv", "time ~ size + I(size^2) + corners", "solved"),
  list("datasets/lazors.csv", lazors, "solved"),
  list("datasets/move.csv", "difficulty ~ moves + size + balls + colours + rocks + counterintuitive", "solved"),
  list("tests/reference/linear_fits_1.csv", "y ~ x1 + x2", "w"),
  list("tests/reference/linear_fits_2.csv", "y ~ x1 + x2 + x3 + x4", "w"),
  list("tests/reference/linear_fits_3.csv", "y ~ x1 + x2 + x3", "w")
)
cat("-- rq of R's quantreg; written by tests/r/quantile.R. unique: R does not warn that the solution may be nonunique.\nreturn {\n")
for (case in cases) for (weights in list(case[[3]], NULL)) for (tau in c(0.5, 0.1, 0.25, 0.9)) {
  data <- read.csv(case[[1]], encoding = "UTF-8")
  data$case_weights <- if (is.null(weights)) 1 else data[[weights]]
  unique <- TRUE
  fit <- withCallingHandlers(rq(as.formula(case[[2]]), tau = tau, data = data, weights = case_weights, method = "br"),
    warning = function(w) { unique <<- FALSE; invokeRestart("muffleWarning") })
  errors <- data[[all.vars(as.formula(case[[2]]))[1]]] - fitted(fit)
  value <- sum(data$case_weights * errors * (tau - (errors < 0)))
  cat(sprintf('  { data = "%s", formula = "%s", tau = %g,%s unique = %s, value = %.17g, estimates = { %s } },\n', case[[1]],
    case[[2]], tau, if (is.null(weights)) "" else sprintf(' weights = "%s",', weights), tolower(unique), value,
    paste(sprintf("%.17g", coef(fit)), collapse = ", ")))
}
cat("}\n")
