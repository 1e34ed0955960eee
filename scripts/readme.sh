#!/usr/bin/env bash
# Compiles the code blocks of the README, as a part of the Star Wars example, and checks that its manifest is one.
set -euo pipefail
cd "$(dirname "$0")/.."
unset APOLLO_STRICT
example=Examples/StarWars
target=$example/Sources/Readme
python3 scripts/readme.py README.md "$target"
# The same operations and schema as the example's, and the README's own.
for file in "$example"/Sources/StarWars/*.graphqls "$example"/Sources/StarWars/Fragments/*.graphql \
  "$example"/Sources/StarWars/Operations/{HeroName,RenameCharacter,ReviewAdded}.graphql; do
  cmp -s "$file" "$target/$(basename "$file")" || cp "$file" "$target/"
done
(cd "$example" && APOLLO_README=1 swift build --target Readme)
(cd "$example/.build/readme" && swift package dump-package >/dev/null)
echo "README.md: every block compiles"
