#!/usr/bin/env bash
# Builds the core, its unit tests and some programs with a sanitizer, and runs them: tools/sanitized.sh asan|tsan WHAT
#   unit [OPTIONS]    the unit tests, with options of GoogleTest
#   jobs [OPTIONS]    jobs of models in C, C++, Fortran and Python, with options of pytest: tests/sanitized
#   more_jobs         also the tests of values, kills and disturbed calls, as 'make test' runs them without a sanitizer
#   TESTS…            any files of tests that need no other programs
# A report of the sanitizer fails the test that ran then. Ends with 77 (skipped) where the kernel's address
# randomisation keeps ThreadSanitizer from starting; in continuous integration only if tests/skips.txt allows it.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
what=${2:-unit}
shift $(($# < 2 ? $# : 2))

# Two entries of ctest may come to it at one time.
mkdir -p build
flock "build/$preset.lock" tools/build.sh "$preset"
bin=$PWD/build/$preset/bin
reports=$PWD/build/$preset/reports
options="exitcode=66"
if [ "$what" != unit ]; then
  rm -rf "$reports"
  mkdir "$reports"
  options="$options:log_path=$reports/report"
fi
export UBSAN_OPTIONS="$options:print_stacktrace=1:halt_on_error=1"
# GCC before 14 takes some of the blocks with variables of threads for those of an old C library, and reads beside them:
# the search for leaks died of that now and then (intercept_tls_get_addr).
export ASAN_OPTIONS="$options:malloc_context_size=30:detect_stack_use_after_return=1:verify_asan_link_order=0"
export ASAN_OPTIONS="$ASAN_OPTIONS:intercept_tls_get_addr=0"
export LSAN_OPTIONS="suppressions=$PWD/tools/lsan.supp:print_suppressions=0"
export TSAN_OPTIONS="$options:suppressions=$PWD/tools/tsan.supp:ignore_noninstrumented_modules=1:second_deadlock_stack=1"

run=()
if [ "$preset" = tsan ] && setarch -R true 2>/dev/null; then
  run=(setarch -R)
fi
if [ "$preset" = tsan ] && "${run[@]}" "$bin/unit_tests" --gtest_list_tests 2>&1 | grep -q "unexpected memory mapping"; then
  echo "ThreadSanitizer does not start on this kernel: vm.mmap_rnd_bits has to be 28 or less."
  if [ -n "${CI:-}" ] && ! grep -q '^sanitizer.thread | mmap_rnd_bits |' tests/skips.txt; then
    echo "tests/skips.txt does not allow that it is skipped."
    exit 1
  fi
  exit 77
fi
if [ "$what" = unit ]; then
  exec "${run[@]}" "$bin/unit_tests" --gtest_brief=1 "$@"
fi

tests=(tests/sanitized)
case $what in
  jobs) ;;
  more_jobs)
    tests+=(tests/conformance/values_test.py tests/conformance/servers_test.py tests/faults/kill_test.py
      tests/faults/calls_test.py tests/faults/languages_test.py)
    ;;
  *) tests=("$what") ;;
esac
# An interpreter that is not instrumented itself loads the sanitizer before all else, and what is thrown through it; so
# do programs into which tests load something else.
sanitizer=
for name in libasan libtsan libstay_loaded libstdc++; do
  sanitizer+=:$(ldd "$bin/steady" | awk -v name="$name.so" 'index($1, name) == 1 { print $3 }')
done
export THALWEG_TEST_BUILD_DIR=$PWD/build/$preset THALWEG_TEST_REPORTS=$reports THALWEG_TEST_SANITIZER=${sanitizer#:}
exec "${run[@]}" .venv/bin/python -m pytest -q -p no:cacheprovider --rootdir="$PWD" "${tests[@]}" "$@"
