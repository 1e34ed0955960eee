#!/usr/bin/env bash
# The small examples. The plugins, as a user's package sees them: what they generate, what they leave alone, and how they complain.
set -euo pipefail
cd "$(dirname "$0")/.."
unset APOLLO_STRICT
fail() { echo "plugin-examples: $1" >&2; exit 1; }
backup=$(mktemp -d)
edited=()
edit() { # file: keeps it as it was, for the end
  mkdir -p "$backup/$(dirname "$1")"
  [ -f "$backup/$1" ] || cp -p "$1" "$backup/$1"
  edited+=("$1")
}
restore() {
  for file in ${edited[@]+"${edited[@]}"}; do cp "$backup/$file" "$file"; done
  edited=()
}
trap 'restore; rm -rf "$backup" Examples/BuildPlugin/Sources/Books/Generated' EXIT

# Both are built in one place, as they share everything but their own few files.
example() { swift "$1" --scratch-path Examples/.build --package-path "Examples/$2" "${@:3}"; }

echo "Build plugin"
package=Examples/BuildPlugin
show() { grep -E 'error|warning|✘' "$backup/log" | sort -u | head -20 >&2; }
output() { example run BuildPlugin --quiet Books 2> "$backup/log" || { show; fail "it does not run"; }; }
expected='schema 2026-11: Books {"genre":"FICTION"}
Dune, by Frank Herbert'
[ "$(output)" = "$expected" ] || fail "it printed $(output)"

generated=$(dirname "$(find Examples/.build/plugins -ipath '*/buildplugin/*' -name Books.graphql.swift | head -1)")
times() { (cd "$generated" && stat -c '%n %y' ./*.swift); }
before=$(times)
edit $package/Sources/Books/Lend.graphql
echo 'mutation Lend($book: ID!) { lend(book: $book) { title pages } }' > $package/Sources/Books/Lend.graphql
output > /dev/null
changed=$( (diff <(echo "$before") <(times) || true) | sed -n 's/^> \([^ ]*\).*/\1/p')
[ "$changed" = ./Lend.graphql.swift ] || fail "an edit of Lend.graphql rewrote: $changed"

echo 'mutation Lend($book: ID!) { lend(book: $book) { titel } }' > $package/Sources/Books/Lend.graphql
example build BuildPlugin > "$backup/log" 2>&1 && fail "a mistake in Lend.graphql was no error"
grep -q "/Sources/Books/Lend.graphql:1:49: error: Cannot query field \"titel\" on type \"Book\". Did you mean \"title\"?" "$backup/log" ||
  { show; fail "the mistake is not shown where it is"; }
restore
example test BuildPlugin --quiet > "$backup/log" 2>&1 || { show; fail "the tests with mocks fail"; }
mkdir $package/Sources/Books/Generated
cp "$generated/Lend.graphql.swift" $package/Sources/Books/Generated/
example build BuildPlugin > "$backup/log" 2>&1 && fail "a file in the way of a generated one was no error"
rm -r $package/Sources/Books/Generated
grep -q 'Books/Generated/Lend.graphql.swift stands in the way of what the plugin' "$backup/log" ||
  { show; fail "the file in the way is not named"; }

echo "Build plugin, with the schema's types in a target of their own"
expected='{"filter":{"genre":"FICTION"}}
Novels and stories
Dune, 412 pages
Stalker, due 2026-12-24'
# Otherwise what was planned for the other package is built again.
rm -f Examples/.build/debug.yaml Examples/.build/debug/description.json
output=$(example run SharedSchema --quiet Library 2> "$backup/log") || { show; fail "it does not run"; }
[ "$output" = "$expected" ] || fail "it printed $output"

echo "Feed: pages, likes, and a server that fails"
rm -f Examples/.build/debug.yaml Examples/.build/debug/description.json
output=$(example run Feed --quiet Feed 2> "$backup/log") || { show; fail "it does not run"; }
[ "$(grep -c . <<< "$output")" -gt 50 ] && grep -q 'Dennis: Hello, world.$' <<< "$(tail -1 <<< "$output")" ||
  fail "it printed $output"
example test Feed --quiet > "$backup/log" 2>&1 || { show; fail "its tests fail"; }

# It depends on a product whose documentation has a schema of its own.
grep -q '/FeedSchema/schema.graphqls' Examples/.build/debug.yaml || fail "the plan of the build does not name the schema"
grep -qE '\.docc/|ApolloPagination/.*\.graphqls' Examples/.build/debug.yaml && fail "files of another package are taken for the schema"

echo "Command plugin"
package=Examples/CommandPlugin
command() { example package CommandPlugin --allow-writing-to-package-directory apollo-codegen "$@" > "$backup/log" 2>&1; }
command generate --check || { show; fail "what is checked in is out of date"; }
file=$package/Sources/Books/GraphQL/BookDetails.graphql
result=$package/Sources/Books/Generated/Operations/BookDetails.graphql.swift
edit "$file"
edit "$result"
# A model with the fragment can be made of the fragment's fields.
edit "$package/Sources/Books/Generated/Operations/Shelf.graphql.swift"
sed -i 's/genre/genre id/' "$file"
command generate --check && fail "output that is out of date was not noticed"
grep -q 'BookDetails.graphql.swift' "$backup/log" || { show; fail "it does not say what is out of date"; }
cmp -s "$result" "$backup/$result" || fail "a check has written"
command || { show; fail "it does not generate"; }
grep -q 'var id: String' "$result" || fail "it has not written"
restore
example test CommandPlugin --quiet > "$backup/log" 2>&1 || { show; fail "its tests fail"; }
echo "Both plugins generate, leave alone what has not changed, and show mistakes where they are."
