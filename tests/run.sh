#!/bin/sh
# Runs the whole suite: tests/run.sh BUILD, with CRUX naming the program. The last line counts all tests.
set -u
build=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
export CRUX_TEST_FOLDER="$folder"

# Runs one program; each of its lines gets its name in front. A program that dies without a count is a failed test.
run() {
  name=$(basename "$1")
  "$@" > "$folder/output" 2>&1
  status=$?
  tail -n 1 "$folder/output" | grep -Eq '^[0-9]+ passed, [0-9]+ failed$' \
    || echo "exit status $status without a count of tests: 0 passed, 1 failed" >> "$folder/output"
  sed "s|^|$name: |" "$folder/output" | tee -a "$folder/all"
}

for test in "$build"/tests/*/*_test; do
  run "$test"
done
run "$build"/tests/lua_host tests/run.lua

awk '/: [0-9]+ passed, [0-9]+ failed$/ { passed += $(NF - 3); failed += $(NF - 1) }
  END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }' "$folder/all"
