#!/usr/bin/env bash
# Builds the package in Examples with all that development needs of it, or runs its tests: examples.sh [test]
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = test ]; then
  exec scripts/run-tests.py --examples
fi
# What is made of pages, documents and applications comes first, so that one build has all of it.
python3 scripts/readme.py README.md
python3 scripts/doc-blocks.py Tests/Documentation/Pages
python3 scripts/guides.py Tests/Guides Tests/GuideTests Tests/Documentation/Pages/Manifests
scripts/document-samples.sh write
scripts/projects.sh write
scripts/random.sh write
scripts/swift.sh build --examples --build-tests
