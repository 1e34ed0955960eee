#!/usr/bin/env bash
# Compiles the code blocks of the README, and checks that its manifest is one.
set -euo pipefail
cd "$(dirname "$0")/.."
python3 scripts/readme.py README.md
scripts/swift.sh build --examples --target Readme
swift package --package-path Tests/Readme/Manifest dump-package >/dev/null
echo "README.md: every block compiles"
