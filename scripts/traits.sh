#!/usr/bin/env bash
# Builds and tests what is behind the traits AsyncHTTP and WebSocketTLS, with the pages about it, in the folder .build-traits.
#
# usage: traits.sh
set -euo pipefail
cd "$(dirname "$0")/.."
export APOLLO_TRAITS=1
[ -e .build-traits ] || { mkdir .build-traits && touch .build-traits/whole-modules; }
scripts/examples.sh
scripts/run-tests.py --examples --filter 'AsyncHTTPTests|SecureWebSocketTests'
python3 scripts/api.py --check
