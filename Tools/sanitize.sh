#!/bin/bash
# usage: Tools/sanitize.sh thread|address PACKAGE…
# Runs the tests of packages under a sanitizer, each from its own manifest. An error reported by the
# sanitizer ends the process, which fails the tests.
set -euo pipefail
sanitizer=$1
shift

# The sources check this flag: see SQLiteCore's Access.
flags=()
[ "$sanitizer" = thread ] && flags=(-Xswiftc -DTHREAD_SANITIZER)

# Skips tests that run child processes: the sanitizer would report a killed process as an error, and
# memory that a process has not freed before it exits in a test as leaked.
skipped='A process that is killed|by another process is seen'

export TSAN_OPTIONS="halt_on_error=1 exitcode=66 ${TSAN_OPTIONS:-}"
export ASAN_OPTIONS="detect_leaks=1 exitcode=66 ${ASAN_OPTIONS:-}"
export LSAN_OPTIONS="suppressions=$PWD/Tools/leaks.txt ${LSAN_OPTIONS:-}"
for package in "$@"; do
  Tools/test.sh "sanitize-$sanitizer-$package" --package-path "Packages/$package" \
    --scratch-path ".build/sanitize/$sanitizer/$package" --sanitize "$sanitizer" \
    ${flags[@]+"${flags[@]}"} --skip "$skipped"
done
