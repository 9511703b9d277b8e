# The work that data_bench times, with numpy: read (by the module that is named, pandas or polars), a weighted fit in five folds, errors of
# the predictions.
import importlib
import sys
import numpy

data = importlib.import_module(sys.argv[2]).read_csv(sys.argv[1])
x = numpy.column_stack([numpy.ones(len(data))] + [data[c] for c in ("size", "colours", "distance", "corners", "moves")])
y, root = data["difficulty"].to_numpy(), numpy.sqrt(data["solved"].to_numpy())
fold = numpy.arange(len(y)) * 5 // len(y)
predicted = numpy.empty(len(y))
for k in range(5):
    train = fold != k
    w = root[train]
    predicted[~train] = x[~train] @ numpy.linalg.lstsq(x[train] * w[:, None], y[train] * w, rcond=None)[0]
print(numpy.abs(predicted - y).mean(), numpy.median((predicted - y) ** 2))
