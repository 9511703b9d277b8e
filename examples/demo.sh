#!/bin/sh
# What `make demo` runs: the published study, published beside computed, and a few levels that it has not seen.
set -e
cd "$(dirname "$0")/.."
PATH="$PWD:$PATH"

lua5.4 examples/study/reproduce.lua

printf '\nThree new Flow levels, rated by the rule flow:\n\n'
"${CRUX:-crux}" rate flow examples/new-levels.csv --append --format table
