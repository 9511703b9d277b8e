#!/bin/sh
# Runs one file of tests for tests/run.sh: tests/run_file.sh BUILD LOGS FILE. LOGS gets what it prints, with its name before each
# line, its count of tests, and its seconds. A program that dies without a count is a failed test.
file=$3
log=$2/$(echo "$file" | tr / _)
name=$(basename "$file" .lua)
CRUX_TEST_FOLDER=$(mktemp -d) || exit 1 # a short name: Lua abbreviates names of scripts in messages
export CRUX_TEST_FOLDER CRUX_TEST_BUILD="$1"
case $file in
  *.lua) set -- "$1/tests/lua_host" tests/run.lua "$file" ;;
  *) set -- "$file" ;;
esac
"$@" < /dev/null > "$log.output" 2>&1
status=$?
times > "$log.times"
awk -v name="$name" -F '[ms ]+' 'NR == 2 { printf "%.1f %s\n", $1 * 60 + $2 + $3 * 60 + $4, name }' "$log.times" > "$log.seconds"
tail -n 1 "$log.output" | grep -Ex '[0-9]+ passed, [0-9]+ failed' > "$log.count" || {
  echo "exit status $status without a count of tests" >> "$log.output"
  echo "0 passed, 1 failed" > "$log.count"
}
rm -rf "$CRUX_TEST_FOLDER"
sed "s|^|$name: |" "$log.output" > "$log.named"
mv "$log.named" "$log"
