#!/bin/bash
# usage: [FUZZ_MODE=LETTER] Tools/fuzz.sh PACKAGE SECONDS
# Fuzzes a package with libFuzzer and AddressSanitizer, starting from the sample documents of its tests.
# Failing inputs are written to .build/fuzz/PACKAGE/found. The first byte of an input selects the mode;
# FUZZ_MODE restricts the run to one mode, given by its letter in the target's Mode.
set -euo pipefail
package=$1
seconds=$2
folder=.build/fuzz/$package
# Adds the product of the language server's targets, which no other package uses.
export HOLT_FUZZ=1
target=Fuzz$package
[ -d "Tools/Fuzz/Sources/$target" ] || { echo "no fuzz target for $package" >&2; exit 1; }

mkdir -p "$folder/corpus" "$folder/found"
touch Tools/Fuzz/Package.swift # otherwise SwiftPM misses new files in dependencies
if [ -d "Tools/Fuzz/Seeds/$package" ]; then
  rm -rf "$folder/seeds"
  cp -R "Tools/Fuzz/Seeds/$package" "$folder/seeds"
else
  swift run --package-path Tools/Fuzz --scratch-path .build/fuzz/seeds FuzzSeeds "$folder/seeds"
fi
# gold, the default linker of Swift on Linux, fails with an internal error here.
linker=()
[ "$(uname)" = Linux ] && linker=(-Xswiftc -use-ld=lld)
swift build -c release --package-path Tools/Fuzz --scratch-path .build/fuzz/build \
  --product "$target" -Xswiftc -sanitize=fuzzer,address -Xswiftc -parse-as-library \
  ${linker[@]+"${linker[@]}"}
dictionary=Tools/Fuzz/$(tr '[:upper:]' '[:lower:]' <<<"$package").dict
# Static properties whose values are stored with enum tags are not leaks.
export LSAN_OPTIONS="suppressions=$PWD/Tools/leaks.txt ${LSAN_OPTIONS:-}"
# Swift's crash reporter reads memory that AddressSanitizer poisons.
export SWIFT_BACKTRACE=enable=no
# The maximum length allows nesting containers beyond the limit.
".build/fuzz/build/release/$target" -dict="$dictionary" -max_total_time="$seconds" -max_len=8192 \
  -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$folder/found/" \
  "$folder/corpus" "$folder/seeds"
