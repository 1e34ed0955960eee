#!/usr/bin/env bash
# Runs the tests that have a response in many styles of JSON: test-styles.sh STYLES [SEED]
# A failure names its style, and how to see that one alone.
set -euo pipefail
cd "$(dirname "$0")/.."
export APOLLO_STYLES=${1:-200} APOLLO_STYLE_SEED=${2:-$(date +%s)}
echo "$APOLLO_STYLES styles from seed $APOLLO_STYLE_SEED on"
scripts/swift.sh build --quiet --build-tests
scripts/run-tests.py \
  --filter 'ApolloAPITests|ApolloFoundationTests|ApolloCacheTests|CacheBehaviorTests|GeneratedCodeTests|ApolloTests|ApolloHTTPTests|ApolloWebSocketTests' \
  2>&1 | grep -vE '^(◇|✔ Test (case|"))'
