# The work that data_bench times, in R: read (with the argument fread by data.table), a weighted fit in five folds, errors of the predictions.
words <- commandArgs(TRUE)
data <- if (is.na(words[2])) read.csv(words[1]) else data.table::fread(words[1], data.table = FALSE)
fold <- ((seq_len(nrow(data)) - 1) * 5) %/% nrow(data) + 1
predicted <- numeric(nrow(data))
for (k in 1:5) {
  fitted <- lm(difficulty ~ size + colours + distance + corners + moves, data[fold != k, ], weights = solved)
  predicted[fold == k] <- predict(fitted, data[fold == k, ])
}
cat(mean(abs(predicted - data$difficulty)), median((predicted - data$difficulty)^2), "\n")
