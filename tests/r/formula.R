# Writes tests/reference/formula.lua: model matrices, on the rows of a fit and on new ones, and fits with offsets and transformed
# responses, as R computes them.
# Run in the checkout: LC_ALL=C Rscript tests/r/formula.R > tests/reference/formula.lua

number <- function(x) sprintf("%.17g", x)
quoted <- function(s) encodeString(s, quote = '"')
list_of <- function(items) paste0("{ ", paste(items, collapse = ", "), " }")
columns_of <- function(data) {
  list_of(sprintf("%s = %s", names(data), vapply(data, function(x) list_of(if (is.character(x)) quoted(x) else number(x)), "")))
}
with_intercept <- function(names) sub("^\\(Intercept\\)$", "(intercept)", names)

# crux's min and max are taken row by row
min <- pmin
max <- pmax

rows <- data.frame(
  a = c(1.5, 2, 3.25, 4, 0.5, 7, 2.75, 5.5, 6.125, 3),
  b = c(0.5, 4, 2.25, 1, 2, 3, 1.75, 0.25, 2.5, 3.5),
  c = c(3, 1, 0.75, 2, 2.5, 1.25, 0.5, 4, 1.5, 2.25),
  g = c(2, 10, 1, 2, 10, 1, 2, 10, 1, 2),
  h = c("cave", "forest", "cave", "Sea", "forest", "cave", "Sea", "cave", "forest", "Sea"),
  k = c(0.25, 0.1, 1e5, 0.1, 0.25, 1e5, 0.25, 0.1, 1e5, 1e5),
  y = c(2.5, 1.25, 4.5, 3, 6.5, 2.75, 5, 7.25, 8, 4.125),
  w = c(1, 2, 3, 1, 2, 3, 4, 2, 1, 5)
)
new <- data.frame(
  a = c(0, 2.5, 9), b = c(1, 5, 0.125), c = c(2, 2, 6), g = c(10, 1, 2), h = c("Sea", "cave", "forest"), k = c(0.1, 1e5, 0.25),
  y = c(1, 1, 1), w = c(1, 1, 1)
)

# ---- Model matrices

formulas <- c(
  "y ~ a/b", "y ~ a/b/c", "y ~ (a + b)/c", "y ~ a/(b + c)", "y ~ a %in% b", "y ~ a + b %in% a", "y ~ (a + b) %in% c", "y ~ a*b %in% c",
  "y ~ (a + b + c)^2 - a %in% b", "y ~ abs(a - 3)", "y ~ min(a, b, c) + max(a, 2)", "y ~ I(min(a, b)/max(b, c)) + abs(log(c))",
  "y ~ log10(b) + log2(c) + log1p(a)", "y ~ pmin(a, b, 2) + pmax(b, c)", "y ~ ifelse(a > 3, b, -c)", "y ~ ifelse(a - 2, 1, log(b))",
  "y ~ I(1 * (a > 3)) + I((a >= 4) * (b < c)) + I(1 * (-a^2 <= -4 - b))", "y ~ I((g == 10) + 2 * (k != 0.1)):a + ifelse(g != 1, a, 0)",
  "y ~ poly(a, 1)", "y ~ poly(a, 2)", "y ~ poly(a, 5) - 1", "y ~ poly(log(b), 3)", "y ~ poly(a, 2):b", "y ~ poly(a, 2)*poly(b, 2)",
  "y ~ b + offset(log(a))", "y ~ offset(a) + b*c + offset(2 * c)",
  "y ~ factor(g)", "y ~ factor(h)", "y ~ factor(k) + a", "y ~ factor(g) - 1", "y ~ 0 + a + factor(h)", "y ~ a:factor(g)",
  "y ~ a + a:factor(g)", "y ~ factor(g):a - 1", "y ~ factor(g)*a", "y ~ factor(g)/a", "y ~ factor(g)/a - 1", "y ~ a/factor(g)",
  "y ~ factor(g) + factor(h) - 1", "y ~ factor(g):factor(h)", "y ~ factor(g):factor(h) - 1", "y ~ factor(g)*factor(h)",
  "y ~ factor(g)*factor(h) - factor(g)", "y ~ factor(g)*factor(h) - 1", "y ~ factor(g)/factor(h)", "y ~ factor(h) %in% factor(g)",
  "y ~ factor(g):factor(h):a", "y ~ factor(g)*factor(h)*a - factor(g):factor(h)", "y ~ a + b + factor(g):factor(h) + factor(h)",
  "y ~ poly(a, 2):factor(g)", "y ~ poly(a, 2)*factor(h)", "y ~ poly(a, 2):factor(g) - 1",
  "y ~ (factor(g) + a + b)^2", "y ~ a:b:factor(h) + a:factor(h)", "y ~ factor(h) + a - a/factor(h) + b",
  "y ~ . - y - w - h - k", "y ~ (.)^2 - y - w - h - k"
)

matrix_lines <- function(text) {
  # a dot stands for the measures that crux would take: numbers that are no target
  dotted <- grepl("(^|[^0-9a-zA-Z._])\\.([^0-9a-zA-Z._]|$)", text)
  data <- if (dotted) rows[c("y", "a", "b", "c", "g")] else rows
  crux <- text
  if (dotted) text <- crux <- sub(" - y - w - h - k", "", text, fixed = TRUE)
  frame <- model.frame(as.formula(text), data)
  terms <- attr(frame, "terms")
  matrix <- model.matrix(terms, frame)
  fresh <- model.matrix(delete.response(terms), model.frame(delete.response(terms), new, xlev = .getXlevels(terms, frame)))
  stopifnot(identical(colnames(matrix), colnames(fresh)))
  values <- vapply(seq_len(ncol(matrix)), function(i) list_of(number(c(matrix[, i], fresh[, i]))), "")
  sprintf("    { formula = %s, names = %s, values = %s },", quoted(crux), list_of(quoted(with_intercept(colnames(matrix)))),
    list_of(values))
}

# ---- Fits

fits <- list(
  list("log(y) ~ a + b", NULL), list("log(y) ~ a + b", "w"), list("sqrt(y) ~ poly(a, 2)", NULL), list("exp(y) ~ 1", NULL),
  list("y ~ a + offset(b)", NULL), list("y ~ a + offset(2 * c) + offset(log(b))", "w"), list("y ~ a + offset(b) - 1", "w"),
  list("y ~ offset(b)", NULL), list("log(y) ~ factor(g) + offset(c)", NULL), list("y ~ poly(a, 3) + factor(h)", "w"),
  list("y ~ factor(h)/a - 1", NULL), list("y ~ a + min(b, c) + max(a, 4)", NULL)
)
inverse <- list(log = exp, sqrt = function(x) x^2, exp = log)

fit_lines <- function(fit) {
  data <- rows
  data$case_weights <- if (is.null(fit[[2]])) 1 else data[[fit[[2]]]]
  parsed <- as.formula(fit[[1]])
  model <- if (is.null(fit[[2]])) lm(parsed, data) else lm(parsed, data, weights = case_weights)
  s <- summary(model)
  f <- s$fstatistic
  figures <- c(
    sigma = s$sigma, df = model$df.residual, r_squared = s$r.squared, adj_r_squared = s$adj.r.squared,
    if (!is.null(f)) c(f = f[[1]]), log_likelihood = as.numeric(logLik(model)), aic = AIC(model), bic = BIC(model)
  )
  predictions <- suppressWarnings(predict(model, new))
  if (is.call(parsed[[2]])) predictions <- inverse[[as.character(parsed[[2]][[1]])]](predictions)
  paste(c(
    sprintf("    { formula = %s,%s", quoted(fit[[1]]), if (is.null(fit[[2]])) "" else sprintf(" weights = %s,", quoted(fit[[2]]))),
    sprintf(
      "{ term = %s, estimate = %s, std_error = %s },", quoted(with_intercept(rownames(s$coefficients))),
      number(s$coefficients[, 1]), number(s$coefficients[, 2])
    ),
    sprintf("%s,", paste(sprintf("%s = %s", names(figures), number(figures)), collapse = ", ")),
    sprintf("predictions = %s },", list_of(number(predictions)))
  ), collapse = " ")
}

lines <- c(
  "-- Model matrices and fits that R computes: the tests compare crux with them.",
  sprintf("-- %s; made by tests/r/formula.R, which says how to run it.", R.version.string),
  "return {",
  sprintf("  rows = %s,", columns_of(rows)),
  sprintf("  new = %s,", columns_of(new)),
  "  -- `values` holds one list for each of `names`: that column for `rows`, then for `new`.",
  "  matrices = {", unlist(lapply(formulas, matrix_lines)), "  },",
  "  -- the terms that R kept, and predictions for `new` on the target's scale",
  "  fits = {", unlist(lapply(fits, fit_lines)), "  },",
  "}"
)
writeLines(lines)
