#!/bin/sh
# Runs the commands of README.md, "Start", as a newcomer does: in bare Debians that debootstrap makes, with a /proc, without a
# /dev/pts; then again in another one, without the optional packages. The last line counts commands. It says so, and succeeds, where
# debootstrap cannot work: it must be root, make devices, and reach a mirror.
set -u
work=$(mktemp -d) || exit 1
trap 'umount "$work"/*/proc 2> /dev/null; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
commands=$(awk '/^## / { here = $2 == "Start" } here && /^make / { sub(/ *#.*/, ""); print }' README.md)

# By the machine's own mirror and its settings of apt. All that is downloaded is kept for the second one.
mirror=$(sed -n 's/^URIs: *//p; s/^deb \([^ []*\) .*/\1/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2> /dev/null | head -n 1)
debootstrap --variant=minbase "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$work/bare" "$mirror" > "$work/log" 2>&1 &&
  apt-config dump Acquire > "$work/bare/etc/apt/apt.conf.d/machine" &&
  chroot "$work/bare" sh -c 'apt-get -q update && apt-get install -y --no-install-recommends make' >> "$work/log" 2>&1 || {
  tail -n 5 "$work/log"
  echo "bare Debian: skipped, as debootstrap does not work here"
  echo "0 passed, 0 failed"
  exit 0
}
mkdir "$work/bare/crux" && git ls-files -coz --exclude-standard | tar -c --null -T - | tar -x -C "$work/bare/crux" || exit 1

# run NAME [VARIABLE=VALUE]: all commands in a copy of the bare Debian.
passed=0 failed=0
run() {
  cp -a "$work/bare" "$work/$1" && mount -t proc proc "$work/$1/proc" || exit 1
  while read -r command; do
    echo "bare Debian, $1: $command${2:+ $2}"
    start=$(date +%s)
    if chroot "$work/$1" env -i PATH="$PATH" HOME=/root LANG=C.UTF-8 sh -c "cd crux && $command${2:+ $2}" < /dev/null; then
      passed=$((passed + 1)) status=passed
    else
      failed=$((failed + 1)) status=failed
    fi
    echo "bare Debian, $1: $command${2:+ $2}: $status after $(($(date +%s) - start)) s"
  done <<END
$commands
END
  mv -f "$work/$1"/var/cache/apt/archives/*.deb "$work/bare/var/cache/apt/archives/"
  umount "$work/$1/proc" && rm -rf "${work:?}/$1"
}
run complete ''
run without OPTIONAL_PACKAGES=
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
