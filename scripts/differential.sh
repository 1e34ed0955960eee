#!/usr/bin/env bash
# Compares how we read JSON with two other readers, and typed reading with an evaluation in Python.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/fuzz-models.sh
swift build --package-path Fuzzing -c release --product json-verdicts
program="$(swift build --package-path Fuzzing -c release --show-bin-path)/json-verdicts"
python3 scripts/differential-json.py "$program" "${1:-100000}"
python3 scripts/differential-typed.py "$program" "${2:-20000}"
