"""Writes tests/reference/linear_fits_reference.lua and the three seeded datasets tests/reference/linear_fits_*.csv: coefficients of the
fits that are linear programs, by an exact simplex over rational numbers that shares nothing with crux but the definitions.
Run in the checkout: python3 tests/r/linear_fits.py"""
import csv
from fractions import Fraction
from math import gcd

EPSILON = Fraction(1, 10**9)  # of each further sum: with exact numbers the optimum is that of one sum after the other
LARGE = 10**15                # cost of leaving a row of the dual program unmet


class Kinks:
    """A sum of below * e for e < 0, above * e for e > 0 over rows, e = target - row * coefficients; None: no bound."""

    def __init__(self, width):
        self.width, self.rows, self.targets, self.below, self.above = width, [], [], [], []

    def add(self, row, target, below, above):
        self.rows.append(row)
        self.targets.append(Fraction(target))
        self.below.append(None if below is None else Fraction(below))
        self.above.append(None if above is None else Fraction(above))


def integer_rows(rows, targets):
    """Rows and targets times one number that makes all of them integers."""
    scale = 1
    for row, target in zip(rows, targets):
        for x in list(row) + [target]:
            denominator = Fraction(x).denominator
            scale = scale * denominator // gcd(scale, denominator)
    return [[int(x * scale) for x in row] for row in rows], [int(t * scale) for t in targets]


def minimise(kinks, gradient):
    """Coefficients of the least sum plus gradient * coefficients; whether there are no others. Bounded primal simplex on the
    dual: maximise target * z, sum of z * row = gradient, below <= z <= above; Bland's rule where a step gains nothing."""
    p, n = kinks.width, len(kinks.rows)
    rows, targets = integer_rows(kinks.rows, kinks.targets)
    scale = None
    for row, original in zip(rows, kinks.rows):
        for a, b in zip(row, original):
            if b != 0:
                scale = Fraction(a) / Fraction(b)
                break
        if scale is not None:
            break
    z = [low if low is not None else high for low, high in zip(kinks.below, kinks.above)]
    z = [Fraction(0) if value is None else value for value in z]
    rest = [scale * g - sum(z[k] * rows[k][j] for k in range(n) if rows[k][j]) for j, g in enumerate(gradient)]
    signs = [1 if r >= 0 else -1 for r in rest]
    basis = [n + j for j in range(p)]  # the artificial ones
    inverse = [[Fraction(signs[j] if i == j else 0) for j in range(p)] for i in range(p)]
    values = [abs(r) for r in rest]
    bounds = lambda k: (kinks.below[k], kinks.above[k]) if k < n else (Fraction(0), None)
    cost = lambda k: targets[k] if k < n else -LARGE * max(1, max(map(abs, targets)))
    stalled = False
    while True:
        y = [sum(cost(basis[i]) * inverse[i][j] for i in range(p)) for j in range(p)]
        common = 1
        for v in y:
            common = common * v.denominator // gcd(common, v.denominator)
        whole = [int(v * common) for v in y]
        inside, best, entering, upward = set(basis), 0, None, True
        for k in range(n):
            if k in inside:
                continue
            gain = targets[k] * common - sum(a * b for a, b in zip(whole, rows[k]))
            low, high = bounds(k)
            up = gain > 0 and (high is None or z[k] < high)
            down = gain < 0 and (low is None or z[k] > low)
            if (up or down) and abs(gain) > best:
                best, entering, upward = abs(gain), k, up
                if stalled:
                    break
        if entering is None:
            break
        low, high = bounds(entering)
        direction = 1 if upward else -1
        change = [-direction * sum(inverse[i][j] * rows[entering][j] for j in range(p)) for i in range(p)]
        limit = None if low is None or high is None else high - low
        leaving = None
        for i in range(p):
            low_i, high_i = bounds(basis[i])
            bound = high_i if change[i] > 0 else low_i
            if change[i] == 0 or bound is None:
                continue
            room = (bound - values[i]) / change[i]
            if limit is None or room < limit or room == limit and leaving is not None and basis[i] < basis[leaving]:
                limit, leaving = room, i
        assert limit is not None, "unbounded"
        stalled = limit == 0
        values = [v + limit * c for v, c in zip(values, change)]
        z[entering] += direction * limit
        if leaving is None:
            continue
        gone = basis[leaving]
        if gone < n:
            z[gone] = values[leaving]
        pivot = -direction * change[leaving]
        inverse[leaving] = [v / pivot for v in inverse[leaving]]
        for i in range(p):
            if i != leaving and change[i] != 0:
                factor = -direction * change[i]
                inverse[i] = [a - factor * b for a, b in zip(inverse[i], inverse[leaving])]
        basis[leaving], values[leaving] = entering, z[entering]
    assert all(k < n or v == 0 for k, v in zip(basis, values)), "unmet"
    strict = all(k < n and bounds(k)[0] != v != bounds(k)[1] for k, v in zip(basis, values))
    return y, strict


def solve(width, sums, gradient=None):
    """Kinks of one sum after the other; sums: lists of (row, target, below, above)."""
    kinks = Kinks(width)
    for level, rows in enumerate(sums):
        times = lambda slope: None if slope is None else slope * EPSILON**level
        for row, target, below, above in rows:
            kinks.add(row, target, times(below), times(above))
    return minimise(kinks, gradient or [0] * width)


def unit(width, j, value):
    return [value if i == j else 0 for i in range(width)]


def sizes(rows, width, terms):
    return [(unit(width, j, max(abs(row[j]) for row in rows)), 0, -1, 1) for j in range(terms)]


def check_sum(rows, y, w, below, above):
    return [(row, t, -below * v, above * v) for row, t, v in zip(rows, y, w)]


def quantile(tau):
    def fit(x, y, w):
        p = len(x[0])
        b, unique = solve(p, [check_sum(x, y, w, 1 - tau, tau), sizes(x, p, p)])
        errors = [t - sum(map(lambda a, c: a * c, row, b)) for row, t in zip(x, y)]
        return b, unique, sum(v * (tau * e if e > 0 else (tau - 1) * e) for v, e in zip(w, errors))
    return fit


def lad(x, y, w):
    b, unique, value = quantile(Fraction(1, 2))(x, y, w)
    return b, unique, 2 * value


def minimax(x, y, w):
    p = len(x[0])
    both = [(row + [1], t, 0, None) for row, t in zip(x, y)] + [([-a for a in row] + [1], -t, 0, None) for row, t in zip(x, y)]
    b, unique = solve(p + 1, [both, sizes(x, p + 1, p)], [0] * p + [1])
    return b[:p], unique, b[p]


def margin(m):
    def fit(x, y, w):
        p = len(x[0])
        excess = [(row, t - m, 0, v) for row, t, v in zip(x, y, w)] + [(row, t + m, -v, 0) for row, t, v in zip(x, y, w)]
        b, unique = solve(p, [excess, check_sum(x, y, w, 1, 1), sizes(x, p, p)])
        errors = [abs(t - sum(a * c for a, c in zip(row, b))) for row, t in zip(x, y)]
        return b, unique, sum(v * max(Fraction(0), e - m) for v, e in zip(w, errors))
    return fit


def order(x, y, w):
    pairs = [(i, j) for i in range(len(y)) for j in range(len(y)) if y[i] > y[j]]
    differences = [[a - b for a, b in zip(x[i][1:], x[j][1:])] for i, j in pairs]
    weights = [w[i] * w[j] for i, j in pairs]
    p = len(x[0]) - 1
    b, unique = solve(p, [[(d, 1, 0, v) for d, v in zip(differences, weights)], sizes(differences, p, p)])
    value = sum(v * max(Fraction(0), 1 - sum(a * c for a, c in zip(d, b))) for d, v in zip(differences, weights))
    scores = [sum(a * c for a, c in zip(row[1:], b)) for row in x]
    total = sum(w)
    mean_s, mean_y = sum(v * s for v, s in zip(w, scores)) / total, sum(v * t for v, t in zip(w, y)) / total
    slope = (sum(v * (s - mean_s) * (t - mean_y) for v, s, t in zip(w, scores, y))
             / sum(v * (s - mean_s)**2 for v, s in zip(w, scores)))
    assert slope > 0
    return [mean_y - slope * mean_s] + [slope * c for c in b], unique, value


FITS = [("lad", lad), ("quantile(tau = 0.9)", quantile(Fraction(9, 10))), ("quantile(tau = 0.25)", quantile(Fraction(1, 4))),
        ("minimax", minimax), ("margin", margin(Fraction(1, 2))), ("margin(margin = 3)", margin(Fraction(3))),
        ("margin(margin = 0)", margin(Fraction(0))), ("order", order)]


def seeded(seed, n, k):
    """Writes a dataset of n rows, k measures, a target y and weights w, by the generator of Park and Miller."""
    def draw(most):
        nonlocal seed
        seed = 16807 * seed % (2**31 - 1)
        return seed % most
    path = f"tests/reference/linear_fits_{seed}.csv"
    with open(path, "w") as file:
        file.write(",".join([f"x{j + 1}" for j in range(k)] + ["y", "w"]) + "\n")
        for _ in range(n):
            x = [draw(1000) * (j + 1) for j in range(k)]
            y = sum((j - 1) * v for j, v in enumerate(x)) + 2000 + draw(1500) - draw(1500)
            file.write(",".join([f"{v / 1000:g}" for v in x] + [f"{y / 1000:g}", f"{(1 + draw(40)) / 4:g}"]) + "\n")
    return path


def main():
    def measures(k):
        return [f"x{j + 1}" for j in range(k)]
    cases = [
        ("datasets/flow.csv", "difficulty", "size colours distance corners".split(), "solved"),
        ("datasets/lazors.csv", "difficulty", "size usable_tiles emitters receivers mirrors reflections intersections".split(),
         "solved"),
        ("datasets/move.csv", "difficulty", "moves size balls colours rocks counterintuitive".split(), "solved"),
        (seeded(1, 30, 2), "y", measures(2), "w"),
        (seeded(2, 45, 4), "y", measures(4), "w"),
        (seeded(3, 60, 3), "y", measures(3), "w"),
    ]
    with open("tests/reference/linear_fits_reference.lua", "w") as out:
        out.write("-- Exact solutions of the fits that are linear programs; written by tests/r/linear_fits.py.\nreturn {\n")
        for path, target, names, weights in cases:
            with open(path, encoding="utf-8") as file:
                table = list(csv.DictReader(file))
            x = [[Fraction(1)] + [Fraction(row[name]) for name in names] for row in table]
            y = [Fraction(row[target]) for row in table]
            for column in (weights, None):
                w = [Fraction(row[column]) if column else Fraction(1) for row in table]
                for name, fit in FITS:
                    b, unique, value = fit(x, y, w)
                    out.write(f'  {{ data = "{path}", formula = "{target} ~ {" + ".join(names)}", fit = "{name}",')
                    out.write(f' weights = "{column}",' if column else "")
                    out.write(f" unique = {str(unique).lower()}, value = {float(value)!r},")
                    out.write(f" estimates = {{ {', '.join(repr(float(v)) for v in b)} }} }},\n")
                    print(path, column, name, unique, float(value), flush=True)
        out.write("}\n")


main()
