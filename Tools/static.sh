#!/bin/bash
# usage: Tools/static.sh
# Links a small program to a static SQLite with the trait CustomSQLite, which finds it by holt-sqlite.pc,
# then strips and runs the program. This verifies that no function is missing although the linker only
# includes referenced object files, and although no symbols are left to look up.
set -euo pipefail
cd "$(dirname "$0")/.."

library=$(pkg-config --variable=libdir sqlite3)/libsqlite3.a
[ -e "$library" ] || { echo "static: $library does not exist" >&2; exit 1; }
folder=$PWD/.build/static
mkdir -p "$folder/sqlite"
# In a separate folder, so that the linker does not find a shared library instead.
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
