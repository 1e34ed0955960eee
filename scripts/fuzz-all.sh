#!/usr/bin/env bash
# Each fuzzer for some seconds: fuzz-all.sh SECONDS
set -euo pipefail
cd "$(dirname "$0")/.."
for target in response syntax tables; do
  echo "fuzz: $target, for $1 seconds"
  log=$(mktemp)
  scripts/fuzz.sh "$target" "$1" > "$log" 2>&1 || { tail -60 "$log" >&2; exit 1; }
  grep -E '^stat::number_of_executed_units' "$log"
  rm -f "$log"
done
