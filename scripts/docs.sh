#!/usr/bin/env bash
# Makes a static site of the documentation in .build/docs. A warning, such as a link that leads nowhere, is an error.
#
# usage: docs.sh [MODULE…]
#
# To look at it: python3 -m http.server -d .build/docs
# For a site that is not at the root of its server, APOLLO_DOCS_BASE is the path of its folder there, such as docs/swift.
set -euo pipefail
cd "$(dirname "$0")/.."

all=(
  Apollo ApolloAPI ApolloCache ApolloFoundation ApolloJSON ApolloWebSocket ApolloPagination ApolloSQLite
  ApolloAsyncHTTP ApolloMocks ApolloTestSupport ApolloUI ApolloCodegenLib
  GraphQLJSON GraphQLSyntax GraphQLSchema GraphQLValidation GraphQLExecution
)
modules=("$@")
[ $# -gt 0 ] || modules=("${all[@]}")
site=.build/docs
# (Without its trait, ApolloAsyncHTTP has nothing to show.)
export APOLLO_TRAITS=1
base=${APOLLO_DOCS_BASE:+$APOLLO_DOCS_BASE/}
mkdir -p "$site"
scripts/swift.sh build --quiet
count=0
for module in "${modules[@]}"; do
  count=$((count + 1))
  echo "docs: $module ($count of ${#modules[@]})"
  log=$site/$module.log graphs=$site/$module.symbols
  rm -rf "$graphs" "${site:?}/$module" && mkdir -p "$graphs"
  python3 scripts/symbols.py "$module" "$graphs"
  docc convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$graphs" --warnings-as-errors \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" --transform-for-static-hosting \
    --hosting-base-path "$base$module" --output-path "$site/$module" >"$log" 2>&1 || {
    # What docc says is wrong, with the place, which is on the next line.
    grep -A1 -E '^(warning|error):|: (warning|error):' "$log" >&2 || tail -20 "$log" >&2
    echo "docs: $module has mistakes (all of it: $log)" >&2
    exit 1
  }
done

# A page that links to every module that there is, with the first sentence of its catalogue.
{
  echo '<!doctype html><html lang="en"><meta charset="utf-8"><title>apollo-swift</title><h1>apollo-swift</h1><ul>'
  for module in "${all[@]}"; do
    [ -d "$site/$module" ] || continue
    summary=$(sed -n 3p "Sources/$module/$module.docc/$module.md" | tr -d '`')
    path=$(echo "$module" | tr '[:upper:]' '[:lower:]')
    echo "<li><a href=\"$module/documentation/$path/\">$module</a>: $summary</li>"
  done
  echo '</ul></html>'
} >"$site/index.html"
echo "docs: $site/index.html"
