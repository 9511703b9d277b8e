#!/bin/sh
# Makes pages for any web host: wasm/site.sh FOLDER. The documentation, by pandoc, a page for each game with levels to play, and the
# workbench.
set -eu
folder=$1
export CRUX_HOME="$PWD"
rm -rf "$folder"
mkdir -p "$folder/games" "$folder/levels" "$folder/tests/bench"
cp -r build/wasm/site/. README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE CITATION.cff docs examples datasets "$folder"
cp tests/bench/README.md "$folder/tests/bench"
rm "$folder"/docs/*.lua

games=$(./crux games --format md)
printf '# Games to play\n\n%s\n' "$games" | sed -E '5,$ s#^\| *([a-z]+)#| [\1](games/\1/index.html)#' > "$folder/games.md"
for game in $(printf '%s\n' "$games" | sed -nE '3,$ s#^\| *([a-z]+).*#\1#p'); do
  levels=datasets/levels/$game
  [ -e "$levels" ] || levels=datasets/levels/deduction/$game.txt
  if [ ! -e "$levels" ]; then # crux has none
    levels=$folder/levels/$game
    ./crux generate "$game" --count 5 -o "$levels/"
  fi
  ./crux site "$game" "$levels" --workbench ../../workbench.html -o "$folder/games/$game"
done

cp "$folder/README.md" "$folder/index.md"
find "$folder" -name '*.md' | while read -r page; do
  root=$(dirname "${page#"$folder"/}" | sed 's#[^/.][^/]*#..#g')
  pandoc -s -f gfm -t html5 -M root="$root" -M lang=en -V maxwidth=60em --lua-filter wasm/site.lua -o "${page%.md}.html" "$page"
  rm "$page"
done
