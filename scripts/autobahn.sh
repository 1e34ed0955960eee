#!/usr/bin/env bash
# Runs the WebSocket engine through the cases of an Autobahn fuzzing server and prints the verdicts.
#   URL=ws://127.0.0.1:9001 scripts/autobahn.sh    a server that runs already
#   scripts/autobahn.sh                            one that is installed from PyPI, by Tests/Autobahn/setup.sh
set -euo pipefail
[ "$(uname)" = Linux ] || { echo "autobahn: needs Linux" >&2; exit 1; }
cd "$(dirname "$0")/.."

build() {
  APOLLO_DEVELOPMENT=1 swift build --package-path Examples --scratch-path .build -c release --product apollo-autobahn
}

if [ -n "${URL:-}" ]; then
  build
  exec .build/release/apollo-autobahn "$URL"
fi

if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
  as_root=""
  [ "$(id -u)" = 0 ] || as_root=sudo
  $as_root apt-get install -y -qq python3-venv
fi
mkdir -p .venv
if ! bash Tests/Autobahn/setup.sh "$PWD/.venv/autobahn" >.venv/autobahn-setup.log 2>&1; then
  cat .venv/autobahn-setup.log >&2
  exit 1
fi
build

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
.venv/autobahn/venv/bin/python Tests/Autobahn/fuzzing_server.py .venv/autobahn "$port" .venv/autobahn/report.json \
  >.venv/autobahn/server.log 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
for _ in $(seq 100); do
  if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then break; fi
  kill -0 "$server" 2>/dev/null || { cat .venv/autobahn/server.log >&2; exit 1; }
  sleep 0.1
done
timeout 900 .build/release/apollo-autobahn "ws://127.0.0.1:$port"
