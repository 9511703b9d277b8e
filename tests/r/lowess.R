# The expected values of tests/stats/lowess_test.lua: R's lowess with its usual arguments, by ascending x.
show <- function(name, x, y) {
  line <- lowess(x, y)
  once <- !duplicated(line$x)
  cat(name, ": ", paste(sprintf("%.17g", line$y[once]), collapse = ", "), "\n", sep = "")
}
flow <- read.csv("datasets/flow.csv")
i <- 0:24
show("flow's difficulty by size", flow$size, flow$difficulty)
show("outlier", i, ifelse(i == 12, 40, i %% 3 + i / 2))
show("interpolated", i^4, (i * 7) %% 11)
show("line", c(4, 1, 3, 2), c(9, 3, 7, 5))
show("two", c(2, 1), c(5, 3))
show("one place", c(1, 1, 1), c(2, 4, 9))
