#!/usr/bin/env bash
# Configures (once) and builds one preset of CMakePresets.json: tools/build.sh PRESET
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1

if [ ! -e "build/$preset/build.ninja" ]; then
  echo "build: configuring build/$preset"
  mkdir -p "build/$preset"
  if ! cmake --preset "$preset" --fresh >"build/$preset/configure.log" 2>&1; then
    cat "build/$preset/configure.log" >&2
    exit 1
  fi
fi
echo "build: bringing build/$preset up to date"
NINJA_STATUS='[%f/%t] ' cmake --build --preset "$preset"
