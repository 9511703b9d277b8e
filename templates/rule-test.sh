#!/bin/sh
# Checks NAME.lua, and that it rates what it did: where you mean a change, write the new ratings by
#   crux rate NAME.lua NAME-ratings.csv -o NAME-expected.csv
cd "$(dirname "$0")" || exit 1
crux check NAME.lua NAME-ratings.csv || exit 1
crux rate NAME.lua NAME-ratings.csv --format csv | diff NAME-expected.csv - && echo "NAME is as expected"
