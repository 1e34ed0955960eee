# Builds the benchmarks and finds their data; sourced from the root of the package. Sets `bench` to the program.
# CONFIGURATION=debug measures what a debug build of an app feels.
configuration=${CONFIGURATION:-release}
unset APOLLO_STRICT
shared=$(realpath "${APOLLO_SHARED:-../shared}")
data=Benchmarks/.build/benchmark-data
if [ ! -f "$data/data/people_large.json" ]; then
  if [ ! -f "$shared/performance/generate_data.py" ]; then
    echo "bench: skipped: $shared/performance is not there (set APOLLO_SHARED)" >&2
    exit 0
  fi
  mkdir -p "$data"
  (cd "$data" && python3 "$shared/performance/generate_data.py")
fi
cp -f "$shared/projects/_schemas/github-octokit.graphql" "$data/data/github.graphql" 2>/dev/null || true
swift build --package-path Benchmarks -c "$configuration" --product bench
bench="$(swift build --package-path Benchmarks -c "$configuration" --show-bin-path)/bench"
APOLLO_BENCHMARK_DATA="$(realpath "$data")/data"
export APOLLO_BENCHMARK_DATA
