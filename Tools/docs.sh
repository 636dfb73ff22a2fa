#!/bin/bash
# usage: Tools/docs.sh BUILD OUT MODULE…
# Writes the documentation of modules that were built in the folder BUILD as a static site, OUT/site, using only the
# toolchain's docc. The entry page is Docs/Site.docc/Index.md; its list of modules determines the order of the navigation.
# HOSTING_BASE is the path under which the site will be served.
set -euo pipefail
build=$(cd "$1" && pwd)
out=$2
shift 2
base=${HOSTING_BASE:-/}
entry=Docs/Site.docc

# A bar at the top of every page, with links to the entry page and to each package.
header() {
  cat <<'HTML'
<style>
nav { display: flex; flex-wrap: wrap; gap: 0.2em 1.2em; padding: 0.5em 1.4em; font: 14px system-ui, sans-serif;
  border-bottom: 1px solid #8885; }
a { color: inherit; text-decoration: none; }
a:hover { text-decoration: underline; }
</style>
HTML
  printf '<nav>\n<a href="%s/documentation/"><b>Overview</b></a>\n' "${base%/}"
  local module
  for module in $(modules); do
    [ -d "Packages/$module" ] || continue
    printf '<a href="%s/documentation/%s/">%s</a>\n' \
      "${base%/}" "$(tr '[:upper:]' '[:lower:]' <<<"$module")" "$module"
  done
  echo '</nav>'
}

# The modules that the entry page lists, in its order.
modules() { sed -n 's/^- ``\/\([A-Za-z]*\)``$/\1/p' "$entry/Index.md"; }

# `swift package dump-symbol-graph` would enable all traits, including those that replace SQLite.
clang=()
for map in "$PWD"/Packages/*/Sources/*/module.modulemap "$build"/*.build/module.modulemap; do
  clang+=(-Xcc "-fmodule-map-file=$map")
done
for flag in $(pkg-config --cflags libxml-2.0 libpq); do clang+=(-Xcc "$flag"); done
target=$(swiftc -print-target-info | sed -n 's/.*"triple": "\(.*\)",/\1/p')
[ "$(uname)" != Darwin ] || clang+=(-sdk "$(xcrun --show-sdk-path)")

# symbols MODULE OUT: writes the symbols of a module; those of extensions of other modules' types are in separate files.
symbols() {
  swift symbolgraph-extract -module-name "$1" -I "$build/Modules" "${clang[@]}" -target "$target" -output-dir "$2" \
    -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols
}

rm -rf "$out"
mkdir -p "$out/catalogs" "$out/links" "$out/archives"
for module in "$@"; do
  grep -q "^- \`\`/$module\`\`\$" "$entry/Index.md" \
    || { echo "docs: $entry/Index.md does not list the module $module" >&2; exit 1; }
  written=$(find Packages -type d -name "$module.docc" -not -path '*/.build/*' | head -1)
  [ -n "$written" ] || { echo "docs: no documentation catalog for $module" >&2; exit 1; }
  mkdir -p "$out/graphs/$module"
  symbols "$module" "$out/graphs/$module"
  cp -R "$written" "$out/catalogs/$module.docc"
  header >"$out/catalogs/$module.docc/header.html"
  # The only page in Docs that is also an article.
  [ "$module" != QueryGen ] || cp Docs/Tutorial.md "$out/catalogs/$module.docc/"
done

# convert NAME CATALOG OUT OPTION…
convert() {
  docc convert "$2" --fallback-display-name "$1" --fallback-bundle-identifier "holt.$1" \
    --fallback-default-module-kind Library --enable-experimental-external-link-support --output-path "$3" "${@:4}"
}

# The modules link to each other, so the first pass collects what can be linked to.
for module in "$@"; do
  convert "$module" "$out/catalogs/$module.docc" "$out/links/$module.doccarchive" \
    --additional-symbol-graph-dir "$out/graphs/$module" --diagnostic-level error
done
for module in "$@"; do
  others=()
  for other in "$@"; do
    [ "$other" = "$module" ] || others+=(--dependency "$out/links/$other.doccarchive")
  done
  convert "$module" "$out/catalogs/$module.docc" "$out/archives/$module.doccarchive" \
    --additional-symbol-graph-dir "$out/graphs/$module" "${others[@]}" \
    --warnings-as-errors --transform-for-static-hosting --hosting-base-path "$base" \
    --experimental-enable-custom-templates
done

archives=()
dependencies=()
for module in $(modules); do
  [ -e "$out/links/$module.doccarchive" ] || { echo "docs: $entry/Index.md lists $module, which has no library" >&2; exit 1; }
  archives+=("$out/archives/$module.doccarchive")
  dependencies+=(--dependency "$out/links/$module.doccarchive")
done
docc merge "${archives[@]}" --synthesized-landing-page-name Holt --output-path "$out/site"
# This docc has no option for a landing page with topics, so the entry page replaces the one that it generates.
convert Site "$entry" "$out/entry.doccarchive" "${dependencies[@]}" --warnings-as-errors
sed -e 's|doc:\([\\/]*\)holt.Site\([\\/]*documentation\)[\\/]*Index|doc:\1Holt\2|g' \
  -e 's|"\([\\/]*documentation\)[\\/]*index"|"\1"|g' \
  "$out/entry.doccarchive/data/documentation/index.json" >"$out/site/data/documentation.json"
# Without this page, the site's root would be a page that does not exist.
printf '<!DOCTYPE html>\n<meta charset="utf-8">\n<title>Holt</title>\n%s\n%s\n' \
  '<meta http-equiv="refresh" content="0; url=documentation/">' '<a href="documentation/">Documentation of Holt</a>' \
  >"$out/site/index.html"

# Lists all pages by path, for programs.
(cd "$out/site" && find documentation -name index.html | sed 's|/index.html$|/|' | LC_ALL=C sort) \
  >"$out/site/sitemap.txt"
rm -rf "$out/graphs" "$out/catalogs" "$out/links" "$out/archives" "$out/entry.doccarchive"
echo "documentation: $out/site, $(wc -l <"$out/site/sitemap.txt") pages, listed in sitemap.txt"
