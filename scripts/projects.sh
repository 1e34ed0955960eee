#!/usr/bin/env bash
# Generates code for every operation of public applications, compiles it with warnings as errors, and sends responses
# through it: what is read and written again has to be what was sent.
#
# usage: scripts/projects.sh [SEEDS]
set -euo pipefail
cd "$(dirname "$0")/.."
shared=${APOLLO_SHARED:-../shared}
package=Tests/RealProjects
generated=$package/Generated
if [ ! -d "$shared/projects" ]; then
  echo "skipped: the shared projects are not there ($shared/projects)"
  exit 0
fi
shared=$(cd "$shared" && pwd)

swift build --quiet --product apollo-codegen
codegen=$PWD/.build/debug/apollo-codegen
rm -f $package/Sources/round-trip/Projects.swift
mkdir -p "$generated"
inputs=$(mktemp -d)
trap 'rm -rf "$inputs"' EXIT

# `anilist-ios` is the module AnilistIos.
module() { sed -E 's/(^|-)([a-z])/\U\2/g' <<< "$1"; }

names=()
for project in "$shared"/projects/[a-z]*/; do
  name=$(basename "$project")
  names+=("$name")
  cp -R "$project" "$inputs/$name"
  # What these two projects have wrong is held against tests of its own; here it is mended.
  case $name in
    saleor-storefront) # selects a field that the schema has not
      sed -i '/^mutation checkoutLineDelete(/,/^}/d' "$inputs/$name/ops/src/checkout/graphql/checkout.graphql" ;;
    swapi-graphiql-examples) # anonymous operations, and one fragment in two files
      (cd "$inputs/$name/ops/doc/example_queries"
       sed -i '/^fragment pilotFragment/,$d' 07_fragments.graphql
       for file in *.graphql; do sed -i "s/^{/query Example${file%%_*} {/" "$file"; done) ;;
  esac
  output=$generated/$(module "$name")
  mkdir -p "$output"
  "$codegen" generate --schema "$inputs/$name/schema.*" --operations "$inputs/$name/ops/**/*.graphql" \
    --output "$output" --access public --quiet --diagnostics xcode 2> "$inputs/$name/log" || { cat "$inputs/$name/log"; exit 1; }
  {
    echo "public import ApolloAPI"
    echo "nonisolated public let operations: [any GraphQLOperation.Type] = ["
    grep -hoE 'struct \w+: GraphQL(Query|Mutation|Subscription)' "$output"/*.graphql.swift \
      | sed -E 's/struct (\w+):.*/  \1.self,/' | sort
    echo "]"
  } > "$output/Operations.swift"
done

{
  echo "import Apollo"
  for name in "${names[@]}"; do echo "import $(module "$name")"; done
  echo "let projects: [(name: String, operations: [any GraphQLOperation.Type])] = ["
  for name in "${names[@]}"; do echo "  (\"$name\", $(module "$name").operations),"; done
  echo "]"
} > $package/Sources/round-trip/Projects.swift

cat "$generated"/*/*.swift | wc -lc | awk '{ print $1 " lines, " $2 " bytes of generated code" }'
unset APOLLO_STRICT
swift build --quiet --package-path $package

# The same code in modules that are isolated to nothing.
for name in "${names[@]}"; do
  swiftc -typecheck -swift-version 6 -warnings-as-errors -I $package/.build/debug/Modules \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
    -enable-upcoming-feature MemberImportVisibility -module-name "$(module "$name")" \
    "$generated/$(module "$name")"/*.swift
done

$package/.build/debug/round-trip "$shared/projects" "${1:-20}"
