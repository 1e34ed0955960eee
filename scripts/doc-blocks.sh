#!/usr/bin/env bash
# Compiles the code blocks of the pages in Docs and of all DocC articles, and each guide as a whole program.
set -euo pipefail
cd "$(dirname "$0")/.."
pages=Tests/Documentation/Pages
python3 scripts/doc-blocks.py "$pages"
python3 scripts/guides.py Tests/Guides Tests/GuideTests "$pages/Manifests"
scripts/swift.sh build --examples --target Documentation
for guide in Tests/Guides/*/; do scripts/swift.sh build --examples --target "$(basename "$guide")"; done
for manifest in "$pages"/Manifests/*/; do
  swift package --package-path "$manifest" dump-package >/dev/null || { cat "$manifest/Package.swift" >&2; exit 1; }
done
echo "documentation: every block compiles"
