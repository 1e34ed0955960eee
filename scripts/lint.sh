#!/usr/bin/env bash
# House rules that a program can check.
set -uo pipefail
cd "$(dirname "$0")/.."
status=0
complain() {
  echo "lint: $1" >&2
  status=1
}

sources=$(git ls-files '*.swift' | grep -vE '(\.graphql\.swift$|/Fixtures/|/Generated/)')

# 1. Formatting
# (Long literals in tests are what they are: a response, an expected text.)
output=$(echo "$sources" | xargs swift format lint --strict --parallel 2>&1 | grep -vE '^(Tests|Benchmarks|Fuzzing|Package\.swift).*\[LineLength\]')
if [ -n "$output" ]; then
  echo "$output" | head -40 >&2
  complain "formatting differs; run 'make format'"
fi

# 2. No Foundation where generated code, or the front end, must do without it
for target in GraphQLSyntax GraphQLSchema GraphQLValidation GraphQLExecution ApolloIR ApolloSwiftRenderer ApolloAPI; do
  if grep -rnE '^\s*(public |package |internal |private |@_exported )*import (Foundation|FoundationEssentials|Dispatch)\b' "Sources/$target"; then
    complain "$target must not import Foundation"
  fi
done

# 3. Files that have grown too long to read
for file in $sources; do
  lines=$(wc -l < "$file")
  if [ "$lines" -gt 400 ] && ! head -5 "$file" | grep -q 'over 400 lines'; then
    complain "$file has $lines lines; split it, or say why in its first lines"
  fi
done

exit $status
