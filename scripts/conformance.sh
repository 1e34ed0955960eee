#!/usr/bin/env bash
# Runs the recorded cases of the reference implementation: conformance.sh [DIR…] [--verbose] [--reworded]
# Without DIR, those of graphql-js that were recorded elsewhere, and those of graphql-core if scripts/record.sh made them.
set -euo pipefail
cd "$(dirname "$0")/.."
recordings=${APOLLO_SHARED:-../shared}/conformance
case "${1:--}" in -*)
  [ -d "$recordings" ] || { scripts/left-out.sh "the recorded cases of graphql-js" "$recordings is not there"; exit 0; }
  [ ! -d .build/recordings ] || set -- .build/recordings "$@"
  set -- "$recordings" "$@"
  ;;
esac
scripts/swift.sh run --quiet apollo-conformance "$@"
