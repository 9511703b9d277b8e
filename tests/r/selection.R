# Writes tests/reference/selection_reference.lua: R's step by AIC and BIC, the best subsets by lm of every one, and nested
# cross-validation with contiguous folds, and the sets of terms along glmnet's path, refitted by lm. Run in the checkout: Rscript tests/r/selection.R > tests/reference/selection_reference.lua
suppressMessages(library(glmnet))

number <- function(x) paste(sprintf("%.17g", x), collapse = ", ")
text <- function(x) paste0('"', gsub(" ", "", x), '"', collapse = ", ")
formula_of <- function(target, terms) as.formula(paste(target, "~", if (length(terms)) paste(terms, collapse = " + ") else "1"))
fit_of <- function(target, terms, data) eval(bquote(lm(.(formula_of(target, terms)), data = data, weights = .w)))
contiguous <- function(n, folds) 1 + (0:(n - 1) * folds) %/% n

# Weighted mean squared error of a formula over folds.
cv <- function(target, terms, data, folds) {
  of <- contiguous(nrow(data), folds)
  errors <- numeric(nrow(data))
  for (k in 1:folds) {
    model <- fit_of(target, terms, data[of != k, ])
    errors[of == k] <- data[[target]][of == k] - predict(model, data[of == k, ])
  }
  sum(data$.w * errors^2) / sum(data$.w)
}

criterion <- function(by, target, terms, data, full, folds) {
  if (by == "cv") return(cv(target, terms, data, folds))
  model <- fit_of(target, terms, data)
  if (by == "mallows") return(deviance(model) / summary(full)$sigma^2 - nrow(data) + 2 * (length(terms) + 1))
  extractAIC(model, k = if (by == "aic") 2 else log(nrow(data)))[2]
}

# All subsets, best first.
best <- function(by, target, candidates, data, folds) {
  full <- fit_of(target, candidates, data)
  subsets <- lapply(0:(2^length(candidates) - 1), function(s) candidates[bitwAnd(s, 2^(seq_along(candidates) - 1)) > 0])
  values <- sapply(subsets, function(terms) criterion(by, target, terms, data, full, folds))
  order <- order(values)
  list(subsets = subsets[order], values = values[order])
}

prepare <- function(file, weights) {
  data <- read.csv(file, encoding = "UTF-8")
  data$.w <- if (is.null(weights)) 1 else data[[weights]]
  data
}

cases <- list(
  list("datasets/flow.csv", "difficulty", "solved", c("size", "colours", "distance", "corners")),
  list("datasets/flow.csv", "difficulty", NULL, c("size", "log(size)", "colours", "log(colours)", "corners", "log(corners)")),
  list("datasets/lazors.csv", "difficulty", "solved",
    c("size", "usable_tiles", "emitters", "receivers", "mirrors", "reflections", "intersections")),
  list("datasets/move.csv", "time", "solved", c("moves", "size", "balls", "colours", "rocks", "counterintuitive"))
)

cat("-- R's step, lm of every subset and nested cross-validation; written by tests/r/selection.R.\nreturn {\n  best = {\n")
for (case in cases) for (by in c("cv", "aic", "bic", "mallows")) {
  found <- best(by, case[[2]], case[[4]], prepare(case[[1]], case[[3]]), 5)
  cat(sprintf('    { data = "%s", target = "%s",%s by = "%s", candidates = { %s }, sets = { %s }, values = { %s } },\n',
    case[[1]], case[[2]], if (is.null(case[[3]])) "" else sprintf(' weights = "%s",', case[[3]]), by, text(case[[4]]),
    paste0("{ ", sapply(found$subsets[1:6], function(s) if (length(s)) text(s) else ""), " }", collapse = ", "),
    number(found$values[1:6])))
}
cat("  },\n  steps = {\n")
products <- function(measures) c(measures, combn(measures, 2, paste, collapse = ":"))
cases <- c(cases, list(
  list("datasets/flow.csv", "difficulty", "solved", products(c("size", "colours", "distance", "corners"))),
  list("datasets/move.csv", "difficulty", NULL, products(c("moves", "balls", "colours", "rocks", "counterintuitive")))))
for (case in cases) for (by in c("aic", "bic")) for (method in c("forward", "backward")) {
  data <- prepare(case[[1]], case[[3]])
  full <- fit_of(case[[2]], case[[4]], data)
  from <- if (method == "forward") fit_of(case[[2]], character(), data) else full
  trace <- step(from, scope = list(lower = ~1, upper = formula(full)), direction = method, trace = 0,
    k = if (by == "aic") 2 else log(nrow(data)))$anova
  cat(sprintf('    { data = "%s", target = "%s",%s by = "%s", method = "%s", candidates = { %s }, changes = { %s }, values = { %s } },\n',
    case[[1]], case[[2]], if (is.null(case[[3]])) "" else sprintf(' weights = "%s",', case[[3]]), by, method,
    text(case[[4]]), text(trace$Step), number(trace$AIC)))
}
cat("  },\n  nested = {\n")
for (case in cases[c(1, 3)]) for (by in c("cv", "bic")) {
  data <- prepare(case[[1]], case[[3]])
  of <- contiguous(nrow(data), 5)
  errors <- numeric(nrow(data))
  for (k in 1:5) {
    train <- data[of != k, ]
    model <- fit_of(case[[2]], best(by, case[[2]], case[[4]], train, 5)$subsets[[1]], train)
    errors[of == k] <- data[[case[[2]]]][of == k] - predict(model, data[of == k, ])
  }
  cat(sprintf('    { data = "%s", target = "%s", weights = "%s", by = "%s", candidates = { %s }, mae = %.17g, weighted_mae = %.17g, rmse = %.17g },\n',
    case[[1]], case[[2]], case[[3]], by, text(case[[4]]), mean(abs(errors)), sum(data$.w * abs(errors)) / sum(data$.w),
    sqrt(mean(errors^2))))
}
cat("  },\n  lasso = {\n")
for (case in cases[1:4]) for (by in c("aic", "bic")) {
  data <- prepare(case[[1]], case[[3]])
  x <- model.matrix(formula_of(case[[2]], case[[4]]), data)[, -1]
  path <- as.matrix(glmnet(x, data[[case[[2]]]], weights = data$.w, thresh = 1e-14, maxit = 1e7)$beta)
  sets <- unique(apply(path != 0, 2, function(used) case[[4]][used], simplify = FALSE))
  values <- sapply(sets, function(terms) criterion(by, case[[2]], terms, data, NULL, 5))
  order <- order(values)[1:3]
  cat(sprintf('    { data = "%s", target = "%s",%s by = "%s", method = "lasso", candidates = { %s }, sets = { %s }, values = { %s } },\n',
    case[[1]], case[[2]], if (is.null(case[[3]])) "" else sprintf(' weights = "%s",', case[[3]]), by, text(case[[4]]),
    paste0("{ ", sapply(sets[order], function(s) if (length(s)) text(s) else ""), " }", collapse = ", "),
    number(values[order])))
}
cat("  },\n}\n")
