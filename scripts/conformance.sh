#!/usr/bin/env bash
# Runs the recorded cases of the reference implementation: conformance.sh [DIR…] [--verbose] [--reworded]
set -euo pipefail
cd "$(dirname "$0")/.."
recordings=$(realpath -q "${APOLLO_SHARED:-../shared}")/conformance
case "${1:--}" in -*)
  [ -d "$recordings" ] || { echo "conformance: skipped: $recordings is not there (set APOLLO_SHARED)" >&2; exit 0; }
  set -- "$recordings" "$@"
  ;;
esac
swift run --quiet apollo-conformance "$@"
