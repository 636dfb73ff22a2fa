#!/bin/bash
# usage: Tools/test.sh NAME SWIFT-TEST-ARGUMENT…
# Runs `swift test`, prints all lines except those of passed tests, and prints the number of tests. Fails
# if no test ran, which SwiftPM treats as success. All output is written to .build/NAME.log.
# The tests are built first, unless --skip-build is given. Options of tests, such as --filter, follow those of the build.
set -uo pipefail
results=.build/$1.xml
log=.build/$1.log
shift

# Limits parallelism: waiting tests keep their files open, and Foundation crashes when it starts a process
# while more than 1,300 files are open.
width=()
case $(swift test --help-hidden 2>/dev/null) in
  *--experimental-maximum-parallelization-width*)
    width=(--experimental-maximum-parallelization-width 64) ;;
esac

mkdir -p .build
rm -f "${results%.xml}"*.xml
: >"$log"

# SwiftPM writes compiler flags in the order of its hash tables. If the order changes, everything is compiled again. The
# tests run without a fixed order.
build=()
for argument in "$@"; do
  case $argument in --filter | --skip | --skip-build) break ;; esac
  build+=("$argument")
done
case " $* " in
  *' --skip-build '*) ;;
  *)
    SWIFT_DETERMINISTIC_HASHING=1 swift build "${build[@]}" --build-tests </dev/null 2>&1 | tee "$log" || exit
    set -- "$@" --skip-build ;;
esac

echo "swift test $*"
swift test "$@" ${width[@]+"${width[@]}"} --disable-xctest --xunit-output "$results" </dev/null 2>&1 |
  tee -a "$log" | { grep -vE '^(◇|✔ Suite |✔ Test ("|[^ ]*\())' || true; }
status=${PIPESTATUS[0]}

if [ "$status" -ne 0 ]; then
  if grep -q 'unexpected signal' "$log"; then
    echo "The process was ended by a signal. The tests that started last:" >&2
    grep '^◇' "$log" | tail -3 >&2
  fi
  echo "The tests failed; all output is in $log" >&2
  exit "$status"
fi
# If XCTest runs, too, Swift Testing's results are in a separate file.
[ -e "${results%.xml}-swift-testing.xml" ] && results=${results%.xml}-swift-testing.xml
count=$(grep -c '<testcase ' "$results" 2>/dev/null || true)
echo "ran ${count:-0} tests"
[ "${count:-0}" -gt 0 ]
