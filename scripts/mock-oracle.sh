#!/usr/bin/env bash
# Has graphql-core judge what mocks answer over real schemas.
# usage: mock-oracle.sh [QUERIES] [SEED]
set -euo pipefail
cd "$(dirname "$0")/.."
projects=${APOLLO_SHARED:-../shared}/projects
[ -d "$projects" ] || { scripts/left-out.sh "the judgement of mocks by graphql-core" "$projects is not there"; exit 0; }
version=3.3.2
python=.venv/oracle/bin/python
if ! "$python" -c "import graphql; assert graphql.version == '$version'" 2>/dev/null; then
  python3 -m venv .venv/oracle
  "$python" -m pip install -q "graphql-core==$version"
fi
scripts/swift.sh build --examples --quiet --product mock-answers
"$python" scripts/mock-oracle.py .build/debug/mock-answers "${1:-2000}" "${2:-1}" \
  "$projects"/_schemas/{github-octokit,swapi}.graphql \
  "$projects"/{pkdb-hasura,saleor-storefront,buildkite-terraform}/schema.graphqls "$projects"/anilist-ios/schema.json
