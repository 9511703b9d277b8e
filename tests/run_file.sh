#!/bin/sh
# Runs one file of tests for tests/run.sh: tests/run_file.sh BUILD LOGS NUMBER FILE. LOGS/NUMBER gets what it prints, with its name
# before each line, NUMBER.count its count of tests, NUMBER.seconds its processor time. A program that dies without a count is a
# failed test, and so is one that half an hour does not end.
build=$1 log=$2/$3 file=$4
name=${file##*/}
name=${name%.lua}
CRUX_TEST_FOLDER=$(mktemp -d) || exit 1 # a short name: Lua abbreviates names of scripts in messages
export CRUX_TEST_FOLDER CRUX_TEST_BUILD="$build"
case $file in
  *.lua) set -- "$build/tests/lua_host" tests/run.lua "$file" ;;
  *) set -- "$file" ;;
esac
timeout --foreground -k 10 1800 "$@" < /dev/null > "$log.output" 2>&1
status=$?
times > "$log.times"
awk -v name="$name" -v status="$status" -v log_file="$log" '
  FNR == NR && FNR == 2 {
    split($0, time, /[ms ]+/)
    printf "%.1f %s\n", time[1] * 60 + time[2] + time[3] * 60 + time[4], name > (log_file ".seconds")
  }
  FNR < NR { print name ": " $0; last = $0 }
  END {
    if (last !~ /^[0-9]+ passed, [0-9]+ failed$/) {
      print name ": exit status " status (status == 124 ? " after half an hour," : "") " without a count of tests"
      last = "0 passed, 1 failed"
    }
    print last > (log_file ".count")
  }' "$log.times" "$log.output" > "$log.named"
rm -rf "$CRUX_TEST_FOLDER"
mv "$log.named" "$log"
