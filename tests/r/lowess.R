# The expected values of tests/lowess_test.lua: R's lowess with its usual arguments.
show <- function(name, x, y) {
  line <- lowess(x, y)
  cat(name, "=\n", sprintf("{ x = { %s },\n  y = { %s },\n  line = { %s } },\n",
    paste(sprintf("%.17g", x), collapse = ", "), paste(sprintf("%.17g", y), collapse = ", "),
    paste(sprintf("%.17g", line$y), collapse = ", ")))
}
flow <- read.csv("datasets/flow.csv")
move <- read.csv("datasets/move.csv")
show("flow, size and difficulty", flow$size, flow$difficulty)
show("move, moves and time", move$moves, move$time)
i <- 0:24
show("an outlier", i, ifelse(i == 12, 40, i %% 3 + i / 2))
show("a straight line", c(4, 1, 3, 2), c(9, 3, 7, 5))
show("two points", c(2, 1), c(5, 3))
show("near ones interpolated", i^4, (i * 7) %% 11)
show("one place", c(1, 1, 1), c(2, 4, 9))
