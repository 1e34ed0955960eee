#!/usr/bin/env bash
# Compiles the code blocks of the pages in Docs and of all DocC articles, and each guide as a whole program.
set -euo pipefail
cd "$(dirname "$0")/.."
pages=Tests/Documentation/Pages
python3 scripts/doc-blocks.py "$pages"
python3 scripts/guides.py Tests/Guides Tests/GuideTests "$pages/Manifests"
# (All targets of the examples, with those of the pages and the guides.)
scripts/swift.sh build --examples --build-tests
read_manifest() { swift package --package-path "$1" dump-package > /dev/null || { cat "$1/Package.swift" >&2; exit 1; }; }
export -f read_manifest
printf '%s\n' "$pages"/Manifests/*/ | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I MANIFEST bash -c 'read_manifest MANIFEST'
echo "documentation: every block compiles"
