#!/usr/bin/env bash
# Many requests at once over loopback, some of which lose their connection or are cancelled: every call has to end once,
# and no memory and no descriptor may be left. Or, with `cache`: ever new arguments in one store, whose memory may not grow.
# With `collection`: the garbage among a million records is collected while others are written.
set -euo pipefail
[ "$(uname)" = Linux ] || { echo "soak: needs Linux" >&2; exit 1; }
cd "$(dirname "$0")/.."
source scripts/bench-build.sh
if [ "${1:-}" = cache ]; then
  timeout 900 "$bench" --soak-cache "${2:-1000000}"
elif [ "${1:-}" = collection ]; then
  timeout 900 "$bench" --soak-collection "${2:-1000000}"
else
  timeout 900 "$bench" --soak "${1:-10000}"
fi
