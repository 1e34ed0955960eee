#!/usr/bin/env bash
# Compares parsing and validation with graphql-core, a port of the reference implementation.
# usage: oracle.sh [DOCUMENTS] [SEED]
set -euo pipefail
cd "$(dirname "$0")/.."
projects=${APOLLO_SHARED:-../shared}/projects
[ -d "$projects" ] || { scripts/left-out.sh "the comparison with graphql-core" "$projects is not there"; exit 0; }
version=3.3.2
python=.venv/oracle/bin/python
if ! "$python" -c "import graphql; assert graphql.version == '$version'" 2>/dev/null; then
  python3 -m venv .venv/oracle
  "$python" -m pip install -q "graphql-core==$version"
fi
swift build --package-path Fuzzing -c release --product validation-verdicts
"$python" scripts/oracle.py "$(swift build --package-path Fuzzing -c release --show-bin-path)/validation-verdicts" \
  "${1:-20000}" "${2:-1}" "$projects"/_schemas/github-octokit.graphql \
  "$projects"/{pkdb-hasura,saleor-storefront,buildkite-terraform}/schema.graphqls "$projects"/anilist-ios/schema.json
