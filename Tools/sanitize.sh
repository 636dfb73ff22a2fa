#!/bin/bash
# usage: Tools/sanitize.sh thread|address PACKAGE…
# Runs the tests of packages under a sanitizer, each from its own manifest. What a sanitizer finds
# ends the process, and so fails the tests.
set -euo pipefail
sanitizer=$1
shift

# The sources check this flag: see SQLiteCore's Access.
flags=()
[ "$sanitizer" = thread ] && flags=(-Xswiftc -DTHREAD_SANITIZER)

# A process that is killed can't tell the sanitizer so, and one that ends in a test of its own end
# leaves what it had allocated: tests that run child processes are left out.
skipped='A process that is killed|by another process is seen'

export TSAN_OPTIONS="halt_on_error=1 exitcode=66 ${TSAN_OPTIONS:-}"
export ASAN_OPTIONS="detect_leaks=1 exitcode=66 ${ASAN_OPTIONS:-}"
export LSAN_OPTIONS="suppressions=$PWD/Tools/leaks.txt ${LSAN_OPTIONS:-}"
for package in "$@"; do
  Tools/test.sh "sanitize-$sanitizer-$package" --package-path "Packages/$package" \
    --scratch-path ".build/sanitize/$sanitizer/$package" --sanitize "$sanitizer" \
    ${flags[@]+"${flags[@]}"} --skip "$skipped"
done
