#!/usr/bin/env bash
# Says what became of the binary interface: tools/abi.sh OLD [NEW]
# Each is a revision, which is built into .cache/abi, or a build folder with debugging information (preset dev). NEW is
# the sources as they are unless it is said. Ends with 0 if programs linked with OLD run with NEW, with 1 if some may not.
# Needs abidiff (Debian: abigail-tools).
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p .cache/abi

stop() {
  printf 'abi: %s\n' "$*" >&2
  exit 2
}

# The folder of a library with debugging information, made if need be. What it says goes to a log.
library_of() {
  local revision=$1 source build
  if [ -e "$revision/lib/libthalweg.so" ]; then
    echo "$revision"
    return
  fi
  build=.cache/abi/$(git rev-parse --verify --quiet "$revision^{commit}") || stop "'$revision' is neither a build folder nor a revision"
  source=$build/source
  if [ ! -e "$build/lib/libthalweg.so" ]; then
    mkdir -p "$source"
    git archive "$revision" | tar -x -C "$source"
    built "$source" "$build"
  fi
  echo "$build"
}

built() {
  local options=(-DTHALWEG_BUILD_PYTHON=OFF -DTHALWEG_BUILD_TESTS=OFF -DTHALWEG_BUILD_EXAMPLES=OFF -DTHALWEG_BUILD_BENCH=OFF)
  if ! { cmake -S "$1" -B "$2" --preset dev "${options[@]}" && cmake --build "$2" --target thalweg; } >"$2.log" 2>&1; then
    stop "building $1 failed: $2.log says why"
  fi
}

[ $# -ge 1 ] || stop "usage: tools/abi.sh OLD [NEW], each a revision or a build folder"
command -v abidiff >/dev/null || stop "abidiff is missing (Debian: abigail-tools)"
old=$(library_of "$1")
if [ $# -gt 1 ]; then
  new=$(library_of "$2")
else
  new=.cache/abi/work
  mkdir -p "$new"
  built "$PWD" "$new"
fi

# Its bits: 1 and 2 are failures. It calls only what is removed incompatible, so what it counts is looked at. Types that
# are not in the header may change: programs have but pointers to them.
report=.cache/abi/report.txt
code=0
abidiff --headers-dir1 include --headers-dir2 include "$old/lib/libthalweg.so" "$new/lib/libthalweg.so" | tee "$report" ||
  code=${PIPESTATUS[0]}
((code & 3)) && stop "abidiff failed"
for build in "$old" "$new"; do
  echo "abi: SONAME of $build: $(objdump -p "$build/lib/libthalweg.so" | awk '/SONAME/ { print $2 }')"
done
if grep -Eq '^(Functions|Variables) changes summary:.* [1-9][0-9]* (Removed|Changed)' "$report"; then
  echo "abi: broken; it needs another SONAME (docs/releasing.md)"
  exit 1
fi
echo "abi: $([ "$code" = 0 ] && echo "the same" || echo "more of it, which linked programs do not notice")"
