#!/bin/bash
# usage: Tools/mutate.sh [PACKAGE | PACKAGE/MUTANT]…
# Applies each patch of Tools/Mutations/PACKAGE to a copy of the repository, one at a time, and runs
# the package's tests, which must fail. The exit code is 1 if the tests pass with a mutant, or if
# one can't be tested: it no longer applies, does not compile, or names no test.
#
# A patch starts with comments: the bug's effect on a user, then `# tests: REGEX`, the tests that
# detect the bug as a filter of `swift test`, or `# equivalent: REASON` if no test can detect it.
#
# The copy is .build/mutate/tree; it includes uncommitted changes. Builds are kept in .build/mutate/build.
# MUTATE_LIMIT is the time limit in seconds for a build and its tests (600); MUTATE_PREFIX is a command
# that runs each of them, for example `nice`.
set -uo pipefail
cd "$(dirname "$0")/.."
root=$PWD
folder=$root/.build/mutate
copy=$folder/tree
limit=${MUTATE_LIMIT:-600}
read -r -a prefix <<<"${MUTATE_PREFIX:-}"

fail() {
  echo "mutate: $*" >&2
  exit 1
}

# Prints the value of a patch's header line, if the patch has one.
header() {
  sed -n "/^#/!q; s/^# $2: //p" "$1"
}

# Lists the patches selected by the arguments, or all patches.
patches() {
  local chosen found
  [ $# -gt 0 ] || set -- ''
  for chosen in "$@"; do
    case $chosen in
      */*) found=$(ls "Tools/Mutations/$chosen.patch" 2>/dev/null) ;;
      '') found=$(ls Tools/Mutations/*/*.patch 2>/dev/null) ;;
      *) found=$(ls "Tools/Mutations/$chosen/"*.patch 2>/dev/null) ;;
    esac
    [ -n "$found" ] || fail "no patch Tools/Mutations/$chosen"
    echo "$found"
  done | sort -u
}

# Runs git on the copy, which is a separate repository that reads the objects of this one.
git_copy() {
  git --git-dir="$copy/.git" "$@"
}

# Makes the copy equal to the working tree, except for ignored files. Only writes files that differ, since
# writing a file causes it to be recompiled.
make_copy() {
  local objects
  objects=$(cd "$(git rev-parse --git-common-dir)/objects" && pwd) || fail 'not a git repository'
  [ -d "$copy/.git" ] || git init -q "$copy" || exit 1
  echo "$objects" >"$copy/.git/objects/info/alternates"
  GIT_INDEX_FILE=$copy/.git/snapshot git_copy --work-tree="$root" add -A . || exit 1
  tree=$(GIT_INDEX_FILE=$copy/.git/snapshot git_copy write-tree) || exit 1
  reset_copy
}

reset_copy() {
  git -C "$copy" read-tree --reset -u "$tree" && git -C "$copy" clean -fdq || fail 'cannot write the copy'
}

# Builds a package and runs some or all of its tests. All output is written to LOG.
# usage: run_tests PACKAGE LOG SECONDS ARGUMENT…
run_tests() {
  local package=$1 log=$2 seconds=$3 status
  shift 3
  rm -f "$copy/.build/mutant.log"
  (cd "$copy" && ${prefix[@]+"${prefix[@]}"} "$root/Tools/limit.sh" "$seconds" \
    "$root/Tools/test.sh" mutant --package-path "Packages/$package" \
    --scratch-path "$folder/build/$package" "$@") >"$folder/log/output.txt" 2>&1
  status=$?
  # The script omits lines that are in its log.
  { cat "$copy/.build/mutant.log"; tail -n 5 "$folder/log/output.txt"; } >"$log" 2>/dev/null
  return $status
}

# Builds and tests a package without a mutant, unless the same sources have passed before.
test_unchanged() {
  local package=$1 log=$folder/log/$1.txt passed=$folder/build/$1.passed sources
  sources=$(git_copy rev-parse "$tree:Packages") || exit 1
  [ "$(cat "$passed" 2>/dev/null)" != "$sources" ] || return 0
  echo "$package without a mutant"
  # The time limit is longer, since everything may have to be built.
  run_tests "$package" "$log" $((limit * 6)) || fail "the tests of $package fail without a mutant: $log"
  echo "$sources" >"$passed"
}

# Prints the names of the tests that failed, or of those that recorded an issue before the process ended.
failed_tests() {
  local names
  names=$(sed -nE 's/^✘ Test (.*) failed after [0-9].*/\1/p' "$1" | sed -E 's/ with [0-9]+ test cases?$//' |
    grep -v '^run with')
  [ -n "$names" ] || names=$(sed -nE 's/^✘ Test (.*) recorded an issue.*/\1/p' "$1")
  [ -z "$names" ] || echo "$names"
}

# Prints the reason for the failure of a test run: the time limit, a failed test, or a signal.
killer() {
  local status=$1 log=$2 names count
  names=$(failed_tests "$log")
  if [ "$status" = 124 ]; then
    echo "the time limit of $limit s"
  elif [ -n "$names" ]; then
    count=$(sort -u <<<"$names" | wc -l | tr -d ' ')
    echo "${names%%$'\n'*}$([ "$count" = 1 ] || echo " and $((count - 1)) more")"
  elif grep -q 'unexpected signal' "$log"; then
    echo "a crash during $(grep '^◇ Test' "$log" | tail -1 | sed 's/^◇ Test //; s/ started\.$//')"
  else
    return 1
  fi
}

# Tests one mutant and sets `verdict` to the result.
test_mutant() {
  local patch=$1 package=$2 log=$3 filter status
  git -C "$copy" apply "$root/$patch" 2>"$log" || {
    verdict='ERROR: the patch does not apply'
    return
  }
  filter=$(header "$patch" tests)
  for arguments in "--filter=$filter" ''; do
    run_tests "$package" "$log" "$limit" ${arguments:+"$arguments"}
    status=$?
    if [ "$status" = 0 ]; then
      verdict=SURVIVED
      continue
    elif grep -q '^ran 0 tests$' "$log"; then
      verdict='ERROR: no test name matches "# tests:"'
    elif ! grep -qE '^[◇✘✔] |unexpected signal' "$log"; then
      verdict='ERROR: the mutant does not build'
      [ "$status" != 124 ] || verdict="ERROR: the mutant was not built within $limit s"
    elif verdict="killed by $(killer "$status" "$log")"; then
      [ -n "$arguments" ] || verdict="$verdict, which '# tests:' does not match"
    else
      verdict='ERROR: the tests did not run'
    fi
    return
  done
}

list=$(patches "$@") || exit 1
mkdir -p "$folder/log" "$folder/build"
if ! mkdir "$folder/running" 2>/dev/null; then
  kill -0 "$(cat "$folder/running/pid" 2>/dev/null)" 2>/dev/null && fail 'another run uses .build/mutate'
fi
echo $$ >"$folder/running/pid"
trap 'rm -rf "$folder/running"' EXIT
trap 'exit 130' INT TERM HUP
make_copy

results=$folder/results.txt
: >"$results"
tested=
for patch in $list; do
  package=$(basename "$(dirname "$patch")")
  name=$(basename "$patch" .patch)
  log=$folder/log/$package-$name.txt
  verdict="equivalent: $(header "$patch" equivalent)"
  if [ "$verdict" = 'equivalent: ' ]; then
    [ -d "Packages/$package" ] || fail "$patch: no such package: $package"
    [ -n "$(header "$patch" tests)" ] || fail "$patch: the line '# tests: REGEX' is missing"
    [ "$package" = "$tested" ] || test_unchanged "$package"
    tested=$package
    test_mutant "$patch" "$package" "$log"
    reset_copy
    case $verdict in SURVIVED | ERROR*) verdict="$verdict (${log#"$root/"})" ;; esac
  fi
  printf '%-12s %-40s %s\n' "$package" "$name" "$verdict" | tee -a "$results"
done

count() {
  grep -cE "^[^ ]+ +[^ ]+ +$1" "$results"
}
bad="$(count SURVIVED) $(count ERROR)"
echo "$(wc -l <"$results" | tr -d ' ') mutants: $(count 'killed by') killed," \
  "$(count equivalent) equivalent, ${bad% *} survived, ${bad#* } errors"
[ "$bad" = '0 0' ]
