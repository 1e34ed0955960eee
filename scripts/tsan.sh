#!/usr/bin/env bash
# The parts that several threads use, under Thread Sanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."
for tests in ApolloAPITests ApolloCacheTests ApolloTests ApolloWebSocketTests; do
  swift test --sanitize=thread --scratch-path .build-tsan --filter "$tests"
done
