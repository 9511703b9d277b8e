#!/bin/sh
# Which of three rules predicts Flow's levels best? A fitted one, a new one and a hand-made one, on the same folds.
cd "$(dirname "$0")/.." && PATH="$PWD:$PATH"
exec "${CRUX:-crux}" compare flow examples/my-rule.lua examples/by-hand.lua datasets/flow.csv
