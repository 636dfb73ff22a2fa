#!/bin/bash
# usage: Tools/availability.sh [TARGET…]
# Type-checks the libraries for macOS 14 on Linux, and fails if they use a standard library declaration
# that requires a later system. Swift's textual interfaces contain the availability; the script first
# compiles them for macOS. Tools/Availability declares the parts of Darwin, Dispatch, Foundation and Combine
# that the sources use, and Tests/Harness those of SwiftUI; `holt-check systems` checks the availability of
# their names.
#
# An error that is not about availability is caused by a missing declaration in one of these substitutes. It
# may hide other errors in the same function, so add the declaration. Such errors are counted, and shown with
# VERBOSE=1.
#
# Systems of the same release share their runtime: macOS 14, iOS 17, tvOS 17, watchOS 10 and visionOS 1.
set -uo pipefail
system=macosx14.0

# In dependency order.
targets=(
  Primitives SPON CSQLite SQLiteCore Observe ObserveTesting ObserveCombine Relations Router RouterTesting QueryGen
  Providers ProviderTesting HoltMacros Holt QueryModel SQLSyntax SQLSemantics SwiftEmitter QueryGenDriver
  QueryGenDatabase LSPWire QueryGenLanguage QueryGenServer querygen-build)
# Targets that need swift-syntax, swift-argument-parser and libpq, which have no substitutes.
left=(HoltMacrosPlugin querygen-tool PostgreSQL PostgreSQLTesting RouterPostgreSQL QueryGenPostgreSQL QueryGenDescriber
  querygen-postgresql)
availability='(is|are) only available in|to be available in|potentially unavailable'

for folder in Packages/*/Sources/*/; do
  name=$(basename "$folder")
  [ -z "$(find "$folder" -name '*.swift' -print -quit)" ] && continue
  [[ " ${targets[*]} ${left[*]} " == *" $name "* ]] && continue
  echo "availability: the target $name is not listed in Tools/availability.sh" >&2
  exit 1
done

info=$(swiftc -print-target-info)
resources=$(sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p' <<<"$info")
module=$(sed -n 's/.*"moduleTriple": "\(.*\)".*/\1/p' <<<"$info")
triple=${module%%-*}-apple-$system
version=$(swiftc --version 2>/dev/null | head -1; cat "$0" Tools/Availability/* Tests/Harness/Sources/SwiftUI/*)
cache=.build/availability/$(cksum <<<"$version" | cut -d ' ' -f 1)
if [ ! -d "$resources/linux/Swift.swiftmodule" ]; then
  echo "no standard library interface for Linux in $resources: skipping the check"
  exit 0
fi

frontend() {
  swiftc -frontend "$@" -target "$triple" -resource-dir "$resources" -I "$cache"
}

# interface MODULE [OPTION…]: compiles the toolchain's interface of a module for macOS.
interface() {
  local name=$1
  shift
  sed "s/-target [^ ]*/-target $triple/; s/@backDeployed([^)]*)//; /^import Glibc$/d" \
    "$resources/linux/$name.swiftmodule/$module.swiftinterface" >"$cache/$name.swiftinterface"
  frontend -compile-module-from-interface "$cache/$name.swiftinterface" -module-name "$name" "$@" \
    -o "$cache/$name.swiftmodule" >"$cache/$name.log" 2>&1 && return
  echo "the interface of $name can't be compiled for $triple: $cache/$name.log" >&2
  exit 1
}

# Not all versions of Debian's package make libxml2's headers available without an include path.
headers=()
for folder in "/usr/include/${module%%-*}-linux-gnu" /usr/include/libxml2; do
  [ -d "$folder" ] && headers+=(-Xcc -isystem -Xcc "$folder")
done
options=(
  -O -enable-experimental-feature Lifetimes -disable-objc-interop -swift-version 6 -suppress-warnings
  -diagnostic-style llvm
  -plugin-path "$resources/host/plugins" -module-cache-path "$cache/clang"
  -Xcc -U__nonnull -Xcc -D_GNU_SOURCE -Xcc -Dst_mtimespec=st_mtim -Xcc -Dst_ctimespec=st_ctim
  "${headers[@]}" -I Tools/Availability)
for folder in Packages/*/Sources/*/; do
  [ -e "$folder/module.modulemap" ] && options+=(-I "$folder")
done
for feature in ExistentialAny InternalImportsByDefault MemberImportVisibility NonisolatedNonsendingByDefault; do
  options+=(-enable-upcoming-feature "$feature")
done

if [ ! -e "$cache/complete" ]; then
  rm -rf .build/availability
  mkdir -p "$cache"
  interface Swift -parse-stdlib
  interface _Concurrency -parse-stdlib -disable-availability-checking
  interface _StringProcessing
  interface _Builtin_float
  interface Observation -disable-availability-checking
  for name in Darwin Dispatch Foundation Combine SwiftUI; do
    sources=(Tools/Availability/$name.swift)
    [ -e "${sources[0]}" ] || sources=(Tests/Harness/Sources/$name/*.swift)
    frontend -emit-module "${options[@]}" -parse-as-library -module-name "$name" -o "$cache/$name.swiftmodule" \
      "${sources[@]}" || exit 1
  done
  touch "$cache/complete"
fi

status=0
[ $# -gt 0 ] && targets=("$@")
for name in "${targets[@]}"; do
  folder=$(echo Packages/*/Sources/"$name")
  files=()
  while read -r file; do files+=("$file"); done < <(find "$folder" -name '*.swift' | LC_ALL=C sort)
  # A program begins with the statements of its main.swift.
  library=-parse-as-library
  [ -e "$folder/main.swift" ] && library=
  frontend -emit-module "${options[@]}" $library -module-name "${name//-/_}" -package-name holt \
    -experimental-allow-module-with-compiler-errors -o "$cache/$name.swiftmodule" "${files[@]}" \
    >"$cache/$name.log" 2>&1
  if [ ! -e "$cache/$name.swiftmodule" ]; then
    echo "$name can't be checked: $cache/$name.log" >&2
    tail -5 "$cache/$name.log" >&2
    status=1
    continue
  fi
  errors=$(grep -E '^[^ ]+:[0-9]+:[0-9]+: error: ' "$cache/$name.log" | LC_ALL=C sort -u)
  later=$(grep -E "$availability" <<<"$errors")
  other=$(grep -vE "$availability" <<<"$errors" | grep .)
  echo "$name: ${#files[@]} files, $(grep -c . <<<"$other") other errors"
  [ -n "${VERBOSE:-}" ] && [ -n "$other" ] && echo "$other"
  [ -z "$later" ] && continue
  echo "$later" >&2
  status=1
done
[ $# -gt 0 ] || echo "skipped: ${left[*]}"
[ "$status" -eq 0 ] || echo "availability: declarations above require a later system than $system" >&2
exit "$status"
