#!/usr/bin/env bash
# Configures (once) and builds one preset of CMakePresets.json, or one target of it: tools/build.sh PRESET [TARGET].
# After all of "release" .venv/bin/python finds the package thalweg, and .venv/bin/thalweg is the command.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
# It takes the unit tests that are compiled there.
[ "$preset" != asan ] || tools/build.sh release

configure() {
  echo "build: configuring build/$preset; the first build takes about four minutes on two cores, six with the tests"
  mkdir -p "build/$preset"
  if ! cmake --preset "$preset" "$@" >"build/$preset/configure.log" 2>&1; then
    cat "build/$preset/configure.log" >&2
    exit 1
  fi
}

# The demo is built where the libraries of tests may be missing; whoever builds more than that has them.
if [ ! -e "build/$preset/build.ninja" ]; then
  if [ "${2:-}" = demo ]; then configure --fresh -DTHALWEG_BUILD_TESTS=OFF -DTHALWEG_BUILD_BENCH=OFF; else configure --fresh; fi
elif [ "${2:-}" != demo ] && grep -q '^THALWEG_BUILD_TESTS:.*=OFF' "build/$preset/CMakeCache.txt"; then
  configure -DTHALWEG_BUILD_TESTS=ON -DTHALWEG_BUILD_BENCH=ON
fi
echo "build: bringing build/$preset up to date"
NINJA_STATUS='[%f/%t] ' cmake --build --preset "$preset" ${2:+--target "$2"}

if [ "$preset" = release ] && [ -z "${2:-}" ] && [ -d build/release/python ]; then
  pth=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/thalweg_release.pth
  [ "$(cat "$pth" 2>/dev/null)" = "$PWD/build/release/python" ] || echo "$PWD/build/release/python" >"$pth"
  printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$PWD/.venv/bin/python" "$PWD/python/thalweg/cli" >.venv/bin/thalweg
  chmod +x .venv/bin/thalweg
fi
