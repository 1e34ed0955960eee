#!/usr/bin/env bash
# Measures speed and memory. The data comes from the reference folder beside the project.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/bench-build.sh
"$bench" "$@"
"$bench" --heap
"$bench" --overhead
