#!/usr/bin/env bash
# Generates code for every operation of public applications, compiles it with warnings as errors, and sends responses
# through it: what is read and written again has to be what was sent. The fixtures of the generator's tests are sent
# through as well.
#
# usage: scripts/projects.sh [SEEDS] [all]
#        scripts/projects.sh write              (only generates what the package in Examples has)
#        scripts/projects.sh read [SEEDS]       (only sends responses through what was generated)
#
# Three large applications make two thirds of the code. Without `all`, their code is generated and not compiled. With `all`,
# all code is also type-checked as in modules that are isolated to nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
shared=${APOLLO_SHARED:-../shared}
package=Tests/RealProjects
fixtures=Tests/ApolloCodegenLibTests/Fixtures

if [ "${1:-}" = read ]; then
  [ -d "$shared/projects" ] || scripts/left-out.sh "the code of public applications" "$shared/projects is not there"
  exec scripts/swift.sh run --examples --quiet round-trip "${2:-20}"
fi
scripts/swift.sh build --quiet --product apollo-codegen
codegen=$PWD/.build/debug/apollo-codegen
generated=$package/Generated
mkdir -p "$generated"
inputs=$(mktemp -d)
trap 'rm -rf "$inputs"' EXIT

# `anilist-ios` is the module AnilistIos.
module() { sed -E 's/(^|-)([a-z])/\U\2/g' <<< "$1"; }

# Copies a file only if it is another one, so that nothing is compiled in vain.
update() { cmp -s "$1" "$2" || cp "$1" "$2"; }

modules=()
entries=()

# Lists the operations of a module.
add() { # module, name, folder of the schema
  modules+=("$1")
  entries+=("  (\"$2\", \"$3\", $1.operations),")
  {
    echo "public import ApolloAPI"
    echo "nonisolated public let operations: [any GraphQLOperation.Type] = ["
    # An operation that is indented stands in the extension of a namespace.
    sed -nE 's/^(nonisolated )?extension (\w+) \{$/namespace \2/p
      s/^( *).*struct (\w+): GraphQL(Query|Mutation|Subscription)\>.*/\1operation \2/p' "$generated/$1"/*.graphql.swift |
      awk '/^namespace/ {namespace = $2 "."} /operation/ {print "  " (/^ / ? namespace : "") $2 ".self,"}' | sort
    echo "]"
  } > "$inputs/Operations.swift"
  update "$inputs/Operations.swift" "$generated/$1/Operations.swift"
}

# Generates a project over files as Apollo's generator wrote them: each is replaced without being asked.
over_apollo() { # name, folder with what was generated
  local old=$inputs/$1/apollo
  mkdir -p "$old/Schema/Objects"
  cp "$2"/*.graphql.swift "$old"
  for file in "$old"/*.swift "$old/Schema/Objects/Query.graphql.swift"; do
    printf '%s\n' "// @generated" "// This file was automatically generated and should not be edited." "" \
      "import GraphQLAPI" > "$file"
  done
  "$codegen" generate --schema "$inputs/$1/schema.*" --operations "$inputs/$1/ops/**/*.graphql" --output "$old" \
    --access public --quiet --diagnostics xcode
  diff -rq --exclude Operations.swift "$2" "$old"
}

for fixture in "$fixtures"/[0-9]*/; do
  name=$(basename "$fixture")
  case $name in
    # A scalar that can only be read cannot be compared with what was sent.
    0021_DecodableScalars) continue ;;
    # There is no text of a document to be executed.
    0022_OperationIdentifiers) continue ;;
    # The random server knows no dates and addresses. MockTests has this code.
    0050_MappedScalars) continue ;;
    # The random server sends nulls without the errors that these models require. NullTests has this code.
    0060_Nulls) continue ;;
    # Local fields are written, and not sent.
    0043_LocalFields) continue ;;
  esac
  mkdir -p "$generated/Project${name%%_*}"
  for file in "$fixture"expected/*.swift; do update "$file" "$generated/Project${name%%_*}/$(basename "$file")"; done
  add "Project${name%%_*}" "$name" "$PWD/$fixture"
done

if [ -d "$shared/projects" ]; then
  shared=$(cd "$shared" && pwd)
  for project in "$shared"/projects/[a-z]*/; do
    name=$(basename "$project")
    cp -R "$project" "$inputs/$name"
    # What these two projects have wrong is held against tests of its own; here it is left out.
    case $name in
      saleor-storefront) # selects a field that the schema has not
        sed -i.before '/^mutation checkoutLineDelete(/,/^}/d' "$inputs/$name/ops/src/checkout/graphql/checkout.graphql" ;;
      swapi-graphiql-examples) # anonymous operations, and one fragment in two files
        (cd "$inputs/$name/ops/doc/example_queries"
         sed -i.before '/^fragment pilotFragment/,$d' 07_fragments.graphql
         for file in *.graphql; do sed -i.before "s/^{/query Example${file%%_*} {/" "$file"; done) ;;
    esac
    output=$generated/$(module "$name") is_compiled=1
    case $name in
      buildkite-terraform | kickstarter-android | saleor-storefront)
        if [ "${2:-}" != all ]; then
          rm -rf "$output"
          output=$inputs/$name/Generated is_compiled=
        fi ;;
    esac
    mkdir -p "$output"
    "$codegen" generate --schema "$inputs/$name/schema.*" --operations "$inputs/$name/ops/**/*.graphql" --output "$output" \
      --access public --quiet --diagnostics xcode 2> "$inputs/$name/log" || { cat "$inputs/$name/log"; exit 1; }
    over_apollo "$name" "$output"
    [ -z "$is_compiled" ] || add "$(module "$name")" "$name" "$shared/projects/$name"
  done
else
  scripts/left-out.sh "the code of public applications" "$shared/projects is not there"
fi

{
  echo "import Apollo"
  printf 'import %s\n' "${modules[@]}"
  echo "let projects: [(name: String, folder: String, operations: [any GraphQLOperation.Type])] = ["
  printf '%s\n' "${entries[@]}"
  echo "]"
} > "$inputs/Projects.swift"
update "$inputs/Projects.swift" $package/Sources/round-trip/Projects.swift

cat "$generated"/*/*.swift | wc -lc | awk '{ print $1 " lines, " $2 " bytes of generated code" }'
[ "${1:-}" != write ] || exit 0
scripts/swift.sh build --examples --quiet --product round-trip
bin=$PWD/.build/debug

check() { # module
  swiftc -typecheck -swift-version 6 -warnings-as-errors -I "$bin/Modules" \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
    -enable-upcoming-feature MemberImportVisibility -module-name "$1" "$generated/$1"/*.swift
}
export -f check
export bin generated
[ "${2:-}" != all ] || printf '%s\n' "${modules[@]}" | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I MODULE bash -c 'check MODULE'

"$bin/round-trip" "${1:-20}"
