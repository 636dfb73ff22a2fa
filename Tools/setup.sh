#!/bin/bash
# Installs the system packages that Holt builds with and that the demo reads, if any is missing.
# Where there is no apt-get it says what to install instead.
set -euo pipefail

libraries=
data=
if [ "$(uname)" != Darwin ]; then # macOS brings both libraries with its SDK
  command -v pkg-config >/dev/null || libraries="$libraries pkg-config"
  pkg-config --exists sqlite3 2>/dev/null || libraries="$libraries libsqlite3-dev"
  pkg-config --exists libxml-2.0 2>/dev/null || libraries="$libraries libxml2-dev"
fi
[ -e /usr/share/iso-codes/json/iso_3166-2.json ] || data="$data iso-codes"
[ -e /usr/share/zoneinfo/zone1970.tab ] || data="$data tzdata"
[ -n "$libraries$data" ] || exit 0

if command -v apt-get >/dev/null; then
  echo "setup: installing$libraries$data"
  as_root=
  [ "$(id -u)" = 0 ] || as_root=sudo
  $as_root apt-get update -qq
  # shellcheck disable=SC2086 # a list of words on purpose
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $libraries $data
  exit
fi

if [ -n "$data" ]; then
  echo "setup: the demo reads data that is not here; in Debian it is in:$data"
  echo "       Elsewhere install them under the same or a similar name (Homebrew: iso-codes), and"
  echo "       give the folders to the demo with --iso-codes and --zones."
fi
if [ -n "$libraries" ]; then
  echo "setup: Holt needs these, by their names in Debian:$libraries" >&2
  echo "       There is no apt-get here. Fedora: dnf install pkgconf sqlite-devel libxml2-devel." >&2
  echo "       Alpine: apk add pkgconf sqlite-dev libxml2-dev. Then run make again." >&2
  exit 1
fi
