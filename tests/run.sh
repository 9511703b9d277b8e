#!/bin/sh
# Runs tests: tests/run.sh BUILD [FILE...], all of them unless files are named, with CRUX naming the program. Each file runs in
# a process of its own, as many at a time as there are processors; those that take longest come first, or a processor would wait
# for one at the end. CRUX_TEST_SEED=N draws their order, and that of the tests in each file of Lua. The last lines name the
# slowest files, in seconds of processor time, print the files with a failure once more, and count all tests.
set -u
unset MAKEFLAGS # tests that call make do not take part in the jobs of this one
build=$1
shift
[ "${CRUX_COVERAGE-}" ] && export LD_PRELOAD="$PWD/$build/lua_lines.so"
logs=$(mktemp -d) || exit 1
trap 'rm -rf "$logs"' EXIT
if [ $# -gt 0 ]; then
  printf '%s\n' "$@"
else
  find "$build"/tests/ tests \( -name '*_test' -o -name '*_test.lua' \) -type f | sort
fi | awk -v seed="${CRUX_TEST_SEED-}" 'BEGIN { srand(seed) }
  { print seed != "" ? rand() : /(mutants|install|discover_laws|cli|plays|programs)_test/ ? 0 : NR, $0 }' |
  sort -g | awk '{ print NR, $2 }' > "$logs/files"

xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 2 tests/run_file.sh "$build" "$logs" < "$logs/files" &
while read -r number _; do
  log=$logs/$number
  until [ -e "$log" ] || ! kill -0 $!; do sleep 0.1; done
  cat "$log" || echo "0 passed, 1 failed" > "$log.count"
done < "$logs/files"
wait
echo "slowest: $(sort -rn "$logs"/*.seconds | head -n 5 | paste -s -d , | sed 's/,/, /g')"
grep -L ' 0 failed$' "$logs"/*.count | while read -r count; do
  log=${count%.count}
  echo "failed: $(awk -v number="${log##*/}" '$1 == number { print $2 }' "$logs/files")"
  cat "$log"
done
cat "$logs"/*.count | awk '{ passed += $1; failed += $3 }
  END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }'
