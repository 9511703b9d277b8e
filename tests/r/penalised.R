# Writes tests/reference/penalised.lua: coefficients under penalties (glmnet 4.1) and bounds (nnls 1.4, and all faces one by one).
# Run in the checkout: LC_ALL=C Rscript tests/r/penalised.R > tests/reference/penalised.lua

suppressMessages({ library(glmnet); library(nnls) })

number <- function(x) ifelse(is.infinite(x), ifelse(x > 0, "math.huge", "-math.huge"), sprintf("%.17g", x))
quoted <- function(s) encodeString(s, quote = '"')
list_of <- function(items) paste0("{ ", paste(items, collapse = ", "), " }")
table_of <- function(...) {
  fields <- c(...)
  list_of(paste(names(fields), "=", fields))
}

# ---- Data: three published studies, and three seeded ones

seeded <- function(seed, n, k) {
  set.seed(seed)
  d <- as.data.frame(round(matrix(rnorm(n * k), n) %*% diag(10^runif(k, -2, 2), k) + runif(1, -3, 3), 6))
  names(d) <- paste0("x", seq_len(k))
  d$x2 <- round(d$x2 + 3 * d$x1, 6)
  d$w <- round(rexp(n) + 0.1, 3)
  d$y <- round(as.matrix(d[, seq_len(k)]) %*% rnorm(k) + rnorm(n) * 2, 6)[, 1]
  d
}
data <- list(
  flow = read.csv("datasets/flow.csv"), lazors = read.csv("datasets/lazors.csv"), move = read.csv("datasets/move.csv"),
  seeded = seeded(1, 30, 5), collinear = transform(seeded(2, 25, 6), x3 = x1 + x2), wide = seeded(3, 12, 20)
)
data$seeded$constant <- 4
measures <- list(
  flow = c("size", "colours", "distance", "corners"),
  lazors = c("size", "usable_tiles", "emitters", "receivers", "mirrors", "reflections", "intersections"),
  move = c("moves", "size", "balls", "colours", "rocks", "counterintuitive"),
  seeded = c("x1", "x2", "x3", "constant", "x4", "x5"), collinear = paste0("x", 1:6), wide = paste0("x", 1:20)
)
published <- c("flow", "lazors", "move")
response <- function(name) if (name %in% published) "difficulty" else "y"
weight <- function(name) if (name %in% published) "solved" else "w"

formula_of <- function(name, intercept) {
  paste(response(name), "~", paste(measures[[name]], collapse = " + "), if (intercept) "" else "- 1")
}

# ---- Penalties

folds_of <- function(n) floor((seq_len(n) - 1) * 10 / n) + 1

penalty_case <- function(name, alpha, weighted, intercept) {
  d <- data[[name]]
  x <- as.matrix(d[, measures[[name]]])
  y <- d[[response(name)]]
  w <- if (weighted) d[[weight(name)]] else rep(1, nrow(d))
  exactly <- function(lambda) {
    glmnet(x, y, weights = w, alpha = alpha, lambda = lambda, intercept = intercept, thresh = 1e-24, maxit = 1e8)
  }
  path <- glmnet(x, y, weights = w, alpha = alpha, intercept = intercept, thresh = 1e-14, maxit = 1e7)$lambda
  # cv.glmnet asks for a path of each fold unless it is told one
  chosen <- suppressWarnings(cv.glmnet(x, y, weights = w, alpha = alpha, lambda = path, foldid = folds_of(nrow(d)),
    grouped = FALSE, intercept = intercept, thresh = 1e-14, maxit = 1e7)$lambda.min)
  lambdas <- c(path[1] / 3, path[1] / 50, chosen)
  solutions <- vapply(lambdas, function(lambda) {
    b <- as.matrix(coef(exactly(lambda)))[, 1]
    if (!intercept) b <- b[-1]
    table_of(lambda = number(lambda), coefficients = list_of(number(b)))
  }, "")
  table_of(data = quoted(name), formula = quoted(formula_of(name, intercept)),
    if (weighted) c(weights = quoted(weight(name))), alpha = number(alpha), path = length(path), first = number(path[1]),
    chosen = number(chosen), solutions = list_of(solutions))
}

penalties <- character()
for (name in names(data)) for (alpha in c(0, 0.3, 1)) {
  penalties <- c(penalties, penalty_case(name, alpha, TRUE, TRUE))
  if (name %in% c("flow", "seeded")) penalties <- c(penalties, penalty_case(name, alpha, FALSE, TRUE),
    penalty_case(name, alpha, TRUE, FALSE))
}

# ---- Bounds

# The best of the solutions of all faces: each coefficient free, or at one of its bounds.
by_faces <- function(x, y, lower, upper) {
  best <- list(rss = Inf)
  k <- ncol(x)
  ends <- as.matrix(expand.grid(lapply(seq_len(k), function(j) c(NA, Filter(is.finite, c(lower[j], upper[j]))))))
  for (i in seq_len(nrow(ends))) {
    b <- ends[i, ]
    free <- is.na(b)
    rest <- y - as.vector(x[, !free, drop = FALSE] %*% b[!free])
    if (any(free)) b[free] <- qr.solve(x[, free, drop = FALSE], rest, tol = 1e-12)
    if (any(b < lower - 1e-12 | b > upper + 1e-12)) next
    rss <- sum((y - x %*% b)^2)
    if (rss < best$rss) best <- list(rss = rss, b = b)
  }
  best
}

bound_case <- function(name, fit, weighted, intercept, lower, upper) {
  d <- data[[name]]
  used <- setdiff(measures[[name]], "constant")
  x <- as.matrix(d[, used])
  y <- d[[response(name)]]
  w <- if (weighted) d[[weight(name)]] else rep(1, nrow(d))
  center <- function(v) if (intercept) v - weighted.mean(v, w) else v
  xs <- sqrt(w) * apply(x, 2, center)
  ys <- sqrt(w) * center(y)
  best <- by_faces(xs, ys, lower, upper)
  if (fit == "nnls") stopifnot(all.equal(nnls(xs, ys)$x, unname(best$b), tolerance = 1e-9))
  b <- if (intercept) c(weighted.mean(y, w) - sum(apply(x, 2, weighted.mean, w) * best$b), best$b) else best$b
  items <- c(sprintf("%s >= %.17g", used, lower)[is.finite(lower)], sprintf("%s <= %.17g", used, upper)[is.finite(upper)])
  table_of(data = quoted(name),
    formula = quoted(paste(response(name), "~", paste(used, collapse = " + "), if (intercept) "" else "- 1")),
    if (weighted) c(weights = quoted(weight(name))),
    fit = quoted(if (fit == "nnls") fit else sprintf("bounded(%s)", paste(items, collapse = ", "))),
    rss = number(best$rss), coefficients = list_of(number(b)))
}

bounds <- character()
set.seed(9)
for (name in c("flow", "lazors", "move", "seeded")) {
  k <- length(setdiff(measures[[name]], "constant"))
  for (weighted in c(TRUE, FALSE)) for (intercept in c(TRUE, FALSE)) {
    bounds <- c(bounds, bound_case(name, "nnls", weighted, intercept, rep(0, k), rep(Inf, k)))
    lower <- ifelse(runif(k) < 0.6, round(runif(k, -0.2, 0.1), 2), -Inf)
    upper <- ifelse(runif(k) < 0.6, round(runif(k, 0.1, 0.3), 2), Inf)
    bounds <- c(bounds, bound_case(name, "bounded", weighted, intercept, lower, upper))
  }
}

cat("-- Made by tests/r/penalised.R with R ", as.character(getRversion()), ", glmnet ", as.character(packageVersion("glmnet")),
  ", nnls ", as.character(packageVersion("nnls")), ".\nreturn {\n  data = {\n", sep = "")
for (name in setdiff(names(data), published)) {
  cat("    ", name, " = {\n", sep = "")
  for (column in names(data[[name]])) cat("      ", column, " = ", list_of(number(data[[name]][[column]])), ",\n", sep = "")
  cat("    },\n")
}
cat("  },\n  penalties = {\n", paste0("    ", penalties, ",\n"), "  },\n  bounds = {\n", paste0("    ", bounds, ",\n"),
  "  },\n}\n", sep = "")
