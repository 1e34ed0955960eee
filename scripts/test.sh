#!/usr/bin/env bash
# What CI checks on Linux: `make test`. CONTRIBUTING.md says what belongs here and what in scripts/test-all.sh.
#
# usage: test.sh [STEP]      (the name of the step to begin with, as the last run printed it)
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/steps.sh "$@"
# Where nothing is built yet (see scripts/swift.sh).
[ -e .build ] || { mkdir .build && touch .build/whole-modules; }
APOLLO_FAILURES=$(mktemp)
export APOLLO_FAILURES

# The package itself. The servers that its tests talk to are installed while it is built.
[ -z "$steps_from" ] || scripts/bootstrap.sh peers
begin "Servers of other projects" scripts/bootstrap.sh peers
begin "Lint" scripts/lint.sh
step "Building the package" scripts/swift.sh build --build-tests
end_begun
# (Unless the steps to run begin later.)
[ -n "$steps_from" ] || export APOLLO_BUILT=.
# Suites whose tests come one after the other would end long after all others.
serial='CacheBehaviorTests|DiskTests|ProcessTests|HostileFileTests|MemoryLimitTests|FloodTests|SoakTests'
serial+='|CollectionSliceTests|CollectionModelTests|LongChainTests|FetchSchemaTests|FetchSafetyTests|StartTests'
# What waits leaves a processor to what does not.
begin "Tests of the package, in turn" scripts/run-tests.py --quiet --filter "$serial"
begin "Names" scripts/names.sh
begin "Code of apps" scripts/apps.sh
step "Tests of the package" scripts/run-tests.py --skip "$serial"
end_begun
begin "Public declarations" python3 scripts/api.py --check

# What uses the package, all of it in one package and one build folder.
step "Building the examples" scripts/examples.sh
end_begun
[ -n "$steps_from" ] || export APOLLO_BUILT=". Examples"
begin "Apple's systems" scripts/apple/check.py --quick
step "Tests of the examples" scripts/examples.sh test
step "Documents' samples" scripts/document-samples.sh
step "Real projects" scripts/projects.sh read 1
step "GraphQL front end alone" scripts/language-example.sh
step "README" scripts/readme.sh
step "Documentation" scripts/doc-blocks.sh
step "Plugins" scripts/plugin-examples.sh
step "Star Wars example" scripts/demo.sh --development
end_begun
finish
