#!/usr/bin/env bash
# Runs a command of an entry of ctest, tools/test_entry.sh NAME COMMAND…, in the environment of mpi_env.sh. In the folder
# THALWEG_TEST_TIMES, if there is one (run_tests.py), it leaves what bash says of the processor time of the command.
set -u
. "$(dirname "$0")/mpi_env.sh"
name=$1
shift
[ -n "${THALWEG_TEST_TIMES:-}" ] || exec "$@"
code=0
"$@" || code=$?
times >"$THALWEG_TEST_TIMES/$name"
exit "$code"
