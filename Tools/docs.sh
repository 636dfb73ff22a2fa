#!/bin/bash
# usage: Tools/docs.sh SYMBOL-GRAPHS OUT MODULE…
# Writes the modules' documentation as a static site, OUT/site, using only the toolchain's docc. The entry page is
# Docs/Site.docc/Index.md; its list of modules determines the order of the navigation.
# HOSTING_BASE is the path under which the site will be served.
set -euo pipefail
graphs=$1
out=$2
shift 2
base=${HOSTING_BASE:-/}
entry=Docs/Site.docc

rm -rf "$out"
mkdir -p "$out/catalogs" "$out/links" "$out/archives"
for module in "$@"; do
  [ -e "$graphs/$module.symbols.json" ] || { echo "docs: no symbol graph for $module" >&2; exit 1; }
  grep -q "^- \`\`/$module\`\`\$" "$entry/Index.md" \
    || { echo "docs: $entry/Index.md does not list the module $module" >&2; exit 1; }
  written=$(find Packages -type d -name "$module.docc" -not -path '*/.build/*' | head -1)
  [ -n "$written" ] || { echo "docs: no documentation catalog for $module" >&2; exit 1; }
  mkdir -p "$out/graphs/$module"
  cp "$graphs/$module.symbols.json" "$out/graphs/$module/"
  # Extensions of other modules' types are in separate files.
  for extensions in "$graphs/$module@"*.symbols.json; do
    [ ! -e "$extensions" ] || cp "$extensions" "$out/graphs/$module/"
  done
  cp -R "$written" "$out/catalogs/$module.docc"
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
    --warnings-as-errors --transform-for-static-hosting --hosting-base-path "$base"
done

archives=()
dependencies=()
for module in $(sed -n 's/^- ``\/\([A-Za-z]*\)``$/\1/p' "$entry/Index.md"); do
  [ -e "$out/links/$module.doccarchive" ] || { echo "docs: $entry/Index.md lists $module, which has no library" >&2; exit 1; }
  archives+=("$out/archives/$module.doccarchive")
  dependencies+=(--dependency "$out/links/$module.doccarchive")
done
docc merge "${archives[@]}" --synthesized-landing-page-name Holt --output-path "$out/site"
# docc has no option for a landing page with topics, so the entry page replaces the one that it generates.
convert Site "$entry" "$out/entry.doccarchive" "${dependencies[@]}" --warnings-as-errors
sed -e 's|doc:\([\\/]*\)holt.Site\([\\/]*documentation\)[\\/]*Index|doc:\1Holt\2|g' \
  -e 's|"\([\\/]*documentation\)[\\/]*index"|"\1"|g' \
  "$out/entry.doccarchive/data/documentation/index.json" >"$out/site/data/documentation.json"
# Without this page, the site's root would be a page that does not exist.
printf '<!DOCTYPE html>\n<meta charset="utf-8">\n<title>Holt</title>\n%s\n%s\n' \
  '<meta http-equiv="refresh" content="0; url=documentation/">' '<a href="documentation/">Documentation of Holt</a>' \
  >"$out/site/index.html"

# Lists all pages by path, as a text file for programs and as a page for readers.
(cd "$out/site" && find documentation -name index.html | sed 's|/index.html$|/|' | LC_ALL=C sort) \
  >"$out/site/sitemap.txt"
{
  printf '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Pages of Holt</title>\n<ul>\n'
  sed "s|.*|<li><a href=\"${base%/}/&\">&</a>|" "$out/site/sitemap.txt"
  printf '</ul>\n</html>\n'
} >"$out/site/pages.html"
rm -rf "$out/graphs" "$out/catalogs" "$out/links" "$out/archives" "$out/entry.doccarchive"
echo "documentation: $out/site, $(wc -l <"$out/site/sitemap.txt") pages, listed in pages.html and sitemap.txt"
