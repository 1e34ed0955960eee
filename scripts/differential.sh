#!/usr/bin/env bash
# Compares how we read JSON with two other readers.
set -euo pipefail
cd "$(dirname "$0")/.."
unset APOLLO_STRICT
swift build --package-path Fuzzing -c release --product json-verdicts
python3 scripts/differential-json.py "$(swift build --package-path Fuzzing -c release --show-bin-path)/json-verdicts" "${1:-100000}"
