#!/usr/bin/env bash
# The front end by itself: its example builds without the rest of the package, is the one that the documentation shows,
# prints what that says, and needs no Foundation to run.
set -euo pipefail
cd "$(dirname "$0")/.."
unset APOLLO_STRICT
article=Sources/GraphQLValidation/GraphQLValidation.docc/GraphQLValidation.md
main=Examples/Language/Sources/check-query/main.swift
fail() { echo "language-example: $1" >&2; exit 1; }

# Code blocks of the article: first the program, then its output.
block() { awk -v wanted="$1" '/^```/ {inside = !inside; if (inside) n++; next} inside && n == wanted' "$article"; }
diff <(block 1) "$main" >&2 || fail "$article does not show $main"

swift build --package-path Examples/Language
binary="$(swift build --package-path Examples/Language --show-bin-path)/check-query"
diff <(block 2) <("$binary" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}') >&2 || fail "$article says that it prints something else"

if command -v ldd >/dev/null && ldd "$binary" | grep -i foundation >&2; then
  fail "the front end needs Foundation"
fi
for module in "$(dirname "$binary")"/Modules/*.swiftmodule; do
  case "$(basename "$module" .swiftmodule)" in
    ForeignText | GraphQLJSON | GraphQLSyntax | GraphQLSchema | GraphQLValidation | check_query) ;;
    *) fail "the front end builds $module" ;;
  esac
done
echo "The front end's example prints what its documentation says, and links no Foundation."
