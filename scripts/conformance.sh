#!/usr/bin/env bash
# Runs the recorded cases of the reference implementation: conformance.sh [DIR…] [--verbose] [--reworded]
set -euo pipefail
cd "$(dirname "$0")/.."
shared=$(cd "${APOLLO_SHARED:-../shared}" 2>/dev/null && pwd) || shared=${APOLLO_SHARED:-../shared}
recordings=$shared/conformance
case "${1:--}" in -*)
  [ -d "$recordings" ] || { echo "conformance: skipped: $recordings is not there (set APOLLO_SHARED)" >&2; exit 0; }
  set -- "$recordings" "$@"
  ;;
esac
swift run --quiet apollo-conformance "$@"
