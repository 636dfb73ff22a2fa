#!/bin/bash
# usage: Tools/demo-postgresql.sh PROGRAMS DATABASE
# Starts a PostgreSQL server in a temporary folder, copies the demo's SQLite database to it with `holt copy`, and asks the
# demo's questions with routes, the last one with a live route. PROGRAMS is the folder with `Atlas` and `holt-tool`.
set -euo pipefail
programs=$1
database=$2

server=
for folder in $(compgen -G '/usr/lib/postgresql/*/bin' | sort -rV) /usr/local/bin /opt/homebrew/bin; do
  [ -x "$folder/initdb" ] && server=$folder && break
done
if [ -z "$server" ]; then
  echo "demo-postgresql: no PostgreSQL server is installed; Debian package: postgresql" >&2
  exit 1
fi

folder=$(mktemp -d)
as_server=()
if [ "$(id -u)" = 0 ]; then # the server refuses to run as root
  as_server=(setpriv --reuid=nobody --regid=nogroup --clear-groups --)
  chown nobody "$folder"
fi
pid=
stop() {
  [ -z "$pid" ] || { kill -INT "$pid" && wait "$pid"; } 2>/dev/null || true
  rm -rf "$folder"
}
trap stop EXIT

# The server can only enter folders that its user may read.
"${as_server[@]}" bash -c "cd / && exec '$server/initdb' -D '$folder/data' -A trust -U postgres -E UTF8 \
  --locale=C --no-sync" >"$folder.log" 2>&1 || { cat "$folder.log" >&2; rm -f "$folder.log"; exit 1; }
rm -f "$folder.log"
port=$((20000 + RANDOM % 12000))
"${as_server[@]}" bash -c "cd / && exec '$server/postgres' -D '$folder/data' -k '$folder' -p $port \
  -c listen_addresses= -c fsync=off -c wal_level=logical" >/dev/null 2>&1 &
pid=$!
for _ in $(seq 200); do
  "$server/pg_isready" -q -h "$folder" -p "$port" && break
  sleep 0.05
done

url="postgres://postgres@/postgres?host=$folder&port=$port"
"$programs/Atlas" --database "$database" --import-only
echo
echo '$ holt copy atlas.sqlite postgres://… --skip-unsupported'
"$programs/holt-tool" copy "$database" "$url" --skip-unsupported 2>&1 |
  sed "s|$folder|/tmp/…|g" | sed 's/, \([a-z]\)/\n  \1/g' | fold -s -w 110
echo
echo '$ holt query "SELECT region, count(*) AS zones FROM zone GROUP BY region ORDER BY 2 DESC LIMIT 3" postgres://…'
"$programs/holt-tool" query "SELECT region, count(*) AS zones FROM zone GROUP BY region ORDER BY 2 DESC LIMIT 3" "$url"
"$server/psql" -X -q -h "$folder" -p "$port" -U postgres -c 'CREATE PUBLICATION holt FOR TABLE zone'
"$programs/Atlas" --database "$database" --postgresql "$url"
