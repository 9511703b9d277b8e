#!/bin/sh
# Runs each command of `crux help`, and BUILD/editor, once under valgrind: tests/valgrind.sh BUILD, CRUX naming the program. What
# valgrind says, a block that is lost, or a status but 0 is a failure; the last line counts the commands.
# tests/valgrind.sh BUILD LINE FOLDER, which it calls for as many at a time as there are processors, runs one command line and adds
# it to FOLDER/passed or FOLDER/failed.
set -u
build=$1
if [ $# = 3 ]; then
  line=$2 folder=$3
  said=$(mktemp -p "$folder") || exit 1
  case $line in
    "play "*) reason=$("$build/tests/pseudo_terminal" true < /dev/null) || { echo "valgrind: crux play: skipped: $reason"; exit 0; } ;;
  esac
  set -- valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite
  # shellcheck disable=SC2086 # words of a command line
  case $line in
    "play "*) printf 'type \r\nsee q quit\ntype q\nend\n' | TERM=vt52 "$build/tests/pseudo_terminal" "$@" "$CRUX" $line | grep -q '^exit 0' ;;
    new*) (cd "$folder" && "$@" "$CRUX" $line < /dev/null) ;;
    editor*) printf '1 a\n1 a . .\n3 # # A\n2 . . #\n2 . . .\n' | "$@" "$build"/$line ;;
    serve* | watch* | workbench*) timeout --preserve-status -s INT 10 "$@" "$CRUX" $line < /dev/null || [ $? = 130 ] ;;
    *) "$@" "$CRUX" $line < /dev/null ;;
  esac > "$said" 2>&1
  status=$?
  if [ $status = 0 ] && ! grep -q '^==' "$said"; then
    echo "$line" >> "$folder/passed"
  else
    echo "$line" >> "$folder/failed"
    { echo "valgrind: $line: status $status"; cat "$said"; } >&2
  fi
  exit 0
fi

if ! command -v valgrind > /dev/null; then
  echo "valgrind: skipped, as it is not installed"
  exit 0
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

cat > "$folder/study.csv" << 'END'
player,level,rating
ann,a,1
ann,b,5
ann,c,6
bob,a,2
bob,b,4
bob,c,7
END
printf 'a . .\n. # .\n. . A\n' > "$folder/level.txt"
for gap in '' ' ' '  ' '   '; do printf '#########\n#%s@$.####\n#########\n\n' "$gap"; done > "$folder/sokoban.txt"
printf 'level,difficulty\nsokoban:1,1\nsokoban:2,2\nsokoban:3,3\nsokoban:4,5\n' > "$folder/sokoban.csv"
"$CRUX" convert --game move "$folder/level.txt" --to tiled -o "$folder/map.tmj"

# What to run of each command.
echo R R R > "$folder/inputs"
cat > "$folder/lines" << END
rate move $folder/level.txt
fit flow datasets/flow.csv -o $folder/fitted.lua
fit datasets/rushhour-plays.csv --formula solved~(1|player)+(1|level) --fit 2pl
evaluate flow datasets/flow.csv
compare flow flow-solver --data datasets/flow.csv
diagnose flow datasets/flow.csv
correlate datasets/flow.csv
imitate sokoban $folder/sokoban.csv $folder/sokoban.txt --bot greedy --runs 1 --evaluations 2 --folds 2
ablate datasets/flow.csv --measures size,colours
select datasets/flow.csv --measures size,colours
discover datasets/flow.csv --measures size,colours --nodes 2 --repeats 1
aggregate $folder/study.csv
players $folder/study.csv
levels $folder/study.csv
agreement $folder/study.csv
track datasets/rushhour-plays.csv --state $folder/ratings.csv
curve $folder/sokoban.csv --ability-error 1 --lives 3
measure move $folder/level.txt
solve move $folder/level.txt
solve move $folder/level.txt --disk $folder/states
check --game move $folder/level.txt
generate move
generate move --side 3 --rule move --rating 1..4 --tries 40
sample datasets/levels/move --game move --count 2
convert --game move $folder/level.txt --to tiled -o $folder/level.tmj
measure move $folder/map.tmj
sort $folder/level.txt --rule move
play move $folder/level.txt
replay examples/magnet.txt --level 1 --inputs $folder/inputs
study plan --game move $folder/level.txt --players 2 --per-player 1 -o $folder/plan.csv
study summary $folder/study.csv
serve move datasets/levels/move --database $folder/serve.db --port 0
workbench move datasets/levels/move
site move $folder/level.txt -o $folder/site --workbench workbench.html
new game ice
plot correlations datasets/flow.csv
report flow datasets/flow.csv -o $folder/report.html
watch fit flow datasets/flow.csv
games
rules
help fit
editor move $folder/level.txt
END

xargs -d '\n' -P "$(nproc)" -I LINE "$0" "$build" LINE "$folder" < "$folder/lines"

for command in $("$CRUX" help | sed -n 's/^   \([a-z]\{1,\}\) .*/\1/p'); do
  grep -qE "^$command( |\$)" "$folder/lines" || echo "valgrind: crux $command: not in the list" | tee -a "$folder/failed"
done
touch "$folder/passed" "$folder/failed"
echo "$(wc -l < "$folder/passed") passed, $(wc -l < "$folder/failed") failed"
[ ! -s "$folder/failed" ]
