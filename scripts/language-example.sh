#!/usr/bin/env bash
# The front end by itself: it depends on nothing else of the package; its example is the one that the documentation shows,
# prints what that says, and needs no Foundation to run.
set -euo pipefail
cd "$(dirname "$0")/.."
# What the product depends on, with all that this depends on. (That no file imports more, scripts/check-package.py checks.)
front_end=$(swift package dump-package | python3 -c '
import json, sys
package = json.load(sys.stdin)
targets = {target["name"]: target for target in package["targets"]}
found, rest = set(), next(product["targets"] for product in package["products"] if product["name"] == "GraphQLLanguage")
while rest:
    name = rest.pop()
    found.add(name)
    rest += [part[0] for item in targets.get(name, {"dependencies": []})["dependencies"] for part in item.values()]
print(*sorted(found))')
article=Sources/GraphQLValidation/GraphQLValidation.docc/GraphQLValidation.md
main=Examples/Language/Sources/check-query/main.swift
fail() { echo "language-example: $1" >&2; exit 1; }

# Code blocks of the article: first the program, then its output.
block() { awk -v wanted="$1" '/^```/ {inside = !inside; if (inside) n++; next} inside && n == wanted' "$article"; }
diff <(block 1) "$main" >&2 || fail "$article does not show $main"

[ "$front_end" = "ForeignText GraphQLJSON GraphQLSchema GraphQLSyntax GraphQLValidation" ] || fail "the front end needs $front_end"

scripts/swift.sh build --examples --product check-query
binary=.build/debug/check-query
diff <(block 2) <("$binary" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}') >&2 || fail "$article says that it prints something else"

if command -v ldd >/dev/null && ldd "$binary" | grep -i foundation >&2; then
  fail "the front end needs Foundation"
fi
echo "The front end's example prints what its documentation says, and links no Foundation."
