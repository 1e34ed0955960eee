#!/usr/bin/env bash
# Generates the Swift of the query that fuzzing and the comparison with other readers use.
set -euo pipefail
cd "$(dirname "$0")/../Fuzzing"
swift run --package-path .. apollo-codegen generate --schema 'Sources/FuzzModels/*.graphqls' \
  --operations 'Sources/FuzzModels/*.graphql' --output Sources/FuzzModels/Generated --access public
