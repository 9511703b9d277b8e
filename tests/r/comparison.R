# Writes tests/reference/comparison.lua: errors of cross-validation with their standard errors, corrected resampled t intervals of
# differences, diagnostics of fits, and prediction intervals, as R computes them.
# Run in the checkout: LC_ALL=C Rscript tests/r/comparison.R > tests/reference/comparison.lua

number <- function(x) ifelse(is.na(x), "0 / 0", sprintf("%.17g", x))
quoted <- function(s) encodeString(s, quote = '"')
list_of <- function(x) paste0("{ ", paste(number(x), collapse = ", "), " }")
named <- function(x) paste0("{ ", paste(sprintf("[%s] = %s", quoted(names(x)), number(x)), collapse = ", "), " }")
with_intercept <- function(names) sub("^\\(Intercept\\)$", "(intercept)", names)

studies <- list(
  flow = c("difficulty ~ size + colours + distance + corners", "difficulty ~ size"),
  lazors = c("difficulty ~ size + usable_tiles + emitters + receivers + mirrors", "difficulty ~ receivers + courses"),
  move = c("difficulty ~ moves + size + balls + colours + rocks", "difficulty ~ moves + log(size)")
)

measures <- function(p, y, w, s) {
  e <- abs(p - y)
  c(mae = mean(e), weighted_mae = weighted.mean(e, w), rmse = sqrt(mean(e^2)), weighted_rmse = sqrt(weighted.mean(e^2, w)),
    medae = median(e), r_squared = 1 - sum(e^2) / sum((y - mean(y))^2), slope = unname(coef(lm(y ~ p))[2]),
    log_score = mean(dnorm(y, p, s / sqrt(w), log = TRUE)), tau = cor(p, y, method = "kendall"),
    spearman = cor(p, y, method = "spearman"))
}

# Nadeau and Bengio 2003
corrected <- function(x, n, k) sqrt((1 / length(x) + (n / k) / (n - n / k)) * var(x))

validate <- function(text, data, k) {
  n <- nrow(data)
  fold <- 1 + (0:(n - 1) * k) %/% n
  p <- s <- numeric(n)
  for (f in 1:k) {
    fit <- lm(as.formula(text), data = data[fold != f, ], weights = solved)
    p[fold == f] <- predict(fit, data[fold == f, ])
    s[fold == f] <- summary(fit)$sigma
  }
  each <- sapply(1:k, function(f) {
    at <- fold == f
    measures(p[at], data$difficulty[at], data$solved[at], s[at])
  })
  list(all = measures(p, data$difficulty, data$solved, s), each = each,
    errors = apply(each, 1, corrected, n, k))
}

cat("-- Cross-validation, diagnostics and prediction intervals: the tests compare crux with them.\n")
cat(sprintf("-- %s; made by tests/r/comparison.R, which says how to run it.\nreturn {\n", R.version.string))
for (name in names(studies)) {
  data <- read.csv(sprintf("datasets/%s.csv", name))
  n <- nrow(data)
  cat(sprintf("  {\n    data = \"datasets/%s.csv\",\n    folds = 5,\n    rules = {\n", name))
  both <- lapply(studies[[name]], validate, data, 5)
  for (i in 1:2) {
    cat(sprintf("      { formula = %s,\n        errors = %s,\n        std_errors = %s },\n", quoted(studies[[name]][i]),
      named(both[[i]]$all), named(both[[i]]$errors)))
  }
  d <- both[[1]]$each["weighted_mae", ] - both[[2]]$each["weighted_mae", ]
  estimate <- both[[1]]$all["weighted_mae"] - both[[2]]$all["weighted_mae"]
  se <- corrected(d, n, 5)
  cat(sprintf("    },\n    difference = %s, -- of the first and the second\n", named(c(estimate = unname(estimate), std_error = se,
    low = unname(estimate - qt(0.975, 4) * se), high = unname(estimate + qt(0.975, 4) * se)))))
  fit <- lm(as.formula(studies[[name]][1]), data = data, weights = solved)
  x <- model.matrix(fit)[, -1]
  vif <- sapply(colnames(x), function(term) {
    1 / (1 - summary(lm(x[, term] ~ x[, colnames(x) != term], weights = data$solved))$r.squared)
  })
  worst <- which.max(cooks.distance(fit))
  without <- coef(update(fit, data = data[-worst, ]))
  names(without) <- with_intercept(names(without))
  cat(sprintf("    leverage = %s,\n    cooks_distance = %s,\n    studentized = %s,\n    vif = %s,\n    worst = %d,\n    without = %s,\n",
    list_of(hatvalues(fit)), list_of(cooks.distance(fit)), list_of(rstandard(fit)), named(vif), worst, named(without)))
  new <- data[c(1, 7, 20), ]
  numeric <- sapply(new, is.numeric)
  new[2, numeric] <- 2 * new[2, numeric]
  intervals <- predict(fit, new, interval = "prediction", level = 0.9, weights = mean(data$solved))
  cat(sprintf("    doubled = { false, true, false },\n    rows = { 1, 7, 20 },\n    low = %s,\n    high = %s,\n  },\n",
    list_of(intervals[, "lwr"]), list_of(intervals[, "upr"])))
}
cat(sprintf("  t = %s, -- qt(0.95, df) of 1, 4, 35, 1000 and 1.5\n}\n", list_of(qt(0.95, c(1, 4, 35, 1000, 1.5)))))
