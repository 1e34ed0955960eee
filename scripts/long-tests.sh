#!/usr/bin/env bash
# The tests of random cases, of floods and of hostile files, with EFFORT times as many cases as `make test` has, and those that
# take long: of memory, of large files, of servers that start again.
#
# usage: long-tests.sh [EFFORT]      (8)
set -euo pipefail
cd "$(dirname "$0")/.."
effort=${1:-8}
scripts/swift.sh build --quiet --build-tests
filters='ApolloCacheTests|CacheBehaviorTests|ApolloSQLiteTests|OutboxTests.*(HostileFile|GuessProperty|Random)Tests|ApolloWebSocketTests.FloodTests'
filters+='|ApolloPaginationTests.ScheduleTests|ApolloTests.FeudTests|ApolloAPITests.ReaderTests|ApolloCodegenLibTests.BadInputTests'
APOLLO_EFFORT=$effort APOLLO_RANDOM_OPERATIONS=$((effort * 40)) APOLLO_RANDOM_EDITS=$((effort * 400)) \
  APOLLO_RANDOM_AGE_STEPS=$((effort * 800)) \
  scripts/run-tests.py --stall 900 --filter "$filters"
APOLLO_EFFORT=$(((effort + 1) / 2)) scripts/run-tests.py --stall 900 \
  --filter 'ApolloHTTPTests.(MemoryLimitTests|TranscriptTests|.*FoundationLimitTests)|ApolloWebSocketTests.PeerTests'
