#!/usr/bin/env bash
# Random documents as a test of the whole: each is generated, compiled and run on random responses, and what it reads,
# writes, stores and reads back is compared with a naive evaluation.
#
# usage: scripts/random.sh DOCUMENTS [SEED [SECONDS]]
#        scripts/random.sh write      (only makes the programs compile without documents)
#
# Goes on with other seeds for as many seconds; stops at the first failure, which it makes as small as it can.
set -euo pipefail
cd "$(dirname "$0")/.."
documents=${1:-30} seed=${2:-1} seconds=${3:-0}
shared=${APOLLO_SHARED:-../shared}
programs=Tests/RandomPrograms

# Hostile and plain random schemas, and published ones in turn.
published=(Tests/ApolloCodegenLibTests/Fixtures/000{1_StarWars,2_Names,5_Unions,8_Inputs}/*.graphqls)
for schema in "$shared"/projects/_schemas/swapi.graphql "$shared"/projects/{spotify-showcase,rocketreserver}-ios/schema.*; do
  if [ -f "$schema" ]; then published+=("$schema"); fi
done

write_modules() { # modules
  local file=$programs/Checker/Modules.swift new
  new="import ApolloAPI
$(for module in $1; do echo "import $module"; done)

let modules: [(name: String, operations: [any GraphQLOperation.Type])] = [
$(for module in $1; do echo "  (\"$module\", $module.operations),"; done)
]"
  [ "$new" = "$(cat "$file" 2> /dev/null)" ] || echo "$new" > "$file"
}

# So that what is around random documents is compiled with all examples.
if [ "${1:-}" = write ]; then
  write_modules ""
  exit
fi

# Which modules there are, so that the package lists them.
build() { APOLLO_RANDOM_MODULES=$1 scripts/swift.sh build --examples --quiet --product "$2"; }
build "" random-writer
writer=.build/debug/random-writer checker=.build/debug/random-checker

# Compiles the modules; what does not compile is told with its document.
compile() {
  build "$1" random-checker > "$programs/build.log" 2>&1 && return
  grep -hoE 'Generated/\w+/[^ ]*\.swift:[0-9]+:[0-9]+: error: .*' "$programs/build.log" | sort -u | head -20 >&2
  grep -hoE 'Generated/\w+/(Accessors\.)?Doc[0-9]+' "$programs/build.log" |
    sed -E 's|Generated/||; s|/(Accessors\.)?| |' | sort -u > "$programs/Inputs/failed"
  [ -s "$programs/Inputs/failed" ] || cat "$programs/build.log" >&2
  return 1
}

# The number of the document that an operation came from ends its name.
document() { echo "$programs/Inputs/$1/Doc$(grep -oE '[0-9]+$' <<< "$2").graphql"; }

# Takes parts away from a document that fails, as long as it still does.
reduce() { # module, name
  local schema=$programs/smallest document=$programs/smallest/Doc.graphql round smaller module name file
  rm -rf "$schema"
  cp -R "$programs/Inputs/$1" "$schema"
  cp "$(document "$1" "$2")" "$document"
  find "$schema" -name 'Doc[0-9]*' -delete
  for round in $(seq 20); do
    rm -rf "$programs/Generated/Smaller"
    if "$writer" $programs reduce "$schema" "$document" 2> /dev/null; then
      write_modules Smaller
      : > "$programs/Inputs/failed"
      if compile Smaller > /dev/null 2>&1; then
        "$checker" $programs/Inputs 10 "$seed" > /dev/null || true
      fi
    else
      break
    fi
    smaller=
    while read -r module name; do
      file=$(document "$module" "$name")
      if [ -z "$smaller" ] || [ "$(wc -c < "$file")" -lt "$(wc -c < "$smaller")" ]; then smaller=$file; fi
    done < "$programs/Inputs/failed"
    [ -n "$smaller" ] && [ "$(wc -c < "$smaller")" -lt "$(wc -c < "$document")" ] || break
    cp "$smaller" "$document"
  done
  echo "The smallest document that was found to fail, over $schema:"
  cat "$document"
}

fail() {
  cp "$programs/Inputs/failed" "$programs/failed"
  echo "Failed with SEED=$seed. To see it again: make random SEED=$seed DOCUMENTS=$documents" >&2
  read -r module name < "$programs/failed" || true
  if [ -n "${module:-}" ] && [ "${REDUCE:-1}" = 1 ]; then reduce "$module" "$name"; fi
  exit 1
}

end=$((SECONDS + seconds))
while :; do
  other=${published[seed % ${#published[@]}]}
  "$writer" $programs "$seed" "$documents" RandomHostile=hostile RandomPublished="$other"
  write_modules "RandomHostile RandomPublished"
  compile "RandomHostile RandomPublished" || fail
  "$checker" $programs/Inputs 10 "$seed" || fail
  [ "$SECONDS" -lt "$end" ] || break
  seed=$((seed + 1))
done
