# Writes tests/reference/order_reference.lua: the fit order(logistic) by R's glm on the differences of all pairs, then its lm.
# Run in the checkout: Rscript tests/r/order.R > tests/reference/order_reference.lua

cases <- list(
  list("datasets/flow.csv", "difficulty ~ size + colours + distance + corners", "solved"),
  list("datasets/lazors.csv",
    "difficulty ~ size + usable_tiles + emitters + receivers + mirrors + reflections + intersections", "solved"),
  list("datasets/move.csv", "difficulty ~ moves + size + balls + colours + rocks + counterintuitive", "solved"),
  list("tests/reference/linear_fits_1.csv", "y ~ x1 + x2", "w"),
  list("tests/reference/linear_fits_2.csv", "y ~ x1 + x2 + x3 + x4", "w"),
  list("tests/reference/linear_fits_3.csv", "y ~ x1 + x2 + x3", "w")
)
cat("-- glm and lm of R; written by tests/r/order.R.\nreturn {\n")
for (case in cases) for (weights in list(case[[3]], NULL)) {
  data <- read.csv(case[[1]], encoding = "UTF-8")
  formula <- as.formula(case[[2]])
  x <- model.matrix(formula, data)[, -1]
  y <- data[[all.vars(formula)[1]]]
  w <- if (is.null(weights)) rep(1, length(y)) else data[[weights]]
  pairs <- which(outer(y, y, ">"), arr.ind = TRUE)
  differences <- x[pairs[, 1], ] - x[pairs[, 2], ]
  weight <- w[pairs[, 1]] * w[pairs[, 2]]
  fit <- suppressWarnings(glm(rep(1, nrow(pairs)) ~ differences - 1, family = binomial, weights = weight,
    control = glm.control(epsilon = 1e-15, maxit = 100)))
  scores <- as.vector(x %*% coef(fit))
  line <- coef(lm(y ~ scores, weights = w))
  cat(sprintf('  { data = "%s", formula = "%s", fit = "order(logistic)",%s unique = true, value = %.17g, estimates = { %s } },\n',
    case[[1]], case[[2]], if (is.null(weights)) "" else sprintf(' weights = "%s",', weights),
    sum(weight * log1p(exp(-differences %*% coef(fit)))),
    paste(sprintf("%.17g", c(line[1], line[2] * coef(fit))), collapse = ", ")))
}
cat("}\n")
