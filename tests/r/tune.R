# Writes tests/reference/tune_reference.lua: nonlinear least squares by R's nls, on the published datasets and three seeded ones,
# which it writes to tests/reference/tune_1.csv to tune_3.csv.
# Run in the checkout: Rscript tests/r/tune.R > tests/reference/tune_reference.lua
set.seed(9)
write_data <- function(k, data) write.csv(data, sprintf("tests/reference/tune_%d.csv", k), row.names = FALSE, quote = FALSE)
n <- 60
x1 <- round(runif(n, 0.1, 8), 3)
write_data(1, data.frame(x1, y = round(7 * x1 / (1.3 + x1) + rnorm(n, sd = 0.4), 4), w = rpois(n, 6) + 1))
x1 <- round(runif(n, 0, 10), 3); x2 <- sample(0:5, n, replace = TRUE)
write_data(2, data.frame(x1, x2, y = round(2 + 3 * exp(-0.4 * x1) + 0.7 * x2^1.5 + rnorm(n, sd = 0.3), 4), w = rpois(n, 3) + 1))
x1 <- round(rnorm(n, 20, 6), 3); x2 <- round(runif(n), 4)
write_data(3, data.frame(x1, x2, y = round(1 + 9 / (1 + exp(-(x1 - 20) / 3 - 2 * x2)) + rnorm(n), 4), w = rpois(n, 9) + 1))

# Bounds in `low` and `high`: nls's port says which are met; the others are then fitted without bounds, which is more exact.
cases <- list(
  list(data = "datasets/flow.csv", weights = "solved", r = time ~ a * exp(b * size) + c * corners,
    lua = "p.a * math.exp(p.b * v.size) + p.c * v.corners", start = c(a = 5, b = 0.03, c = 1)),
  list(data = "datasets/lazors.csv", weights = "solved", r = difficulty ~ 10 / (1 + exp(a - b * usable_tiles - c * mirrors)),
    lua = "10 / (1 + math.exp(p.a - p.b * v.usable_tiles - p.c * v.mirrors))", start = c(a = 1, b = 0.05, c = 0.1)),
  list(data = "datasets/move.csv", weights = "solved", r = difficulty ~ a * moves^b + c * rocks,
    lua = "p.a * v.moves ^ p.b + p.c * v.rocks", start = c(a = 1, b = 1, c = 0)),
  list(data = "tests/reference/tune_1.csv", weights = "w", r = y ~ a * x1 / (b + x1), lua = "p.a * v.x1 / (p.b + v.x1)",
    start = c(a = 1, b = 1)),
  list(data = "tests/reference/tune_1.csv", weights = NULL, r = y ~ a * x1^b, lua = "p.a * v.x1 ^ p.b", start = c(a = 1, b = 1)),
  list(data = "tests/reference/tune_2.csv", weights = "w", r = y ~ a + b * exp(-c * x1) + d * x2^e,
    lua = "p.a + p.b * math.exp(-p.c * v.x1) + p.d * v.x2 ^ p.e", start = c(a = 1, b = 1, c = 1, d = 1, e = 1)),
  list(data = "tests/reference/tune_3.csv", weights = "w", r = y ~ 1 + 9 / (1 + exp(-(x1 - a) / b - c * x2)),
    lua = "1 + 9 / (1 + math.exp(-(v.x1 - p.a) / p.b - p.c * v.x2))", start = c(a = 15, b = 5, c = 0)),
  list(data = "tests/reference/tune_2.csv", weights = "w", r = y ~ a + b * exp(-c * x1) + d * x2^e,
    lua = "p.a + p.b * math.exp(-p.c * v.x1) + p.d * v.x2 ^ p.e", start = c(a = 1, b = 1, c = 1, d = 1, e = 1),
    low = c(a = 0, b = 0, c = 0, d = 0, e = 0), high = c(a = 10, b = 2.5, c = 5, d = 10, e = 1.2)),
  list(data = "tests/reference/tune_1.csv", weights = NULL, r = y ~ a * x1 / (b + x1), lua = "p.a * v.x1 / (p.b + v.x1)",
    start = c(a = 1, b = 3), low = c(a = 0, b = 1.8), high = c(a = Inf, b = Inf)),
  list(data = "tests/reference/tune_3.csv", weights = NULL, r = y ~ 1 + 9 / (1 + exp(-(x1 - a) / b - c * x2)),
    lua = "1 + 9 / (1 + math.exp(-(v.x1 - p.a) / p.b - p.c * v.x2))", start = c(a = 15, b = 5, c = 0),
    low = c(a = -Inf, b = -Inf, c = -Inf), high = c(a = 18, b = Inf, c = 1))
)
numbers <- function(name, values) sprintf("%s = { %s }", name,
  paste(sprintf("%s = %s", names(values), ifelse(is.infinite(values), ifelse(values > 0, "math.huge", "-math.huge"),
    sprintf("%.17g", values))), collapse = ", "))
cat("-- R's nls; written by tests/r/tune.R. `errors` of those that are not on a bound.\nreturn {\n")
for (case in cases) {
  data <- read.csv(case$data, encoding = "UTF-8")
  data$case_weights <- if (is.null(case$weights)) 1 else data[[case$weights]]
  bounded <- !is.null(case$low)
  free <- case$start
  if (bounded) {
    near <- coef(nls(case$r, data, free, weights = case_weights, algorithm = "port", lower = case$low, upper = case$high,
      control = nls.control(maxiter = 500, nDcentral = TRUE)))
    held <- near == case$low | near == case$high
    for (name in names(near)[held]) data[[name]] <- near[[name]]
    free <- near[!held]
  }
  fit <- nls(case$r, data, free, weights = case_weights,
    control = nls.control(tol = 1e-7, maxiter = 500, minFactor = 1e-12, nDcentral = TRUE))
  table <- coef(summary(fit))
  column <- function(k) setNames(table[, k], rownames(table))
  cat(sprintf('  { data = "%s",%s target = "%s", formula = "%s", %s,%s %s,%s sigma = %.17g, log_likelihood = %.17g },\n',
    case$data, if (is.null(case$weights)) "" else sprintf(' weights = "%s",', case$weights), all.vars(case$r)[1], case$lua,
    numbers("start", case$start),
    if (bounded) sprintf(" %s, %s,", numbers("low", case$low), numbers("high", case$high)) else "",
    numbers("estimates", c(coef(fit), if (bounded) near[held])), sprintf(" %s, %s, %s,", numbers("errors", column(2)),
      numbers("t", column(3)), numbers("p", column(4))), summary(fit)$sigma, as.numeric(logLik(fit))))
}
cat("}\n")
