#!/bin/sh
# Checks NAME.lua, and that its levels measure what they did: where you mean a change, write the new numbers by
#   crux measure NAME.lua NAME.txt -o NAME-expected.csv
cd "$(dirname "$0")" || exit 1
crux check --strict NAME.lua NAME.txt || exit 1
crux measure NAME.lua NAME.txt --format csv | diff NAME-expected.csv - && echo "NAME is as expected"
