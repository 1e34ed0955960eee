# Builds the benchmarks and finds their data; sourced from the root of the package. Sets `bench` to the program.
# CONFIGURATION=debug measures what a debug build of an app feels.
configuration=${CONFIGURATION:-release}
data=Benchmarks/.build/benchmark-data
if [ ! -f "$data/data/people_large.json" ]; then
  mkdir -p "$data"
  generator=$PWD/Benchmarks/Data/generate_data.py
  (cd "$data" && python3 "$generator")
fi
github=${APOLLO_SHARED:-../shared}/projects/_schemas/github-octokit.graphql
if [ -f "$github" ]; then
  cp -f "$github" "$data/data/github.graphql"
else
  echo "bench: without the cases of GitHub's schema: $github is not there (set APOLLO_SHARED)" >&2
fi
# (The plan of the last build does not know files that have come since.)
swift build --package-path Benchmarks -c "$configuration" --product bench --disable-build-manifest-caching
bench="$(swift build --package-path Benchmarks -c "$configuration" --show-bin-path)/bench"
APOLLO_BENCHMARK_DATA="$PWD/$data/data"
export APOLLO_BENCHMARK_DATA
