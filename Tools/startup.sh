#!/bin/bash
# usage: Tools/startup.sh COMMAND ARGUMENT…
# Runs a command 21 times and prints the median duration. Requires bash 5; older versions print nothing.
set -euo pipefail
export LC_ALL=C
[ -n "${EPOCHREALTIME:-}" ] || exit 0
for _ in {1..21}; do
  before=${EPOCHREALTIME/./}
  "$@" >/dev/null
  echo $((${EPOCHREALTIME/./} - before))
done | sort -n | awk -v command="${1##*/} ${*:2}" \
  'NR == 11 { printf "%s: %.1f ms, the median of 21 runs\n", command, $1 / 1000 }'
