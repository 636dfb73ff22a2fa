#!/bin/bash
# usage: Tools/docs.sh SYMBOL-GRAPHS OUT MODULE…
# Writes the modules' documentation as one static site, OUT/site, with the toolchain's docc alone.
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
  [ -e "$graphs/$module.symbols.json" ] || { echo "docs: no symbols of $module" >&2; exit 1; }
  mkdir -p "$out/graphs/$module" "$out/catalogs/$module.docc"
  cp "$graphs/$module.symbols.json" "$out/graphs/$module/"
  # Extensions of other modules' types lie in files of their own.
  for extensions in "$graphs/$module@"*.symbols.json; do
    [ ! -e "$extensions" ] || cp "$extensions" "$out/graphs/$module/"
  done
  catalog=$(find Packages -type d -name "$module.docc" -not -path '*/.build/*' | head -1)
  if [ -z "$catalog" ]; then
    catalog=$out/catalogs/$module.docc
    printf '# ``%s``\n\nThe module %s of Holt.\n' "$module" "$module" >"$catalog/$module.md"
  fi
  docc convert "$catalog" --additional-symbol-graph-dir "$out/graphs/$module" \
    --fallback-display-name "$module" --fallback-bundle-identifier "holt.$module" \
    --warnings-as-errors --transform-for-static-hosting --hosting-base-path "$base" \
    --output-path "$out/$module.doccarchive"
  archives+=("$out/$module.doccarchive")
done
docc merge "${archives[@]}" --synthesized-landing-page-name Holt --output-path "$out/site"
rm -rf "$out/graphs" "$out/catalogs" "${archives[@]}"
echo "documentation: $out/site"
