#!/usr/bin/env bash
# Type-checks code as apps write it, each piece by itself: those of ../shared/apps in Swift 5 mode, and some of them in
# Swift 6 mode as well. A piece that does not compile is listed, with its reason, in Tests/AppPieces/expected-errors.txt.
#
# The package's own pieces, Tests/AppPieces/Pieces, are targets of the package: `scripts/swift.sh build --build-tests` compiles them
# in both modes, and AppPiecesTests runs them.
#
# usage: scripts/apps.sh [PIECE]      (the number of one piece: shows what the compiler says of it)
set -euo pipefail
cd "$(dirname "$0")/.."
shared=${APOLLO_SHARED:-../shared}
here=$PWD/Tests/AppPieces
if [ ! -d "$shared/apps" ]; then
  scripts/left-out.sh "code as apps write it" "$shared/apps is not there"
  exit 0
fi
apps=$(cd "$shared/apps" && pwd)

for product in apollo-codegen ApolloWebSocket ApolloTestSupport; do scripts/swift.sh build --quiet --product "$product"; done
bin=.build/debug
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The modules, and those in C that they are built on.
export flags="-I $bin/Modules -I $work"
for map in .build/checkouts/*/Sources/*/include/module.modulemap "$bin"/C*.build/module.modulemap; do
  flags+=" -Xcc -fmodule-map-file=$map"
done

# The code that the pieces use, as a module of its own.
sed "s#APPS#$apps#" "$here/codegen.json" > "$work/codegen.json"
"$bin/apollo-codegen" generate --path "$work/codegen.json" --quiet
swiftc -emit-module -emit-module-path "$work/PeerAPI.swiftmodule" -module-name PeerAPI -parse-as-library \
  -swift-version 5 $flags $(find "$work/Sources" -name '*.swift')

# (What Swift 6 mode refuses comes up behind type-checking, so the compiler goes on to its own language.)
check() { # piece, mode
  swiftc -emit-sil -o /dev/null -module-name Piece -swift-version "$2" -diagnostic-style llvm $flags "$1" 2>&1
}
export -f check

if [ $# -gt 0 ]; then
  for piece in "$apps/pieces/$1"_*.swift; do
    for mode in 5 6; do
      echo "== $(basename "$piece" .swift), Swift $mode"
      check "$piece" "$mode" || true
    done
  done
  exit 0
fi

tasks() {
  for piece in "$apps"/pieces/*.swift; do
    echo "$piece" 5
    case $(basename "$piece") in 82_* | 84_* | 86_*) echo "$piece" 6 ;; esac
  done
}
export work
tasks | xargs -P "$(nproc)" -L 1 bash -c '
  name="$(basename "$0" .swift) $1"
  check "$0" "$1" > "$work/$name.log" || echo "$name" >> "$work/failed.txt"'
touch "$work/failed.txt"

listed=$here/expected-errors.txt
# (A line of the list: the piece, the mode, and behind a dash the reason.)
if grep -vE '^(#|$)|^[^ ]+ [56] – .+' "$listed"; then
  echo "apps: these lines of $listed name no piece, no mode, or no reason" >&2
  exit 1
fi
if ! diff <(grep -v '^#' "$listed" | sed 's/ – .*//' | sort) <(sort "$work/failed.txt") > "$work/diff.txt"; then
  sed -n 's/^< \(.*\)/apps: \1 is listed as one that does not compile, and does/p' "$work/diff.txt" >&2
  sed -n 's/^> //p' "$work/diff.txt" | while read -r name; do
    echo "apps: $name does not compile:" >&2
    grep 'error:' "$work/$name.log" >&2
  done
  exit 1
fi
echo "apps: $(tasks | wc -l) pieces, $(wc -l < "$work/failed.txt") of which do not compile, as listed"
