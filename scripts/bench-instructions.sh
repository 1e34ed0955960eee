#!/usr/bin/env bash
# Counts instructions, which do not depend on what else the machine does, and compares them with the budgets.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v valgrind >/dev/null || { echo "bench-instructions: needs valgrind (apt-get install valgrind)" >&2; exit 1; }
source scripts/bench-build.sh
# Without debug information, which valgrind cannot always read.
stripped=Benchmarks/.build/bench-stripped
strip -o "$stripped" "$bench"
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$stripped" --once "$1" "$2" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
status=0
printf '%-45s %10s %8s\n' case instr/byte budget
while IFS=$'\t' read -r budget name; do
  case "$budget" in '#'* | '') continue ;; esac
  bytes=$("$bench" --list | awk -F'\t' -v name="$name" '$2 == name {print $1}')
  [ -n "$bytes" ] || { echo "bench-instructions: no case '$name'" >&2; status=1; continue; }
  few=$(count "$name" 2)
  many=$(count "$name" 7)
  per_byte=$(awk -v a="$few" -v b="$many" -v n="$bytes" 'BEGIN {printf "%.1f", (b - a) / 5 / n}')
  over=$(awk -v a="$per_byte" -v b="$budget" 'BEGIN {print (a > b) ? "  OVER" : ""}')
  printf '%-45s %10s %8s%s\n' "$name" "$per_byte" "$budget" "$over"
  [ -z "$over" ] || status=1
done < Benchmarks/budgets.txt
exit $status
