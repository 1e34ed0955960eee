#!/usr/bin/env bash
# Runs some suites again and again, and stops at the first failure.
#
# usage: stress.sh SUITE [TIMES] [LOADED]
#
# SUITE is a regular expression, as `swift test --filter` takes it: a target, a suite, a test. TIMES is 20. With LOADED=1,
# four loops keep the processor busy meanwhile. PACKAGE=Examples runs the tests of the examples; with
# APOLLO_TRAITS=1, also those of what is behind traits.
set -euo pipefail
cd "$(dirname "$0")/.."
suite=${1:-} times=${2:-20} loaded=${3:-}
package=${PACKAGE:-.}
[ -n "$suite" ] || { echo "stress: say which tests, such as SUITE=OutboxTests" >&2; exit 2; }
examples=()
[ "$package" = . ] || examples=(--examples)
scripts/swift.sh build ${examples[@]+"${examples[@]}"} --quiet --build-tests

loops=()
trap '[ ${#loops[@]} -eq 0 ] || kill "${loops[@]}" 2>/dev/null || true' EXIT
if [ -n "$loaded" ]; then
  for _ in 1 2 3 4; do
    (while :; do :; done) &
    loops+=($!)
  done
fi

for ((run = 1; run <= times; run++)); do
  printf '%s, %d of %d%s: ' "$suite" "$run" "$times" "${loaded:+, beside four busy loops}"
  scripts/run-tests.py ${examples[@]+"${examples[@]}"} --quiet --filter "$suite"
done
