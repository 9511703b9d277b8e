# Writes tests/reference/likelihood_reference.lua: the fit ordinal by polr of MASS, its estimates polished by clm of ordinal, and
# the fit beta by vglm of VGAM; and tests/reference/ratings_1.csv to ratings_3.csv, seeded, which they take with the published data.
# Run in the checkout: Rscript tests/r/likelihood.R > tests/reference/likelihood_reference.lua
# R 4.2.2 with MASS 7.3-58.2, ordinal 2022.11-16, VGAM 1.1-7 (Debian r-cran-mass, r-cran-ordinal, r-cran-vgam).
suppressMessages({ library(MASS); library(ordinal); library(VGAM) })

# Ratings of players: integers of a latent scale, and shares of a beta distribution, of seed 3 with some on the bounds.
study <- function(seed, rows, highest) {
  set.seed(seed)
  x1 <- round(rnorm(rows, 10, 3), 2)
  x2 <- sample(0:6, rows, replace = TRUE)
  x3 <- round(rexp(rows, 2), 3)
  score <- 0.3 * (x1 - 10) + 0.25 * x2 - 0.8 * x3
  rating <- pmin(highest, pmax(1, round(highest / 2 + 1.5 * score + 1.2 * rlogis(rows))))
  mean <- plogis(0.6 * score)
  share <- rbeta(rows, 9 * mean, 9 * (1 - mean))
  if (seed == 3) share[c(2, 30)] <- c(0, 1)
  data.frame(x1, x2, x3, w = sample(1:12, rows, replace = TRUE), rating, mean = round(1 + 9 * share, 3))
}
sizes <- list(c(120, 10), c(80, 7), c(200, 10))
for (seed in 1:3) {
  write.csv(study(seed, sizes[[seed]][1], sizes[[seed]][2]), sprintf("tests/reference/ratings_%d.csv", seed), row.names = FALSE,
    quote = FALSE)
}

numbers <- function(x) paste(sprintf("%.17g", x), collapse = ", ")
row <- function(method, case, formula, weights, names, estimates, errors, value, more = "") {
  cat(sprintf('  { fit = "%s", data = "%s", formula = "%s",%s log_likelihood = %.17g,%s', method, case$data, formula,
    if (is.null(weights)) "" else sprintf(' weights = "%s",', weights), value, more))
  cat(sprintf(" terms = { %s },", paste0('"', names, '"', collapse = ", ")))
  cat(sprintf(" estimates = { %s }, errors = { %s } },\n", numbers(estimates), numbers(errors)))
}

ordinal_row <- function(case, formula, data, y, w, weights, method) {
  data$category <- factor(y, ordered = TRUE)
  right <- as.formula(paste("category", sub(".*~", "~", formula)))
  data$w_ <- w
  first <- polr(right, data, weights = w_, control = list(reltol = 1e-16, maxit = 10000))
  fit <- clm(right, data = data, weights = w_, control = clm.control(gradTol = 1e-12, maxIter = 200, maxLineIter = 100))
  errors <- sqrt(diag(solve(fit$Hessian)))
  stopifnot(abs(logLik(first) - logLik(fit)) < 1e-8, max(abs(coef(first) - fit$beta)) < 1e-4,
    max(abs(solve(fit$Hessian, fit$gradient))) < 1e-8) # the next of Newton's steps
  k <- length(fit$alpha)
  row(method, case, formula, weights, c(names(fit$beta), names(fit$alpha)), c(fit$beta, fit$alpha),
    c(errors[-(1:k)], errors[1:k]), as.numeric(logLik(first)),
    sprintf(" bic = %.17g, expected = { %s },", BIC(first),
      numbers(head(as.vector(predict(fit, data[names(data) != "category"], type = "prob")$fit %*% sort(unique(y))), 5))))
}

beta_row <- function(case, formula, data, y, w, weights) {
  share <- (y - 1) / 9
  n <- length(share)
  if (any(share == 0 | share == 1)) share <- (share * (n - 1) + 0.5) / n
  data$share_ <- share
  data$w_ <- w
  # a half of a step that rounding leaves is what it warns of
  fit <- suppressWarnings(vglm(as.formula(paste("share_", sub(".*~", "~", formula))), betaff(zero = 2), data, weights = w_,
    epsilon = 1e-15, maxit = 500))
  estimates <- coef(fit)
  errors <- sqrt(diag(vcov(fit)))
  phi <- exp(estimates[[2]])
  mean <- plogis(predict(fit)[, 1])
  miss <- qlogis(share) - digamma(phi * mean) + digamma(phi * (1 - mean))
  by_phi <- mean * miss + log1p(-share) - digamma(phi * (1 - mean)) + digamma(phi)
  gradient <- c(crossprod(model.matrix(fit, type = "lm"), w * phi * mean * (1 - mean) * miss), sum(w * phi * by_phi))
  stopifnot(abs(gradient * errors[c(1, seq_along(errors)[-(1:2)], 2)]) < 1e-7) # so far from the best, in standard errors
  row("beta", case, formula, weights, c("(intercept)", names(estimates)[-(1:2)], "(phi)"), c(estimates[-2], phi),
    c(errors[-2], errors[2] * phi), sum(w * dbeta(share, phi * mean, phi * (1 - mean), log = TRUE)),
    sprintf(" expected = { %s },", numbers(1 + 9 * head(mean, 5))))
}

cases <- list(
  list(data = "datasets/flow.csv", right = "size + colours + distance + corners", w = "solved"),
  list(data = "datasets/lazors.csv",
    right = "size + usable_tiles + emitters + receivers + mirrors + reflections + intersections", w = "solved"),
  list(data = "datasets/move.csv", right = "moves + size + balls + colours + rocks + counterintuitive", w = "solved"),
  list(data = "tests/reference/ratings_1.csv", right = "x1 + x2 + x3", w = "w"),
  list(data = "tests/reference/ratings_2.csv", right = "x1 + x2 + x3", w = "w"),
  list(data = "tests/reference/ratings_3.csv", right = "x1 + x2 + x3", w = "w")
)
cat("-- MASS, ordinal and VGAM of R; written by tests/r/likelihood.R.\nreturn {\n")
for (case in cases) for (weights in list(case$w, NULL)) {
  data <- read.csv(case$data, encoding = "UTF-8")
  published <- grepl("datasets", case$data)
  w <- if (is.null(weights)) rep(1, nrow(data)) else data[[weights]]
  y <- if (published) floor(data$difficulty + 0.5) else data$rating
  ordinal_row(case, paste(if (published) "difficulty" else "rating", "~", case$right), data, y, w, weights,
    if (published) "ordinal(round = 1)" else "ordinal")
  y <- if (published) data$difficulty else data$mean
  beta_row(case, paste(if (published) "difficulty" else "mean", "~", case$right), data, y, w, weights)
}
cat("}\n")
