#!/bin/sh
# Runs what takes threads under the thread sanitizer: tests/threads.sh BUILD, CRUX naming the program. A report of a race, an
# error, or output that is not that of one job is a failure; the last line counts the command lines and the tests.
set -u
build=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
export CRUX_TEST_FOLDER="$folder" TSAN_OPTIONS="exitcode=66 halt_on_error=0"
passed=0 failed=0

# ending GAME: of files of levels.
ending() { if [ "$1" = lazors ]; then echo bff; else echo txt; fi; }

# same WORD...: with four jobs and with one.
same() {
  if "$CRUX" "$@" --jobs 4 > "$folder/four" 2> "$folder/said" && "$CRUX" "$@" --jobs 1 > "$folder/one" 2>> "$folder/said" \
      && cmp -s "$folder/four" "$folder/one"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "threads.sh: crux $*: differs, or said:"
    cat "$folder/said"
  fi
}

for game in dungeongrams flow lazors move nurikabe sokoban sprinkfield sudoku; do
  same generate "$game" --count 3
  cp "$folder/one" "$folder/$game.$(ending "$game")"
  same measure "$game" "$folder/$game.$(ending "$game")"
  same solve "$game" "$folder/$game.$(ending "$game")"
  same check --game "$game" "$folder/$game.$(ending "$game")"
done
for game in flow lazors move; do same rate "$game-solver" "$folder/$game.$(ending "$game")"; done
if "$build/tests/host/workers_test" > "$folder/said" 2>&1; then
  passed=$((passed + 1))
else
  failed=$((failed + 1))
  cat "$folder/said"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
