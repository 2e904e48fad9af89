#!/usr/bin/env bash
# Installs Python packages: tools/install_wheels.sh PYTHON OPTIONS…, with options of "pip install". uv does it in a tenth
# of pip's time; where it is not there, or does not reach what pip's configuration reaches, pip does it.
set -euo pipefail
python=$1
shift
uv=$(dirname "$0")/../.venv/bin/uv
if [ -x "$uv" ] && UV_LINK_MODE=copy "$uv" pip install --quiet --python "$python" "$@"; then
  exit
fi
exec "$python" -m pip install --disable-pip-version-check --retries 1 "$@"
