#!/bin/sh
# What `make demo` runs: the published study, published beside computed, and a few levels that it has not seen.
set -e
cd "$(dirname "$0")/.."
crux=${CRUX:-./crux}

lua5.4 examples/study/reproduce.lua

printf '\nThree new Flow levels, rated by rules/flow.lua:\n\n'
"$crux" rate rules/flow.lua examples/new-levels.csv --append --format table
