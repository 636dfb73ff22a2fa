#!/bin/bash
# usage: Tools/limit.sh SECONDS COMMAND ARGUMENT…
# Runs a command and exits with its status. After SECONDS, or when the script is interrupted, kills
# the command and all its descendants: SwiftPM starts its own process groups, so killing one group
# would leave the tests running. The exit code is 124 if the time ran out.
set -uo pipefail
limit=$1
shift

# The identifiers of a process and of its descendants, parents first.
family() {
  ps -A -o pid= -o ppid= | awk -v root="$1" '
    { children[$2] = children[$2] " " $1 }
    END {
      count = 1; queue[1] = root
      for (i = 1; i <= count; i++) {
        print queue[i]
        n = split(children[queue[i]], found, " ")
        for (j = 1; j <= n; j++) queue[++count] = found[j]
      }
    }'
}

# Kills parents first, so that they can't start another child or report a child's exit.
end_command() {
  # shellcheck disable=SC2046 # one word for each process
  kill -KILL $(family "$command") 2>/dev/null
  wait "$command" 2>/dev/null
}

"$@" </dev/null &
command=$!
trap 'end_command; exit 130' INT TERM HUP
while kill -0 "$command" 2>/dev/null; do
  if [ "$SECONDS" -ge "$limit" ]; then
    end_command
    exit 124
  fi
  sleep 0.2
done
wait "$command"
