#!/usr/bin/env bash
# What CI checks, and the proofs that are slow by nature: `make test-all`, before work is called done.
#
# usage: test-all.sh [STEP]      (the name of the step to begin with; "What is behind traits" is the first one behind `make test`)
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/steps.sh "$@"

step "What CI checks" scripts/test.sh

step "What is behind traits" scripts/traits.sh
step "JSON, compared with Python and Foundation" scripts/differential.sh 10000 2500
step "Front end, compared with graphql-core" scripts/oracle.sh 2000
step "Mocks, judged by graphql-core" scripts/mock-oracle.sh 1000
step "Mock server, judged by other clients" scripts/mock-judges.sh 60
step "Recorded cases of graphql-js" scripts/conformance.sh
step "Apple's systems, all of them" scripts/apple/check.py
step "Planted errors for Apple's systems" scripts/apple/check.py --planted
step "An Int of 32 bits" scripts/check-32-bits.py
step "All names" scripts/names.sh all
step "Real projects, with more responses" scripts/projects.sh 10 all
step "Random documents, for three minutes" scripts/random.sh 60 "$RANDOM" 180
step "Edits and ages at random" scripts/long-tests.sh
step "Styles of JSON" scripts/test-styles.sh 20
step "Thread sanitizer" scripts/tsan.sh
step "Address sanitizer" make test-asan
step "Processes that are stopped" make crash-test ROUNDS=40 SECONDS=10 DAMAGE=8
step "Fuzzing" scripts/fuzz-all.sh 60
# Optimized, as apps ship it: the optimizer has crashed on code that compiled without it.
step "Autobahn" scripts/autobahn.sh
step "Ten thousand requests" scripts/soak.sh 10000
step "Documentation as a site" scripts/docs.sh
step "Instructions" scripts/bench-instructions.sh
step "Size and cost of generated code" scripts/bench-codegen.py
finish
