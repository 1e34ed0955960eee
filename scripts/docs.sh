#!/usr/bin/env bash
# Makes a static site of the documentation in .build/docs, and fails if there is a warning, such as a link that leads nowhere.
#
# usage: docs.sh [MODULE…]
#
# To look at it: python3 -m http.server -d .build/docs
set -euo pipefail
cd "$(dirname "$0")/.."
export APOLLO_DOCS=1

modules=(
  Apollo ApolloAPI ApolloCache ApolloFoundation ApolloWebSocket ApolloAsyncHTTP ApolloTestSupport ApolloCodegenLib
  GraphQLJSON GraphQLSyntax GraphQLSchema GraphQLValidation GraphQLExecution
)
[ $# -eq 0 ] || modules=("$@")
site=.build/docs
mkdir -p "$site"
count=0
for module in "${modules[@]}"; do
  count=$((count + 1))
  echo "docs: $module ($count of ${#modules[@]})"
  swift package --allow-writing-to-directory "$site" generate-documentation --target "$module" --warnings-as-errors \
    --transform-for-static-hosting --hosting-base-path "$module" --output-path "$site/$module" >"$site/$module.log" 2>&1 || {
    grep -E '(warning|error):' "$site/$module.log" >&2 || tail -20 "$site/$module.log" >&2
    echo "docs: $module has mistakes (all of it: $site/$module.log)" >&2
    exit 1
  }
done
{
  echo '<!doctype html><html lang="en"><meta charset="utf-8"><title>apollo-swift</title><h1>apollo-swift</h1><ul>'
  for module in "${modules[@]}"; do
    path=$(echo "$module" | tr '[:upper:]' '[:lower:]')
    echo "<li><a href=\"$module/documentation/$path/\">$module</a></li>"
  done
  echo '</ul></html>'
} >"$site/index.html"
echo "docs: $site/index.html"
