#!/usr/bin/env bash
# Compiles the sample code of the public documents that this library follows, in place and unchanged, and runs it against
# a scripted server. In Swift 6 mode, what the language itself forbids in a sample is listed in expected-errors.txt.
#
# usage: document-samples.sh [write]      (with `write` it only puts the samples where the package in Examples has them)
set -euo pipefail
cd "$(dirname "$0")/.."
# The table of the documents' names says where each one is.
for path in $(grep -oE '`[A-Za-z]+/[A-Za-z+/]+\.swift`' Docs/documents.md | tr -d '`' | sort -u); do
  [ -f "$path" ] || { echo "document-samples: Docs/documents.md names $path, which is not there" >&2; exit 1; }
done
shared=${APOLLO_SHARED:-../shared}
if [ ! -d "$shared/reference/samples" ]; then
  scripts/left-out.sh "the samples of the documents" "$shared/reference/samples is not there"
  exit 0
fi
samples=$(cd "$shared/reference/samples" && pwd)
here=Tests/DocumentSamples
modules=$here/Modules

# One module a document, of links to its files.
write() {
  scripts/swift.sh build --quiet --product apollo-codegen
  rm -rf "$modules"
  for name in D000 D001 D002 D003 D004; do
    mkdir -p "$modules/$name"
    for file in "$samples/$name"/*.swift; do ln -s "$file" "$modules/$name/"; done
    [ $name = D004 ] || ln -s "$samples/Stubs.swift" "$modules/$name/"
  done
  sed "s#SAMPLES#$samples/D004#; s#HERE#$PWD/$here#" "$here/codegen.json" > "$modules/D004/codegen.json"
  .build/debug/apollo-codegen generate --path "$modules/D004/codegen.json" --quiet
  rm "$modules/D004/codegen.json"
}
[ -d "$modules" ] && [ "${1:-}" != write ] || write
[ "${1:-}" != write ] || exit 0

# Swift 5 mode: everything compiles, and runs.
scripts/swift.sh build --examples --quiet --build-tests
scripts/run-tests.py --examples --filter DocumentSamplesTests
bin=.build/debug

# Swift 6 mode: the compiler's words for what it refuses, wherever it says them.
for name in D000 D001 D002 D003 D004; do
  swiftc -emit-sil -wmo -o /dev/null -swift-version 6 -diagnostic-style llvm -module-name "$name" -I "$bin/Modules" \
    "$modules/$name"/*.swift $(find "$modules/$name" -mindepth 2 -name '*.swift') 2>&1 |
    sed -nE "/error:/ { s#^.*/([A-Za-z.]+\.swift):[0-9]+:[0-9]+: error: #$name/\1: #; p; }" | sort -u || true
done > "$modules/errors.txt"
if ! diff <(grep -v '^#' "$here/expected-errors.txt") "$modules/errors.txt"; then
  echo "document-samples: Swift 6 mode refuses something else than $here/expected-errors.txt says" >&2
  exit 1
fi
echo "document-samples: five documents compile and run; Swift 6 refuses $(wc -l < "$modules/errors.txt") declarations, as listed"
