// The arithmetic of the view Formula: ratings of a fit's columns, their errors and ranks, fast enough for a slider's steps.
'use strict';

const inverses = {log: Math.exp, log10: x => 10 ** x, log2: x => 2 ** x, log1p: Math.expm1, sqrt: x => x * x, exp: Math.log};

// Ratings of a fit (the answer to the message `fit`, with is_sum) by values of its terms, in their order.
function ratingsOf({terms, offset, left, targets}, values) {
  const ratings = offset ? Float64Array.from(offset) : new Float64Array(targets.length);
  terms.forEach(({column}, j) => {
    const value = values[j];
    for (let i = 0; i < ratings.length; i++) ratings[i] += value * column[i];
  });
  for (const name of left) {
    const inverse = inverses[name];
    for (let i = 0; i < ratings.length; i++) ratings[i] = inverse(ratings[i]);
  }
  return ratings;
}

// The numbers of rows in the order of a comparison.
const sortedRows = (count, compare) => Uint32Array.from({length: count}, (_, i) => i).sort(compare);

// Calls take(first, next) for each run of equal rows of a sorted list: those from place first to before place next.
function eachRun(rows, isEqual, take) {
  for (let first = 0, next; first < rows.length; first = next) {
    for (next = first + 1; next < rows.length && isEqual(rows[first], rows[next]);) next++;
    take(first, next);
  }
}

// The rank of each value from 1 on; equal values have the mean of their ranks.
function ranksOf(values) {
  const rows = sortedRows(values.length, (a, b) => values[a] - values[b]), ranks = new Float64Array(rows.length);
  eachRun(rows, (a, b) => values[a] === values[b], (first, next) => {
    for (let i = first; i < next; i++) ranks[rows[i]] = (first + 1 + next) / 2;
  });
  return ranks;
}

// The number of exchanges of neighbours that sort a list (in place, by merging).
function exchanges(list, other = new Float64Array(list.length), from = 0, to = list.length) {
  if (to - from < 2) return 0;
  const middle = (from + to) >> 1;
  let count = exchanges(list, other, from, middle) + exchanges(list, other, middle, to);
  for (let a = from, b = middle, at = from; at < to; at++) {
    if (b >= to || a < middle && list[a] <= list[b]) {
      other[at] = list[a++];
    } else {
      count += middle - a;
      other[at] = list[b++];
    }
  }
  list.set(other.subarray(from, to), from);
  return count;
}

// Kendall's tau-b of two lists (W. R. Knight, Journal of the American Statistical Association 61, 1966); NaN where one is constant.
function kendall(x, y) {
  const rows = sortedRows(x.length, (a, b) => x[a] - x[b] || y[a] - y[b]), ordered = Float64Array.from(rows, i => y[i]);
  const pairs = count => count * (count - 1) / 2, all = pairs(x.length);
  const tied = (list, isEqual) => {
    let count = 0;
    eachRun(list, isEqual, (first, next) => { count += pairs(next - first); });
    return count;
  };
  const tiedX = tied(rows, (a, b) => x[a] === x[b]), tiedBoth = tied(rows, (a, b) => x[a] === x[b] && y[a] === y[b]);
  const swaps = exchanges(ordered), tiedY = tied(ordered, (a, b) => a === b);
  return (all - tiedX - tiedY + tiedBoth - 2 * swaps) / Math.sqrt((all - tiedX) * (all - tiedY));
}

// Errors of ratings, as crux evaluate names them, and the ranks of the ratings.
function judge(ratings, targets, weights) {
  let absolute = 0, square = 0, weighted = 0, weight = 0;
  for (let i = 0; i < targets.length; i++) {
    const error = ratings[i] - targets[i], own = weights ? weights[i] : 1;
    absolute += Math.abs(error);
    square += error * error;
    weighted += own * Math.abs(error);
    weight += own;
  }
  const n = targets.length;
  return {mae: absolute / n, weighted_mae: weights && weighted / weight, rmse: Math.sqrt(square / n), tau: kendall(ratings, targets),
    ranks: ranksOf(ratings)};
}
