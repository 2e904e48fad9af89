#!/usr/bin/env bash
# Installs what is missing: Debian packages (as root) and the Python environment .venv. Does nothing when nothing is
# missing. Each step that does something says so in one line; details go to .cache/*.log.
# tools/setup.sh demo: only what 'make demo' needs, which is a fifth of Python's packages and half of Debian's.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p .cache
purpose=${1:-}

say() { printf 'setup: %s\n' "$*"; }

stop() {
  printf 'setup: %s\n' "$@" >&2
  exit 1
}

# Runs a command with its output in a log, which is shown only if the command fails.
logged() {
  local log=$1
  shift
  if ! "$@" >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    stop "failed: $*" "The whole output is in $log."
  fi
}

wanted_packages() {
  local part=()
  [ "$purpose" != demo ] || part=(-e '/^# What tests need/,$d')
  sed "${part[@]}" -e 's/#.*//' tools/packages.txt | tr -s '[:space:]' '\n' | sed '/^$/d'
}

missing_packages() {
  local installed
  # shellcheck disable=SC2016  # dpkg-query replaces these names
  installed=$(wanted_packages | xargs dpkg-query -W -f='${db:Status-Status} ${Package}\n' 2>/dev/null || true)
  wanted_packages | while read -r package; do
    grep -qx "installed $package" <<<"$installed" || echo "$package"
  done
}

install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system: what tools/packages.txt names has to be there already"
    return
  fi
  local missing
  missing=$(missing_packages | xargs)
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    stop "these Debian packages are missing; ask the administrator to run" "  apt-get install --no-install-recommends $missing"
  fi
  say "installing $(wc -w <<<"$missing") Debian packages: $missing"
  export DEBIAN_FRONTEND=noninteractive
  logged .cache/apt-update.log apt-get update
  # shellcheck disable=SC2086  # a list of words
  logged .cache/apt-install.log apt-get install -y --no-install-recommends $missing
}

# The first Python from 3.11 on that can make virtual environments; the system's own is preferred.
suitable_python() {
  local candidate
  for candidate in /usr/bin/python3 python3 python3.14 python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  stop "no Python from 3.11 on with the modules venv and ensurepip (Debian: python3-venv)"
}

# Whether .venv has all that a stamp says; each set of packages has one.
is_current() {
  grep -qs "$2" "$1" && sha256sum --check --status "$1" 2>/dev/null && .venv/bin/python -c '' 2>/dev/null
}

make_environment() {
  if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    local python
    python=$(suitable_python)
    say "creating .venv with $python"
    logged .cache/venv.log "$python" -m venv --clear .venv
  fi
  logged .cache/uv.log .venv/bin/python -m pip install --disable-pip-version-check "$(grep ^uv== requirements.txt)"
}

install=(tools/install_wheels.sh .venv/bin/python)
all=.venv/requirements.sha256
few=.venv/demo.sha256

install_python() {
  ! is_current $all cases || return 0
  make_environment
  say "installing the Python packages of requirements.txt into .venv"
  logged .cache/pip.log "${install[@]}" --requirement requirements.txt
  logged .cache/pip-cases.log "${install[@]}" --no-deps --requirement tests/cases/requirements.txt
  sha256sum requirements.txt tests/cases/requirements.txt >$all
}

# nanobind is there because CMake asks only once whether the Python package can be built.
install_python_of_demo() {
  ! is_current $all cases || return 0
  ! is_current $few requirements || return 0
  make_environment
  say "installing the Python packages of the demo into .venv"
  logged .cache/pip.log "${install[@]}" --constraint requirements.txt matplotlib nanobind netCDF4 numpy rich xarray
  sha256sum requirements.txt >$few
}

install_packages
if [ "$purpose" = demo ]; then
  install_python_of_demo
  exit
fi
install_python
.venv/bin/python tools/fetch_archives.py
