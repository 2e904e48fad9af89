#!/usr/bin/env bash
# Checks the format of C and C++ (clang-format) and the style of Python (ruff) and shell (where shellcheck is there):
#   tools/check_format.sh          says what differs and fails
#   tools/check_format.sh --fix    formats in place
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$PWD/.venv/bin

mapfile -t sources < <(find include src fortran stub programs server python examples bench tests tracer -type f \
  \( -name '*.h' -o -name '*.hpp' -o -name '*.c' -o -name '*.cpp' \) 2>/dev/null | sort)
mapfile -t scripts < <(find tools .ci examples -type f \
  \( -name '*.sh' -o -name '*.slurm' -o -name '*.pbs' -o -path '.ci/run' \) | sort)
ruff=("$bin/ruff" check --quiet --no-cache)

if [ "${1:-}" = --fix ]; then
  "$bin/clang-format" -i "${sources[@]}"
  "${ruff[@]}" --fix .
  exit
fi
failed=0
unformatted=$("$bin/clang-format" --dry-run "${sources[@]}" 2>&1 | sed -n 's/:[0-9]*:[0-9]*: warning: .*/: not formatted/p' | sort -u)
if [ -n "$unformatted" ]; then
  printf '%s\n' "$unformatted"
  failed=1
fi
"${ruff[@]}" . || failed=1
if command -v shellcheck >/dev/null; then
  shellcheck "${scripts[@]}" || failed=1
fi
echo "format: ${#sources[@]} C and C++ files, $([ $failed = 0 ] && echo "no differences" || echo "differences, see above")"
exit $failed
