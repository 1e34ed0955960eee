#!/usr/bin/env bash
# Runs the recorded cases of the reference implementation: conformance.sh [DIR…] [--verbose] [--reworded]
set -euo pipefail
cd "$(dirname "$0")/.."
recordings=${APOLLO_SHARED:-../shared}/conformance
case "${1:--}" in -*)
  [ -d "$recordings" ] || { scripts/left-out.sh "the recorded cases of graphql-js" "$recordings is not there"; exit 0; }
  set -- "$recordings" "$@"
  ;;
esac
scripts/swift.sh run --quiet apollo-conformance "$@"
