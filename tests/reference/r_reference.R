# Writes r_reference.lua: what R computes for fits, column names and correlations that the tests compare with.
# Run in the checkout: Rscript tests/reference/r_reference.R > tests/reference/r_reference.lua

# ---- Lua text

number <- function(x) ifelse(is.na(x), "NA", sprintf("%.17g", x))
input <- function(x) ifelse(is.na(x), "NA", sprintf("%.15g", x)) # as typed below
quoted <- function(s) encodeString(s, quote = '"')
list_of <- function(items) if (length(items)) paste0("{ ", paste(items, collapse = ", "), " }") else "{}"
columns_of <- function(data) list_of(sprintf("%s = %s", names(data), vapply(data, function(x) list_of(input(x)), "")))
with_intercept <- function(names) sub("^\\(Intercept\\)$", "(intercept)", names)

# ---- Fits

rules <- list(
  flow = "difficulty ~ size + colours + distance + corners",
  lazors_original = "difficulty ~ size + usable_tiles + emitters + receivers + mirrors",
  lazors = "difficulty ~ size + usable_tiles + emitters + receivers + mirrors + reflections + intersections",
  move_original = "difficulty ~ moves + size + balls + colours + rocks",
  move = "difficulty ~ moves + size + balls + colours + rocks + counterintuitive"
)
missing_rows <- list(
  x = c(1, 2, NA, 4, 5.5, 6, 7, 8),
  z = c(2, 1, 4, 3, NA, 0.5, 2.5, 1.5),
  y = c(1.1, 2.3, 2.9, NA, 5.2, 5.8, 7.4, 7.7),
  w = c(1, 2, 3, 4, 5, 6, NA, 2)
)
zero_weights <- list(
  x = c(1, 2, 3, 4, 5, 6, 7),
  y = c(1.2, 1.9, 9, 4.3, 4.8, -3, 7.1),
  w = c(2, 1, 0, 3, 1.5, 0, 2)
)

# file or data, formula, column of weights
fits <- list(
  list("datasets/flow.csv", rules$flow, "solved"),
  list("datasets/lazors.csv", rules$lazors_original, "solved"),
  list("datasets/lazors.csv", rules$lazors, "solved"),
  list("datasets/move.csv", rules$move_original, "solved"),
  list("datasets/move.csv", rules$move, "solved"),
  list("datasets/flow.csv", rules$flow, NULL),
  list("datasets/flow.csv", "difficulty ~ size + colours + distance + corners - 1", "solved"),
  list("datasets/flow.csv", "difficulty ~ 1", "solved"),
  list("datasets/flow.csv", "difficulty ~ size * colours", "solved"),
  list("datasets/flow.csv", "difficulty ~ size + I(size^2)", "solved"),
  list("datasets/flow.csv", "scaled ~ log(size) + corners", "solved"),
  list("datasets/flow.csv", "time ~ sqrt(size) + sqrt(corners)", NULL),
  list("datasets/move.csv", "time ~ moves * counterintuitive", "solved"),
  list("datasets/flow.csv", "difficulty ~ size + I(2 * size) + corners", "solved"),
  list("datasets/lazors.csv", "difficulty ~ mirrors + I(mirrors - emitters) + emitters + size", NULL),
  list(missing_rows, "y ~ x", NULL),
  list(missing_rows, "y ~ x + z", NULL),
  list(missing_rows, "y ~ x", "w"),
  list(zero_weights, "y ~ x", "w"),
  list(zero_weights, "y ~ x - 1", "w")
)

fit_lines <- function(fit) {
  source <- fit[[1]]
  data <- if (is.character(source)) read.csv(source, encoding = "UTF-8") else as.data.frame(source)
  data$case_weights <- if (is.null(fit[[3]])) 1 else data[[fit[[3]]]]
  model <- if (is.null(fit[[3]])) lm(as.formula(fit[[2]]), data) else lm(as.formula(fit[[2]]), data, weights = case_weights)
  s <- summary(model)
  terms <- s$coefficients
  f <- s$fstatistic
  figures <- c(
    sigma = s$sigma, df = model$df.residual, r_squared = s$r.squared, adj_r_squared = s$adj.r.squared,
    if (!is.null(f)) c(f = f[[1]], f_p = pf(f[[1]], f[[2]], f[[3]], lower.tail = FALSE)),
    log_likelihood = as.numeric(logLik(model)), aic = AIC(model), bic = BIC(model), n = nobs(model)
  )
  c(
    "    {",
    if (is.character(source)) sprintf("      data = %s,", quoted(source)) else sprintf("      data = %s,", columns_of(source)),
    sprintf("      formula = %s,", quoted(fit[[2]])),
    if (!is.null(fit[[3]])) sprintf("      weights = %s,", quoted(fit[[3]])),
    "      terms = {",
    sprintf(
      "        { term = %s, estimate = %s, std_error = %s, t = %s, p = %s },",
      quoted(with_intercept(rownames(terms))), number(terms[, 1]), number(terms[, 2]), number(terms[, 3]), number(terms[, 4])
    ),
    "      },",
    sprintf("      aliased = %s,", list_of(quoted(with_intercept(names(which(s$aliased)))))),
    sprintf("      %s = %s,", names(figures), number(figures)),
    "    },"
  )
}

# ---- Columns of the model matrix

rows <- list(a = c(1.5, 2, 3.25), b = c(0.5, 4, 2.25), c = c(3, 1, 0.75))
formulas <- c(
  "y ~ 1", "y ~ a", "y ~ 0 + a", "y ~ a - 1", "y ~ a + b - 1 + 1", "y ~ a + a", "y ~ a:a", "y ~ a - a", "y ~ a^2", "y ~ -a + b",
  "y ~ b:a + a", "y ~ a*b", "y ~ b*a - 1", "y ~ a*b - b", "y ~ a*b*c", "y ~ a*b*c - a:b:c", "y ~ (a + b):c", "y ~ (a + b)*c",
  "y ~ c + (a + b)^2", "y ~ (a + b + c)^2 - b:c", "y ~ (a + b + c) - (b + c)", "y ~ c:b:a + b", "y ~ a*b + c*a",
  "y ~ log(a+1)", "y ~ log(a):sqrt( b ) + exp(c)", "y ~ sqrt(a*b) + exp(-a)", "y ~ I(a^2) + I( a*b ) + I(a+1)",
  "y ~ I(-a)", "y ~ I(-a^2)", "y ~ I(a^-1)", "y ~ I(a^b^c)", "y ~ I((a + b)/2)", "y ~ I(a - (b - c))", "y ~ I(1e-3*a)", "y ~ I(0.50*a + 2.0)",
  "y ~ I(1e5*a)", "y ~ I(a/b*c)", "y ~ I(log(a)^2):b", "y ~ I(a*b) + a:b"
)

column_lines <- function(text) {
  frame <- as.data.frame(rows)
  frame$y <- 0
  m <- model.matrix(as.formula(text), frame)
  c(
    "    {",
    sprintf("      formula = %s,", quoted(text)),
    sprintf("      names = %s,", list_of(quoted(with_intercept(colnames(m))))),
    "      values = {",
    vapply(seq_len(ncol(m)), function(j) sprintf("        %s,", list_of(number(m[, j]))), ""),
    "      },",
    "    },"
  )
}

# ---- Correlations

correlation_lines <- function() {
  flow <- read.csv("datasets/flow.csv")
  line <- function(x, weighted) {
    pair <- flow[c(x, "difficulty")]
    r <- if (weighted) cov.wt(pair, wt = flow$solved, cor = TRUE)$cor[1, 2] else cor(pair[[1]], pair[[2]])
    sprintf(
      '    { data = "datasets/flow.csv", x = %s, y = "difficulty",%s pearson = %s },',
      quoted(x), if (weighted) ' weights = "solved",' else "", number(r)
    )
  }
  c(line("size", FALSE), line("size", TRUE), line("corners", FALSE), line("corners", TRUE))
}

# ---- Rank correlations: cor.test of each method

# 20 data sets with ties, others without around the sizes at which R changes its method, and corners.
with_ties <- lapply(1:20, function(seed) {
  set.seed(seed)
  n <- sample(4:70, 1)
  x <- sample(sample(2:30, 1), n, replace = TRUE)
  list(x = x, y = if (seed %% 2) round(x / 4 + rnorm(n, sd = 3)) / 2 else sample(7, n, replace = TRUE))
})
without_ties <- lapply(c(3:12, 30, 49:51), function(n) {
  set.seed(n)
  list(x = round(rnorm(n), 4), y = round(rnorm(n), 4))
})
corners <- list(
  list(x = c(1, 2), y = c(5, 3)), list(x = 1:8, y = 2 * 1:8), list(x = 1:20, y = 20:1), list(x = 1:60, y = (1:60)^2),
  list(x = c(1, 1, 2), y = c(1, 2, 2)), list(x = c(1, 1, 2, 2), y = c(3, 4, 3, 4)), list(x = c(-1, 0, 1), y = c(4, 4, 5))
)
# Long ones are given by a rule: x = 1 .. n, y = (x * factor) %% prime.
long <- list(c(1290, 1, 1291), c(1290, 500, 1291), c(1291, 3, 1297), c(1291, 640, 1297), c(4000, 7, 4001))

cor_lines <- function(source, x, y) {
  tests <- suppressWarnings(lapply(
    c(pearson = "pearson", kendall = "kendall", spearman = "spearman"),
    function(method) if (length(x) > 2 || method != "pearson") cor.test(x, y, method = method)
  ))
  figures <- unlist(lapply(names(tests), function(method) {
    test <- tests[[method]]
    if (!is.null(test)) setNames(c(test$estimate, test$p.value), paste0(method, c("", "_p")))
  }))
  c("    {", sprintf("      %s,", source), sprintf("      %s = %s,", names(figures), number(figures)), "    },")
}

cor_test_lines <- function() {
  c(
    lapply(c(with_ties, without_ties, corners), function(set) {
      cor_lines(sprintf("x = %s,\n      y = %s", list_of(input(set$x)), list_of(input(set$y))), set$x, set$y)
    }),
    lapply(long, function(rule) {
      x <- seq_len(rule[[1]])
      cor_lines(sprintf("n = %d, factor = %d, prime = %d", rule[[1]], rule[[2]], rule[[3]]), x, (x * rule[[2]]) %% rule[[3]])
    })
  )
}

# ---- All in one piece, so that a failure writes nothing

lines <- c(
  "-- What R computes for fits, columns of the model matrix and correlations: the tests compare crux with it.",
  sprintf("-- %s; made by tests/reference/r_reference.R, which says how to run it.", R.version.string),
  "local NA = 0 / 0 -- a missing value",
  "return {",
  "  -- `terms` are those that R kept, in its order; `aliased` the others. `data` is a file or a table of columns.",
  "  fits = {", unlist(lapply(fits, fit_lines)), "  },",
  "  -- `values` holds one list for each of `names`: that column for the three `rows`.",
  sprintf("  rows = %s,", columns_of(rows)),
  "  columns = {", unlist(lapply(formulas, column_lines)), "  },",
  "  correlations = {", correlation_lines(), "  },",
  "  -- cor.test(x, y, method = ...) of 20 data sets with ties and others; x = 1 .. n, y = x * factor % prime where no lists are.",
  "  tests = {", unlist(cor_test_lines()), "  },",
  "}"
)
writeLines(lines)
