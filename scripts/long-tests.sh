#!/usr/bin/env bash
# The tests of random cases, of floods and of hostile files, with 25 times as many cases as `make test` has, and those that
# take long: of memory, of large files, of servers that start again.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/swift.sh build --quiet --build-tests
filters='ApolloCacheTests|CacheBehaviorTests|ApolloSQLiteTests|OutboxTests.*(HostileFile|GuessProperty|Random)Tests|ApolloWebSocketTests.FloodTests'
filters+='|ApolloPaginationTests.ScheduleTests|ApolloTests.FeudTests|ApolloAPITests.ReaderTests|ApolloCodegenLibTests.BadInputTests'
APOLLO_EFFORT=25 APOLLO_RANDOM_OPERATIONS=1000 APOLLO_RANDOM_EDITS=10000 APOLLO_RANDOM_AGE_STEPS=20000 \
  scripts/run-tests.py --stall 900 --filter "$filters"
APOLLO_EFFORT=10 scripts/run-tests.py --stall 900 \
  --filter 'ApolloHTTPTests.(MemoryLimitTests|TranscriptTests|.*FoundationLimitTests)|ApolloWebSocketTests.PeerTests'
