#!/usr/bin/env bash
# Records what graphql-core's public functions do in its own tests, for scripts/conformance.sh: record.sh [FOLDER]
# The default folder is .build/recordings/graphql-core-VERSION.
set -euo pipefail
cd "$(dirname "$0")/.."
version=3.3.2
environment=.venv/recorder
recordings=$(realpath -m "${1:-.build/recordings/graphql-core-$version}")
source=$environment/graphql_core-$version
if ! [ -d "$source/tests" ]; then
  python3 -m venv "$environment"
  "$environment/bin/pip" install -q "graphql-core==$version" pytest pytest-asyncio pytest-benchmark pytest-describe \
    pytest-timeout anyio
  # The tests are in the source distribution only.
  "$environment/bin/pip" download -q --no-deps --no-binary graphql-core "graphql-core==$version" -d "$environment"
  tar xzf "$environment/graphql_core-$version.tar.gz" -C "$environment"
fi
scripts=$PWD/scripts python=$PWD/$environment/bin/python
cd "$source"
RECORDINGS=$recordings PYTHONPATH=$scripts "$python" -m pytest -q -p record_graphql_core -p no:cacheprovider \
  --ignore tests/benchmarks --no-header | tail -4
echo "$recordings"
