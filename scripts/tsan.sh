#!/usr/bin/env bash
# The parts that several threads use, under Thread Sanitizer: tsan.sh [TEST-TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."
# Sixteen tasks use one cache for so long.
export APOLLO_STRESS_SECONDS="${APOLLO_STRESS_SECONDS:-20}"
export TSAN_OPTIONS="suppressions=$PWD/Tests/thread-sanitizer-suppressions.txt ${TSAN_OPTIONS:-}"
# (HostileInputTests nest as deep as is allowed; the sanitizer's frames of that many do not fit a thread's stack.
# MemoryLimitTests and FloodTests give a process little address space, and the sanitizer needs terabytes of it.)
suites=(ApolloAPITests ApolloCacheTests ApolloPaginationTests ApolloTests ApolloHTTPTests AppPiecesTests ApolloWebSocketTests TransportTests ApolloSQLiteTests OutboxTests ApolloMocksTests ApolloUITests)
if [ $# -gt 0 ]; then suites=("$@"); fi
APOLLO_SANITIZER=thread scripts/swift.sh build --build-tests
export APOLLO_BUILT=.
# (A process for each of them.)
for tests in "${suites[@]}"; do
  scripts/run-tests.py --sanitize thread --stall 600 --quiet --experimental-maximum-parallelization-width 4 \
    --filter "$tests" --skip HostileInputTests --skip MemoryLimitTests --skip FloodTests
done
