"""What pandas takes for a row of rows_bench.lua: rows_peers.py ROW DATA OUTPUT."""
import sys

import pandas

row, path, output = sys.argv[1:]
data = pandas.read_csv(path)
if row == "rate":
    data["rating"] = 2 + 0.01 * data["size"] - 0.3 * data.colours - 0.2 * data.distance + 0.04 * data.corners
    data[["level", "rating"]].to_csv(output, index=False)
elif row == "aggregate":
    solved = data[data.skipped == 0]
    ratings = solved.groupby("player").rating
    low, high = ratings.transform("min"), ratings.transform("max")
    scaled = (1 + 9 * (solved.rating - low) / (high - low)).where(high > low, solved.rating)
    levels = solved.assign(scaled=scaled).groupby("level")[["rating", "scaled", "time", "moves_used"]].mean()
    levels.join(data.groupby("level").skipped.sum()).to_csv(output)
elif row == "correlate":
    measures, targets = ["size", "colours", "distance", "corners"], ["difficulty", "enjoyment"]
    for method in "pearson", "spearman", "kendall":
        for target in targets:
            data[measures].corrwith(data[target], method=method)
