#!/bin/bash
# usage: Tools/docs.sh SYMBOL-GRAPHS OUT MODULE…
# Writes the modules' documentation as a static site, OUT/site, using only the toolchain's docc.
# HOSTING_BASE is the path under which the site will be served.
set -euo pipefail
graphs=$1
out=$2
shift 2
base=${HOSTING_BASE:-/}

rm -rf "$out"
mkdir -p "$out"
archives=()
for module in "$@"; do
  [ -e "$graphs/$module.symbols.json" ] || { echo "docs: no symbol graph for $module" >&2; exit 1; }
  mkdir -p "$out/graphs/$module" "$out/catalogs"
  cp "$graphs/$module.symbols.json" "$out/graphs/$module/"
  # Extensions of other modules' types are in separate files.
  for extensions in "$graphs/$module@"*.symbols.json; do
    [ ! -e "$extensions" ] || cp "$extensions" "$out/graphs/$module/"
  done
  catalog=$out/catalogs/$module.docc
  written=$(find Packages -type d -name "$module.docc" -not -path '*/.build/*' | head -1)
  if [ -n "$written" ]; then
    cp -R "$written" "$catalog"
  else
    mkdir "$catalog"
    printf '# ``%s``\n\nThe module %s of Holt.\n' "$module" "$module" >"$catalog/$module.md"
  fi
  # The only page in Docs that is also an article.
  [ "$module" != QueryGen ] || cp Docs/Tutorial.md "$catalog/"
  docc convert "$catalog" --additional-symbol-graph-dir "$out/graphs/$module" \
    --fallback-display-name "$module" --fallback-bundle-identifier "holt.$module" \
    --warnings-as-errors --transform-for-static-hosting --hosting-base-path "$base" \
    --output-path "$out/$module.doccarchive"
  archives+=("$out/$module.doccarchive")
done
docc merge "${archives[@]}" --synthesized-landing-page-name Holt --output-path "$out/site"

# Lists all pages by path, as a text file for programs and as a page for readers.
(cd "$out/site" && find documentation -name index.html | sed 's|/index.html$|/|' | LC_ALL=C sort) \
  >"$out/site/sitemap.txt"
{
  printf '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Pages of Holt</title>\n<ul>\n'
  sed "s|.*|<li><a href=\"${base%/}/&\">&</a>|" "$out/site/sitemap.txt"
  printf '</ul>\n</html>\n'
} >"$out/site/pages.html"
rm -rf "$out/graphs" "$out/catalogs" "${archives[@]}"
echo "documentation: $out/site, $(wc -l <"$out/site/sitemap.txt") pages, listed in pages.html and sitemap.txt"
