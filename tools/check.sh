#!/usr/bin/env bash
# Checks that need no build: layers, sizes, format, types of python/thalweg, and the agreement of the interfaces. All run,
# then the worst decides.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
failed=0

for script in tools/check_layers.py tools/check_sizes.py tools/check_classes.py tools/check_interfaces.py; do
  [ ! -e "$script" ] || .venv/bin/python "$script" || failed=1
done
tools/check_format.sh || failed=1
.venv/bin/mypy || failed=1
exit $failed
