#!/usr/bin/env bash
# Clients and a fuzzer of other projects judge the mock server, which runs as a user starts it: gql over HTTP and both
# protocols over WebSockets, a client that ariadne-codegen makes of the server's introspection, and schemathesis.
#
# usage: mock-judges.sh [SECONDS OF SCHEMATHESIS]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
judges=$PWD/Tests/MockJudges

# Each has an environment of its own, because they need different versions of graphql-core.
environment() { # name, packages
  local python=.venv/$1/bin/python
  shift
  "$python" -c pass 2> /dev/null && "$python" -m pip freeze | grep -qiF "${1/\[*\]/}" && return
  python3 -m venv "${python%/bin/python}"
  "$python" -m pip install -q "$@"
}
environment gql "gql[aiohttp,websockets]==4.0.0"
environment ariadne "ariadne-codegen[subscriptions]==0.19.0"
environment schemathesis "schemathesis==4.32.5"

scripts/swift.sh build --examples --quiet --product apollo-mock-server
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null; rm -rf "$work"' EXIT

start() { # arguments
  .build/debug/apollo-mock-server --port 0 --quiet "$@" > "$work/server.log" 2>&1 &
  server=$!
  for _ in $(seq 300); do
    address=$(sed -n 's/^ *HTTP *//p' "$work/server.log") socket=$(sed -n 's/^ *WebSocket *//p' "$work/server.log")
    [ -z "$socket" ] || return 0
    kill -0 "$server" 2> /dev/null || break
    sleep 0.1
  done
  cat "$work/server.log" >&2
  exit 1
}
stop() {
  kill "$server"
  wait "$server" || { cat "$work/server.log" >&2; exit 1; }
  server=
}

start --schema MockServer/Tests/ApolloMockServerTests/schema.graphqls --every 50ms
.venv/gql/bin/python "$judges/by_gql.py" "$address" "$socket" "$judges/Operations.graphql"

cat > "$work/pyproject.toml" <<TOML
[tool.ariadne-codegen]
remote_schema_url = "$address"
queries_path = "$judges/Operations.graphql"
target_package_name = "made"
TOML
environment=$PWD/.venv/ariadne/bin
(cd "$work" && "$environment/ariadne-codegen" > codegen.log 2>&1 || { cat codegen.log >&2; exit 1; })
(cd "$work" && PYTHONPATH=. "$environment/python" "$judges/by_ariadne.py" "$address" "$socket")

# (It cannot make up files.)
schemathesis=$PWD/.venv/schemathesis/bin/schemathesis
(cd "$work" && "$schemathesis" run "$address" --max-time "$seconds" --exclude-name Mutation.addPicture > schemathesis.log 2>&1) ||
  { tail -60 "$work/schemathesis.log" >&2; exit 1; }
echo "schemathesis:$(grep -E '[0-9]+ generated' "$work/schemathesis.log")"
stop
