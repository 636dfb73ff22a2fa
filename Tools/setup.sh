#!/bin/bash
# usage: Tools/setup.sh [sqlcipher]
# Installs missing system packages that the build and the demo need. Without apt-get, prints the packages
# to install.
#
# With `sqlcipher`, also installs SQLCipher for `make ciphers`. Holt needs a release based on SQLite 3.37
# or later. Debian 12 has SQLCipher 3.4, which is based on SQLite 3.15; there, the script builds the source
# package of Debian 13 in .build/sqlcipher, with Debian's options and those in SQLCIPHER_OPTIONS.
set -euo pipefail
cd "$(dirname "$0")/.."

as_root=
[ "$(id -u)" = 0 ] || as_root=sudo

install() {
  $as_root apt-get update -qq
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$@"
}

sqlcipher() {
  export PKG_CONFIG_PATH="$PWD/.build/sqlcipher/lib/pkgconfig:${PKG_CONFIG_PATH:-}"
  has_sqlcipher() { pkg-config --atleast-version=3.37 sqlcipher 2>/dev/null; }
  if has_sqlcipher; then return; fi
  if ! command -v apt-get >/dev/null; then
    echo "setup: install SQLCipher 4.5 or later with its headers and sqlcipher.pc" >&2
    exit 1
  fi
  if [ "$(apt-cache policy libsqlcipher-dev | awk '/Candidate:/ { print $2 }' | cut -d. -f1)" != 3 ]
  then
    echo "setup: installing libsqlcipher-dev"
    install libsqlcipher-dev
    if has_sqlcipher; then return; fi
  fi
  echo "setup: building SQLCipher of Debian 13 in .build/sqlcipher"
  install --no-upgrade dpkg-dev gcc make tcl libssl-dev
  local prefix=$PWD/.build/sqlcipher
  local apt=$prefix/apt
  rm -rf "$prefix"
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  # Uses separate package lists, so that the system's lists don't change.
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
    "http://deb.debian.org/debian trixie main" >"$apt/sources.list"
  local options=(-qq -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update
  (
    cd "$apt"
    apt-get "${options[@]}" source sqlcipher >/dev/null
    cd sqlcipher-*/
    # The flags from debian/rules.
    local flags
    flags=$(awk '/^export CFLAGS/, /HAVE_USLEEP/ { print }' debian/rules | grep -o -- '-[Df][^ ]*')
    CFLAGS="-O2 $(echo "$flags" | tr '\n' ' ') ${SQLCIPHER_OPTIONS:-}" LDFLAGS=-lcrypto ./configure \
      --prefix="$prefix" --disable-shared --disable-tcl --enable-threadsafe --enable-load-extension \
      --enable-tempstore --enable-fts4 --enable-fts5
    make libsqlcipher.la
    mkdir -p "$prefix/lib/pkgconfig" "$prefix/include/sqlcipher"
    cp .libs/libsqlcipher.a "$prefix/lib/"
    cp sqlite3.h "$prefix/include/sqlcipher/"
    # SwiftPM only reads `Libs`, but a static library needs the private libraries, too.
    sed 's/^Libs:.*/& -lcrypto -lm -ldl -lpthread/' sqlcipher.pc >"$prefix/lib/pkgconfig/sqlcipher.pc"
  ) >"$prefix/build.log" 2>&1 || { tail -20 "$prefix/build.log" >&2; exit 1; }
  rm -rf "$apt"
  has_sqlcipher
}

if [ "${1:-}" = sqlcipher ]; then
  "$0" # installs the other packages
  sqlcipher
  exit
fi

libraries=
data=
server=
if [ "$(uname)" != Darwin ]; then # the macOS SDK contains these libraries, except for Zstandard
  command -v pkg-config >/dev/null || libraries="$libraries pkg-config"
  pkg-config --exists sqlite3 2>/dev/null || libraries="$libraries libsqlite3-dev"
  pkg-config --exists libxml-2.0 2>/dev/null || libraries="$libraries libxml2-dev"
  pkg-config --exists libpq 2>/dev/null || libraries="$libraries libpq-dev"
  # For the command `holt`.
  pkg-config --exists zlib 2>/dev/null || libraries="$libraries zlib1g-dev"
  pkg-config --exists libzstd 2>/dev/null || libraries="$libraries libzstd-dev"
  pkg-config --exists libedit 2>/dev/null || libraries="$libraries libedit-dev"
  [ -e /usr/include/bzlib.h ] || libraries="$libraries libbz2-dev"
fi
[ -e /usr/share/iso-codes/json/iso_3166-2.json ] || data="$data iso-codes"
[ -e /usr/share/zoneinfo/zone1970.tab ] || data="$data tzdata"
# The tests of PostgreSQL start their own server. Only the binaries are needed.
if command -v apt-get >/dev/null && ! compgen -G "/usr/lib/postgresql/*/bin/postgres" >/dev/null; then
  server=postgresql
fi
[ -n "$libraries$data$server" ] || exit 0

if command -v apt-get >/dev/null; then
  echo "setup: installing$libraries$data${server:+ $server}"
  if [ -n "$server" ]; then
    # Debian's package would create and start a server.
    $as_root mkdir -p /etc/postgresql-common
    [ -e /etc/postgresql-common/createcluster.conf ] ||
      printf 'create_main_cluster = false\nstart_conf = manual\n' |
      $as_root tee /etc/postgresql-common/createcluster.conf >/dev/null
  fi
  # shellcheck disable=SC2086 # intentionally a list of words
  install $libraries $data $server
  exit
fi

if [ -n "$data" ]; then
  echo "setup: missing data for the demo; Debian packages:$data"
  echo "       On other systems, install packages with the same or a similar name (Homebrew: iso-codes),"
  echo "       and pass the folders to the demo with --iso-codes and --zones."
fi
if [ -n "$libraries" ]; then
  echo "setup: missing libraries; Debian packages:$libraries" >&2
  echo "       apt-get was not found. Fedora: dnf install pkgconf sqlite-devel libxml2-devel libpq-devel" >&2
  echo "       zlib-devel libzstd-devel bzip2-devel libedit-devel." >&2
  echo "       Alpine: apk add pkgconf sqlite-dev libxml2-dev libpq-dev zlib-dev zstd-dev bzip2-dev libedit-dev." >&2
  echo "       Then run make again." >&2
  exit 1
fi
