#!/usr/bin/env bash
# Compiles the code blocks of the pages in Docs and of all DocC articles.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/examples.sh settings
pages=Tests/Documentation/Pages
python3 scripts/doc-blocks.py "$pages"
in_examples build --target Documentation
for manifest in "$pages"/Manifests/*/; do
  swift package --package-path "$manifest" dump-package >/dev/null || { cat "$manifest/Package.swift" >&2; exit 1; }
done
echo "documentation: every block compiles"
