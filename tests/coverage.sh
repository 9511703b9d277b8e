#!/bin/sh
# Prints the share of the lines of src/, and of lua/, games/ and rules/, that ran: tests/coverage.sh BUILD LINES, LINES being what
# tests/support/coverage.lua wrote; and deletes what it was computed from. Lua in programs that tests start does not count.
set -u
gcov -n "$1"/*/*.gcda 2> /dev/null | awk -F "[':% ]+" '/^File/ { is_own = /src\/[a-z_\/]*\.c/ }
  is_own && /^Lines/ { run += $3 / 100 * $5; all += $5; is_own = 0 }
  END { printf "src: %.2f %% of %d lines\n", 100 * run / all, all }'
sort -u "$2" | sed "s|^$PWD/||" > "$2.run"
find lua games rules -name '*.lua' | while read -r path; do
  luac5.4 -l -p "$path" | sed -n "s|^[[:space:]]*[0-9]*[[:space:]]*\[\([0-9]*\)\].*|$path:\1|p"
done | sort -u | awk 'NR == FNR { has_run[$0] = 1; next } { all++; run += $0 in has_run }
  END { printf "lua: %.2f %% of %d lines\n", 100 * run / all, all }' "$2.run" -
rm -f "$1"/*/*.gcda "$2" "$2.run"
