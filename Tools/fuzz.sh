#!/bin/bash
# usage: [FUZZ_MODE=LETTER] Tools/fuzz.sh PACKAGE SECONDS
# Feeds a package with texts that libFuzzer makes, under AddressSanitizer, from the sample documents of
# its tests. What it finds is written to .build/fuzz/PACKAGE/found and fails. The first byte of a text
# says what is tried with it; FUZZ_MODE tries one thing alone: its letter is in the target's Mode.
set -euo pipefail
package=$1
seconds=$2
folder=.build/fuzz/$package
target=Fuzz$package
[ -d "Tools/Fuzz/Sources/$target" ] || { echo "no fuzz target for $package" >&2; exit 1; }

mkdir -p "$folder/corpus" "$folder/found"
touch Tools/Fuzz/Package.swift # or SwiftPM does not see new files of the package beside it
if [ -d "Tools/Fuzz/Seeds/$package" ]; then
  rm -rf "$folder/seeds"
  cp -R "Tools/Fuzz/Seeds/$package" "$folder/seeds"
else
  swift run --package-path Tools/Fuzz --scratch-path .build/fuzz/seeds FuzzSeeds "$folder/seeds"
fi
# The linker gold, which Swift asks for on Linux, ends in an error of its own here.
linker=()
[ "$(uname)" = Linux ] && linker=(-Xswiftc -use-ld=lld)
swift build -c release --package-path Tools/Fuzz --scratch-path .build/fuzz/build \
  --product "$target" -Xswiftc -sanitize=fuzzer,address -Xswiftc -parse-as-library \
  ${linker[@]+"${linker[@]}"}
dictionary=Tools/Fuzz/$(tr '[:upper:]' '[:lower:]' <<<"$package").dict
# Swift's own report of a crash reads memory that AddressSanitizer guards.
export SWIFT_BACKTRACE=enable=no
# The greatest length lets containers be nested beyond the limit.
".build/fuzz/build/release/$target" -dict="$dictionary" -max_total_time="$seconds" -max_len=8192 \
  -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$folder/found/" \
  "$folder/corpus" "$folder/seeds"
