#!/usr/bin/env bash
# Builds and runs the Star Wars example.
#
# usage: demo.sh [--development]      (as it is built for the tests of all examples, in place of an app's build)
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = --development ]; then
  shift
  build() { scripts/swift.sh build --examples "$@"; }
else
  build() { swift build --package-path Examples -debug-info-format none "$@"; }
  echo "Building Examples/StarWars (the first time takes some minutes) …"
fi
build --product StarWars
exec "$(build --show-bin-path)/StarWars" "$@"
