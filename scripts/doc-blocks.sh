#!/usr/bin/env bash
# Compiles the code blocks of the pages in Docs and of all DocC articles.
set -euo pipefail
cd "$(dirname "$0")/.."
unset APOLLO_STRICT
pages=Tests/WithTraits/Documentation/Pages
python3 scripts/doc-blocks.py "$pages"
APOLLO_DOCUMENTATION=1 swift build --package-path Tests/WithTraits --target Documentation
for manifest in "$pages"/Manifests/*/; do
  swift package --package-path "$manifest" dump-package >/dev/null || { cat "$manifest/Package.swift" >&2; exit 1; }
done
echo "documentation: every block compiles"
