#!/usr/bin/env bash
# Counts instructions, which do not depend on what else the machine does, and compares them with the budgets.
#
# usage: bench-instructions.sh [WORDS…]      only the cases whose names contain one of the words
set -euo pipefail
[ "$(uname)" = Linux ] || { echo "bench-instructions: needs Linux: it counts with valgrind" >&2; exit 1; }
cd "$(dirname "$0")/.."
command -v valgrind >/dev/null || { echo "bench-instructions: needs valgrind (apt-get install valgrind)" >&2; exit 1; }
source scripts/bench-build.sh
# Without debug information, which valgrind cannot always read.
stripped=Benchmarks/.build/bench-stripped
strip -o "$stripped" "$bench"
names=$("$bench" --list)
heap=$("$bench" --heap)

# How many instructions a case takes: name, number of runs
count() {
  # Hashes with a fixed seed, so that two runs take the same way through tables.
  SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null "$stripped" --once "$1" "$2" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

# Instructions a byte of a case, or bytes of memory a byte: name
cost() {
  awk -F'\t' -v name="$1" '$2 == name {print $1; found = 1} END {exit !found}' <<< "$heap" && return
  local bytes few
  bytes=$(awk -F'\t' -v name="$1" '$2 == name {print $1}' <<< "$names")
  [ -n "$bytes" ] || { echo "bench-instructions: no case '$1'" >&2; exit 1; }
  # So many runs that preparing the data, which varies a little, does not show.
  few=$((1 + 200000 / bytes))
  awk -v a="$(count "$1" "$few")" -v b="$(count "$1" $((few * 6)))" -v n=$((bytes * few * 5)) \
    'BEGIN {printf "%.2f", (b - a) / n}'
}

# Whether a case is to be counted: name
wanted() {
  [ ${#words[@]} -gt 0 ] || return 0
  local word
  for word in "${words[@]}"; do [[ "$1" != *"$word"* ]] || return 0; done
  return 1
}

words=("$@")
status=0
printf '%-45s %10s %8s\n' case 'per byte' budget
while IFS=$'\t' read -r budget name; do
  case "$budget" in '#'* | '') continue ;; esac
  wanted "$name" || continue
  case "$name" in
    github* | 'validate introspection query') [ -f "$APOLLO_BENCHMARK_DATA/github.graphql" ] || continue ;;
  esac
  # What runs in several tasks varies a little, and a table that grows within the count adds much: the least is the cost.
  least=
  for _ in 1 2 3; do
    cost=$(cost "$name")
    least=$(awk -v a="$cost" -v b="${least:-$cost}" 'BEGIN {print (a < b) ? a : b}')
    over=$(awk -v a="$least" -v b="$budget" 'BEGIN {print (a > b) ? "  OVER" : ""}')
    [ -n "$over" ] || break
  done
  printf '%-45s %10s %8s%s\n' "$name" "$least" "$budget" "$over"
  [ -z "$over" ] || status=1
done < Benchmarks/budgets.txt
exit $status
