#!/usr/bin/env bash
# Builds and runs the Star Wars example.
set -euo pipefail
cd "$(dirname "$0")/.."
# The example is a user of the package: its build does not follow the package's own strictness.
unset APOLLO_STRICT
echo "Building Examples/StarWars (the first time takes some minutes) …"
swift build --package-path Examples -debug-info-format none --product StarWars
exec "$(swift build --package-path Examples --show-bin-path)/StarWars" "$@"
