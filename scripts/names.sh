#!/usr/bin/env bash
# Generates code for schemas and documents of names that mean something else in Swift, for every kind of module, and
# type-checks it with warnings as errors.
#
# usage: scripts/names.sh [all|every]
#
# Without an argument, every fourth configuration gets a few of the names, and all of them together a thirteenth. With `all`,
# each has every name as some kind of type, and with `every`, as every kind.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/swift.sh build --quiet --product apollo-codegen
for target in Apollo ApolloWebSocket ApolloTestSupport ApolloPagination ApolloSQLite; do scripts/swift.sh build --quiet --target "$target"; done
exec scripts/names.py .build/debug "${1:-some}"
