#!/bin/bash
# usage: Tools/test.sh NAME SWIFT-TEST-ARGUMENT…
# Runs `swift test`, shows what is not a success, and prints how many tests ran. A run of no test at
# all succeeds as far as SwiftPM is concerned: here it fails. All output goes to .build/NAME.log.
set -uo pipefail
results=.build/$1.xml
log=.build/$1.log
shift

# Not all tests at once: each that waits keeps its files open, and Foundation crashes as it starts a process
# where more than 1,300 are.
width=()
case $(swift test --help-hidden 2>/dev/null) in
  *--experimental-maximum-parallelization-width*)
    width=(--experimental-maximum-parallelization-width 64) ;;
esac

mkdir -p .build
rm -f "${results%.xml}"*.xml
echo "swift test $*"
swift test "$@" ${width[@]+"${width[@]}"} --disable-xctest --xunit-output "$results" </dev/null 2>&1 |
  tee "$log" | { grep -vE '^(◇|✔ Suite |✔ Test ("|[^ ]*\())' || true; }
status=${PIPESTATUS[0]}

if [ "$status" -ne 0 ]; then
  if grep -q 'unexpected signal' "$log"; then
    echo "The process ended by a signal. The tests that began last:" >&2
    grep '^◇' "$log" | tail -3 >&2
  fi
  echo "The tests failed; all output is in $log" >&2
  exit "$status"
fi
# Where XCTest runs too, Swift Testing's results are in a file beside.
[ -e "${results%.xml}-swift-testing.xml" ] && results=${results%.xml}-swift-testing.xml
count=$(grep -c '<testcase ' "$results" 2>/dev/null || true)
echo "ran ${count:-0} tests"
[ "${count:-0}" -gt 0 ]
