#!/bin/bash
# usage: Tools/static.sh
# Links a small program to a static SQLite that is found by holt-sqlite.pc, as an app's own is (the trait
# CustomSQLite), strips it, and runs it. The static SQLite is the system's: of its files a linker takes only
# those that something refers to, and the program has no symbols left to be looked up.
set -euo pipefail
cd "$(dirname "$0")/.."

library=$(pkg-config --variable=libdir sqlite3)/libsqlite3.a
[ -e "$library" ] || { echo "static: no $library" >&2; exit 1; }
folder=$PWD/.build/static
mkdir -p "$folder/sqlite"
# Alone in its folder, so that no shared library is found before it.
cp "$library" "$folder/sqlite/"
cat >"$folder/sqlite/holt-sqlite.pc" <<PC
Name: holt-sqlite
Description: the app's own SQLite
Version: $(pkg-config --modversion sqlite3)
Cflags: -I$(pkg-config --variable=includedir sqlite3)
Libs: -L$folder/sqlite -lsqlite3 -lm
PC

PKG_CONFIG_PATH=$folder/sqlite swift build -c release --static-swift-stdlib \
  --package-path Tests/Static --scratch-path "$folder/build"
program=$folder/StaticSQLite
cp "$folder/build/release/StaticSQLite" "$program"
strip "$program"
if ldd "$program" | grep sqlite; then
  echo "static: the program is linked to a shared SQLite" >&2
  exit 1
fi
"$program"
