#!/usr/bin/env bash
# Every test: the package's own, and the examples as a user would build them.
set -euo pipefail
cd "$(dirname "$0")/.."
step() {
  current=$1
  printf '\n\033[1m== %s\033[0m\n' "$1"
}
# What failed stands at the end, where one looks first.
log=$(mktemp)
failed() {
  printf '\n\033[1m== Failed: %s\033[0m\n' "$current"
  [ "$current" = Package ] || return 0
  grep -E -A 3 'recorded an issue|^[^ ]*error:|Fatal error|Received signal|did not end within' "$log" | grep -v '^[◇✔]' | head -60 || true
  scripts/unended-tests.py "$log"
}
trap failed ERR
watchdog=
trap 'rm -f "$log"; [ -z "$watchdog" ] || pkill -P "$watchdog" || true' EXIT

step "Package"
swift build --build-tests
# A few tests at a time: all at once, those that hear from sockets would starve beside those that compute.
# A test that never ends would hide which one it is: the tests are stopped after 20 minutes, seven times what they take.
(sleep 1200 && pkill -f "$PWD/.build/.*PackageTests.xctest" && echo "The tests did not end within 20 minutes." >>"$log") &
watchdog=$!
swift test --skip-build --parallel --experimental-maximum-parallelization-width 6 2>&1 | tee "$log"
pkill -P "$watchdog" || true
watchdog=

step "Public declarations"
python3 scripts/api.py --check

# Optimized, as apps ship it: the optimizer has crashed on code that compiled without it.
step "Release build"
(unset APOLLO_STRICT && swift build -c release --target ApolloWebSocket)

step "Code for Apple's systems"
scripts/apple/check.py --quick

step "JSON, compared with Python and Foundation"
(unset APOLLO_STRICT && scripts/differential.sh 5000 2000)

step "Document samples"
scripts/document-samples.sh

step "Code of apps"
scripts/apps.sh

step "Star Wars server"
(unset APOLLO_STRICT && swift test --package-path Examples/StarWars --parallel)

step "GraphQL front end alone"
scripts/language-example.sh

step "Real projects"
scripts/projects.sh 5

step "Random documents"
scripts/random.sh 25 1

step "Names"
scripts/names.sh

step "Plugins"
scripts/plugin-examples.sh

step "README"
scripts/readme.sh

step "Star Wars example"
scripts/demo.sh

step "Traits: secure WebSockets, requests by AsyncHTTPClient"
(unset APOLLO_STRICT && swift test --package-path Tests/WithTraits)

step "Documentation"
scripts/doc-blocks.sh
