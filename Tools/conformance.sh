#!/bin/bash
# usage: Tools/conformance.sh LOG PAGE
# Writes the results printed by `make corpora` into the marked table of a page.
set -euo pipefail
log=$1
page=$2
table=$(mktemp)
trap 'rm -f "$table" "$table.page"' EXIT
{
  echo '| Corpus | Accepted if SQLite accepts | Rejected if SQLite rejects | Names, parameters, read-only equal |'
  echo '|---|---:|---:|---:|'
  sed -nE 's/^([a-z0-9.-]+(\.gz)?|(generated|mutations)[^:]*): accepted ([0-9.]+ % of [0-9]+), refused ([0-9.]+ % of [0-9]+), names, parameters and read-only ([0-9.]+ % of [0-9]+).*/| \1 | \4 | \5 | \6 |/p' "$log" | sort -u
  echo
  echo '| Rows of | Statements run | Rows | Claims that a row broke |'
  echo '|---|---:|---:|---:|'
  sed -nE 's/^([^:]+): ([0-9]+) statements, ([0-9]+) rows, .* ([0-9]+) broken claims$/| \1 | \2 | \3 | \4 |/p' "$log" | sort -u
} >"$table"
grep -q '^| [a-z].*% of' "$table" || { echo "$log contains no verdicts: run make corpora" >&2; exit 1; }
awk -v table="$table" '
  /<!-- conformance -->/ { print; while ((getline line < table) > 0) print line; skip = 1; next }
  /<!-- end of conformance -->/ { skip = 0 }
  !skip { print }
' "$page" >"$table.page"
cp "$table.page" "$page"
