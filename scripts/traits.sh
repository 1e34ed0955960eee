#!/usr/bin/env bash
# Builds and tests what is behind the traits AsyncHTTP and WebSocketTLS, with the pages about it, in the folder .build-traits.
#
# usage: traits.sh
set -euo pipefail
cd "$(dirname "$0")/.."
export APOLLO_TRAITS=1
[ -e .build-traits ] || { mkdir .build-traits && touch .build-traits/whole-modules; }
python3 scripts/doc-blocks.py Tests/Documentation/Pages
python3 scripts/guides.py Tests/Guides Tests/GuideTests Tests/Documentation/Pages/Manifests
scripts/swift.sh build --examples --build-tests
scripts/run-tests.py --examples --filter 'AsyncHTTPTests|SecureWebSocketTests'
python3 scripts/api.py --check
