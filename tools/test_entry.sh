#!/usr/bin/env bash
# Runs a command of an entry of ctest, tools/test_entry.sh NAME COMMAND…, in the environment of mpi_env.sh. In the folder
# THALWEG_TEST_TIMES, if there is one (run_tests.py), it leaves what bash says of the processor time of the command.
set -u
. "$(dirname "$0")/mpi_env.sh"
name=$1
shift
# Programs without mpiexec share one folder of Open MPI's, which each makes and the first that ends removes. Another entry
# that begins in between fails to make its own in it.
session=$(mktemp -d "${TMPDIR:-/tmp}/entry.XXXXXX") || exit 1
trap 'rm -rf "$session"' EXIT
export OMPI_MCA_orte_tmpdir_base="$session"
code=0
"$@" || code=$?
[ -z "${THALWEG_TEST_TIMES:-}" ] || times >"$THALWEG_TEST_TIMES/$name"
exit "$code"
