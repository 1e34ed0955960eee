#!/usr/bin/env bash
# Measures speed. The data comes from the reference folder beside the project.
set -euo pipefail
cd "$(dirname "$0")/../Benchmarks"
unset APOLLO_STRICT
shared=${APOLLO_SHARED:-../../shared}
data=.build/benchmark-data
if [ ! -f "$data/data/people_large.json" ]; then
  if [ ! -f "$shared/performance/generate_data.py" ]; then
    echo "bench: skipped: $shared/performance is not there (set APOLLO_SHARED)" >&2
    exit 0
  fi
  generator=$(realpath "$shared/performance/generate_data.py")
  mkdir -p "$data"
  (cd "$data" && python3 "$generator")
fi
swift build -c release --product bench
APOLLO_BENCHMARK_DATA="$data/data" "$(swift build -c release --show-bin-path)/bench" "$@"
