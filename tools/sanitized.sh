#!/usr/bin/env bash
# Builds the unit tests with a sanitizer and runs them: tools/sanitized.sh asan|tsan [GTEST OPTIONS]
# Ends with 77 (skipped) where the kernel's address randomisation keeps ThreadSanitizer from starting; in continuous
# integration only if tests/skips.txt allows it.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift

tools/build.sh "$preset"
program=build/$preset/bin/unit_tests
export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1"
export ASAN_OPTIONS="malloc_context_size=30:detect_stack_use_after_return=1"
export LSAN_OPTIONS="suppressions=$PWD/tools/lsan.supp:print_suppressions=0"
export TSAN_OPTIONS="suppressions=$PWD/tools/tsan.supp:ignore_noninstrumented_modules=1:second_deadlock_stack=1"

run=()
if [ "$preset" = tsan ] && setarch -R true 2>/dev/null; then
  run=(setarch -R)
fi
if [ "$preset" = tsan ] && "${run[@]}" "$program" --gtest_list_tests 2>&1 | grep -q "unexpected memory mapping"; then
  echo "ThreadSanitizer does not start on this kernel: vm.mmap_rnd_bits has to be 28 or less."
  if [ -n "${CI:-}" ] && ! grep -q '^sanitizer.thread | mmap_rnd_bits |' tests/skips.txt; then
    echo "tests/skips.txt does not allow that it is skipped."
    exit 1
  fi
  exit 77
fi
exec "${run[@]}" "$program" --gtest_brief=1 "$@"
