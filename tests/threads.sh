#!/bin/sh
# Runs what takes threads under the thread sanitizer: tests/threads.sh BUILD, CRUX naming the program. A report of a race, an
# error, or output that is not that of one job is a failure; the last line counts the command lines and the tests.
# tests/threads.sh BUILD GAME FOLDER, which it calls for as many games at a time as there are processors, adds a line to
# FOLDER/passed or FOLDER/failed for each command line of a game.
set -u
build=$1
export TSAN_OPTIONS="exitcode=66 halt_on_error=0"

# same WORD...: with four jobs and with one.
same() {
  if "$CRUX" "$@" --jobs 4 > "$own/four" 2> "$own/said" && "$CRUX" "$@" --jobs 1 > "$own/one" 2>> "$own/said" \
      && cmp -s "$own/four" "$own/one"; then
    echo "$*" >> "$folder/passed"
  else
    echo "$*" >> "$folder/failed"
    { echo "threads.sh: crux $*: differs, or said:"; cat "$own/said"; } >&2
  fi
}

if [ $# = 3 ]; then
  game=$2 folder=$3 own=$3/$2
  levels=$own/levels.txt
  [ "$game" != lazors ] || levels=$own/levels.bff
  mkdir "$own"
  same generate "$game" --count 3
  cp "$own/one" "$levels"
  same measure "$game" "$levels"
  same solve "$game" "$levels"
  same check --game "$game" "$levels"
  case $game in flow | lazors | move) same rate "$game-solver" "$levels" ;; esac
  exit 0
fi

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
export CRUX_TEST_FOLDER="$folder"
printf '%s\n' dungeongrams sokoban flow lazors move nurikabe sprinkfield sudoku | xargs -P "$(nproc)" -I GAME "$0" "$build" GAME "$folder"
if "$build/tests/host/workers_test" > "$folder/said" 2>&1; then
  echo workers_test >> "$folder/passed"
else
  echo workers_test >> "$folder/failed"
  cat "$folder/said"
fi
touch "$folder/passed" "$folder/failed"
echo "$(wc -l < "$folder/passed") passed, $(wc -l < "$folder/failed") failed"
[ ! -s "$folder/failed" ]
