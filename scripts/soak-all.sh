#!/usr/bin/env bash
# What runs for hours: `make soak-all`.
#
# usage: soak-all.sh [STEP]      (the name of the step to begin with)
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/steps.sh "$@"

step "Fuzzing" scripts/fuzz-all.sh 1200
step "JSON, compared with Python and Foundation" scripts/differential.sh 100000 20000
step "Front end, compared with graphql-core" scripts/oracle.sh 20000
step "Mocks, judged by graphql-core" scripts/mock-oracle.sh 10000
step "Mock server, judged by other clients" scripts/mock-judges.sh 600
step "Real projects, with many responses" scripts/projects.sh 100 all
step "Random documents, for an hour" scripts/random.sh 60 "$RANDOM" 3600
step "Every name as every kind of type" scripts/names.sh every
step "Edits and ages at random" scripts/long-tests.sh 25
step "Edits at random" make test-edits
step "Ages at random" make test-ages
step "A million records" make test-cache
step "Two hundred styles of JSON" scripts/test-styles.sh 200
step "Thread sanitizer, for minutes" env APOLLO_STRESS_SECONDS=60 scripts/tsan.sh
step "Processes that are stopped" make crash-test ROUNDS=500 SECONDS=60
step "Ten thousand requests" scripts/soak.sh 10000
step "A million arguments" scripts/soak.sh cache 1000000
step "Collecting among a million records" scripts/soak.sh collection 1000000
step "A million events" make soak-websocket
finish
