#!/usr/bin/env bash
# The small examples. The plugins, as a user's package sees them: what they generate, what they leave alone, and how they complain.
set -euo pipefail
cd "$(dirname "$0")/.."
# It builds after edits.
unset APOLLO_BUILT
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
trap 'restore; rm -rf "$backup" Examples/BuildPlugin/Sources/Books/{Draft.graphql,NextDraft.graphql,Generated}' EXIT

show() { # what a command complained about, or, if it said nothing of the kind, the end of what it said
  (grep -E 'error|warning|✘' "$backup/log" || tail -20 "$backup/log") | sort -u | head -20 >&2
}
run() { scripts/swift.sh run --examples --quiet "$1" 2> "$backup/log" || { show; fail "$1 does not run"; }; }

echo "Build plugin"
package=Examples/BuildPlugin
expected='schema 2026-11: Books {"genre":"FICTION"}
Dune, by Frank Herbert'
output=$(run Books)
[ "$output" = "$expected" ] || fail "it printed $output"

generated=$(dirname "$(find .build/plugins -path '*/Books/*' -name Books.graphql.swift | head -1)")
times() { (cd "$generated" && stat -c '%n %y' ./*.swift); }
before=$(times)
edit $package/Sources/Books/Lend.graphql
echo 'mutation Lend($book: ID!) { lend(book: $book) { title pages } }' > $package/Sources/Books/Lend.graphql
run Books > /dev/null
changed=$( (diff <(echo "$before") <(times) || true) | sed -n 's/^> \([^ ]*\).*/\1/p')
[ "$changed" = ./Lend.graphql.swift ] || fail "an edit of Lend.graphql rewrote: $changed"

echo 'mutation Lend($book: ID!) { lend(book: $book) { titel } }' > $package/Sources/Books/Lend.graphql
scripts/swift.sh build --examples --product Books > "$backup/log" 2>&1 && fail "a mistake in Lend.graphql was not an error"
grep -q "/Sources/Books/Lend.graphql:1:49: error: Cannot query field \"titel\" on type \"Book\". Did you mean \"title\"?" "$backup/log" ||
  { show; fail "the mistake is not shown where it is"; }
restore
mkdir $package/Sources/Books/Generated
cp "$generated/Lend.graphql.swift" $package/Sources/Books/Generated/
scripts/swift.sh build --examples --product Books > "$backup/log" 2>&1 && fail "a file in the way of a generated one was not an error"
rm -r $package/Sources/Books/Generated
grep -q 'Books/Generated/Lend.graphql.swift stands in the way of what the plugin' "$backup/log" ||
  { show; fail "the file in the way is not named"; }

# A document that is only begun breaks nothing.
echo > $package/Sources/Books/Draft.graphql
echo '# soon: query Draft { books { title } }' > $package/Sources/Books/NextDraft.graphql
[ "$(run Books)" = "$expected" ] || fail "with two drafts it prints something else"
for draft in Draft NextDraft; do
  head -1 "$generated/$draft.graphql.swift" | grep -q '^// @generated' || fail "a draft has no Swift file"
done
rm $package/Sources/Books/{Draft,NextDraft}.graphql

echo "Build plugin, with the schema's types in a target of their own"
expected='{"filter":{"genre":"FICTION"}}
Novels and stories
Dune, 412 pages
Stalker, due 2026-12-24'
output=$(run Library)
[ "$output" = "$expected" ] || fail "it printed $output"

echo "Feed: pages, likes, and a server that fails"
output=$(run Feed)
[ "$(grep -c . <<< "$output")" -gt 50 ] && grep -q 'Dennis: Hello, world.$' <<< "$(tail -1 <<< "$output")" ||
  fail "it printed $output"

# It depends on a product whose documentation has a schema of its own.
grep -q '/FeedSchema/schema.graphqls' .build/debug.yaml || fail "the plan of the build does not name the schema"
grep -qE '\.docc/|ApolloPagination/.*\.graphqls' .build/debug.yaml && fail "files of another package are taken for the schema"

echo "Command plugin"
package=Examples/CommandPlugin
configuration=CommandPlugin/apollo-codegen-config.json
command() {
  scripts/swift.sh package --examples --allow-writing-to-package-directory apollo-codegen generate --path "$configuration" "$@" \
    > "$backup/log" 2>&1
}
command --check || { show; fail "what is checked in is out of date"; }
file=$package/Sources/Shelves/GraphQL/BookDetails.graphql
result=$package/Sources/Shelves/Generated/Operations/BookDetails.graphql.swift
edit "$file"
edit "$result"
# A model with the fragment can be made of the fragment's fields.
edit "$package/Sources/Shelves/Generated/Operations/Shelf.graphql.swift"
sed -i 's/genre/genre id/' "$file"
command --check && fail "output that is out of date was not noticed"
grep -q 'BookDetails.graphql.swift' "$backup/log" || { show; fail "it does not say what is out of date"; }
cmp -s "$result" "$backup/$result" || fail "a check has written"
command || { show; fail "it does not generate"; }
grep -q 'var id: String' "$result" || fail "it has not written"
restore
echo "Both plugins generate, leave alone what has not changed, and show mistakes where they are."
