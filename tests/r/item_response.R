# Writes tests/reference/item_response_reference.lua: maximum likelihood of item response models for the tables of
# tests/reference/lsat.lua by optim, abilities being integrated out on a grid of 401 points from -8 to 8.
# Run in the checkout: Rscript tests/r/item_response.R > tests/reference/item_response_reference.lua
# R 4.2.2.
numbers <- function(x) paste(sprintf("%.10g", x), collapse = ", ")
text <- paste(readLines("tests/reference/lsat.lua"), collapse = "\n")
grid <- seq(-8, 8, length = 401)
density <- dnorm(grid) / sum(dnorm(grid))

counts <- function(name) {
  part <- sub("\\}.*", "", sub(paste0(".*", name, " = \\{"), "", text))
  pairs <- regmatches(part, gregexpr('"[01]+"\\] = [0-9]+', part))[[1]]
  list(patterns = t(sapply(strsplit(substr(pairs, 2, 6), ""), as.numeric)), people = as.numeric(sub(".*= ", "", pairs)))
}

cat("-- Made by tests/r/item_response.R with R ", as.character(getRversion()), ".\nreturn {\n", sep = "")
for (name in c("lsat6", "lsat7")) {
  data <- counts(name)
  for (slopes in c("one", "common", "own")) {
    minus <- function(x) {
      a <- if (slopes == "one") rep(1, 5) else if (slopes == "common") rep(x[6], 5) else x[6:10]
      p <- sapply(1:5, function(j) plogis(x[j] + a[j] * grid))
      -sum(data$people * log(exp(data$patterns %*% t(log(p)) + (1 - data$patterns) %*% t(log(1 - p))) %*% density))
    }
    start <- c(qlogis(colSums(data$patterns * data$people) / sum(data$people)), rep(1, c(one = 0, common = 1, own = 5)[[slopes]]))
    control <- list(reltol = 1e-16, maxit = 2000, ndeps = rep(1e-4, length(start)))
    found <- optim(start, minus, method = "BFGS", control = control)
    for (again in 1:3) found <- optim(found$par, minus, method = "BFGS", control = control)
    covariances <- solve(optimHess(found$par, minus, control = list(ndeps = rep(1e-3, length(start)))))
    b <- -found$par[1:5] # difficulties and their derivatives
    derivatives <- cbind(-diag(5), matrix(0, 5, length(start) - 5))
    if (slopes == "own") {
      a <- found$par[6:10]
      b <- b / a
      derivatives <- cbind(-diag(1 / a), -diag(b / a))
    }
    errors <- sqrt(c(diag(derivatives %*% covariances %*% t(derivatives)), diag(covariances)[-(1:5)]))
    cat(sprintf('  { data = "%s", slopes = "%s", log_likelihood = %.10g, difficulties = { %s },', name, slopes,
      -found$value, numbers(b)))
    cat(sprintf(" slopes_of = { %s }, errors = { %s } },\n", numbers(found$par[-(1:5)]), numbers(errors)))
  }
}
cat("}\n")
