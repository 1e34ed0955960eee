#!/usr/bin/env bash
# The tests of random cases, with ten times as many cases as `make test` has.
set -euo pipefail
cd "$(dirname "$0")/.."
swift build --quiet --build-tests
APOLLO_EFFORT=10 APOLLO_RANDOM_EDITS=10000 APOLLO_RANDOM_AGE_STEPS=20000 \
  scripts/run-tests.py --stall 900 --filter 'ApolloCacheTests|CacheBehaviorTests|ApolloSQLiteTests|OutboxTests.*HostileFileTests'
