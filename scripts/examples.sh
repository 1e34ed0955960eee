#!/usr/bin/env bash
# Builds the package in Examples with all that development needs of it, or runs its tests: examples.sh [test]
# Sourced with the argument `settings`, it only sets what a build of that package needs.
set -euo pipefail

if [ "${1:-}" = settings ]; then
  # The examples are users of the package: their build does not follow the package's own strictness.
  unset APOLLO_STRICT
  export APOLLO_DEVELOPMENT=1
  # SwiftPM passes the traits to the compiler in the order of a Set. Without this, each build may have another order, and
  # compiles everything again.
  export SWIFT_DETERMINISTIC_HASHING=1
  # `swift build` and the like in that package, as all of its builds are: without what only debuggers read.
  in_examples() { swift "$1" --package-path Examples -debug-info-format none "${@:2}"; }
  return 0
fi

cd "$(dirname "$0")/.."
if [ "${1:-}" != test ]; then
  # What is made of pages, documents and applications comes first, so that one build has all of it. The generator that
  # makes it is the package's own, built as strictly as the package.
  python3 scripts/readme.py README.md
  python3 scripts/doc-blocks.py Tests/Documentation/Pages
  python3 scripts/guides.py Tests/Guides Tests/GuideTests Tests/Documentation/Pages/Manifests
  scripts/document-samples.sh write
  scripts/projects.sh write
fi
source scripts/examples.sh settings
if [ "${1:-}" = test ]; then
  exec scripts/run-tests.py --package-path Examples
fi
in_examples build --build-tests
