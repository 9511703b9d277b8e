# Prints the largest relative error of an estimate by R's lm for each of NIST's datasets; nist.lua does the same with crux.
folder <- "tests/reference/nist/"
certified <- read.csv(paste0(folder, "certified.csv"))
for (name in unique(certified$dataset)) {
  rows <- certified[certified$dataset == name, ]
  data <- read.csv(paste0(folder, name, ".csv"))
  terms <- ifelse(rows$term == "(intercept)", "1", rows$term)
  fitted <- lm(as.formula(paste(names(data)[1], "~ 0 +", paste(terms, collapse = " + "))), data, tol = 1e-14)
  cat(name, sprintf("%.1e", max(abs(coef(fitted) - rows$estimate) / abs(rows$estimate))), "\n")
}
