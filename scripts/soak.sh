#!/usr/bin/env bash
# Many requests at once over loopback, some of which lose their connection or are cancelled: every call has to end once,
# and no memory and no descriptor may be left.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/bench-build.sh
timeout 900 "$bench" --soak "${1:-10000}"
