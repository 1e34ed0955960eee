#!/usr/bin/env bash
# Type-checks on Linux the code that is compiled on Apple's systems alone. See Tests/AppleStubs.
#
# usage: check-apple.sh        (behind `swift build`: the modules of other targets are taken from .build/debug)
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(uname)" = Darwin ]; then
  echo "check-apple: this is one of Apple's systems, where the compiler checks it anyway"
  exit 0
fi
[ -d .build/debug/Modules ] || swift build

stubs=$(mktemp -d)
trap 'rm -rf "$stubs"' EXIT
plugin_api=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")/lib/swift/pm/PluginAPI
# The name that SwiftPM gives the package is that of its folder.
package=$(grep -o '"-package-name","[^"]*","' .build/debug.yaml | sort | uniq -c | sort -rn | head -1 | cut -d'"' -f4)
settings=(-swift-version 6 -package-name "$package" -I "$stubs")
for feature in ExistentialAny InternalImportsByDefault MemberImportVisibility; do
  settings+=(-enable-upcoming-feature "$feature")
done
for map in .build/checkouts/*/Sources/*/{include/,}module.modulemap; do
  settings+=(-Xcc "-fmodule-map-file=$map")
done

module() { swiftc -emit-module -module-name "$1" "Tests/AppleStubs/$1.swift" "${@:2}" -o "$stubs/$1.swiftmodule"; }
module Darwin
module XcodeProjectPlugin -I "$plugin_api"
module Combine
module HTTPTypes

# A target whose files contain a branch that is Apple's.
check() {
  local name=$1
  shift
  if ! swiftc -typecheck -warnings-as-errors -module-name "${name//-/_}" "${settings[@]}" "$@"; then
    echo "check-apple: $name does not compile on Apple's systems" >&2
    exit 1
  fi
  echo "check-apple: $name"
}
count=0
for target in $(grep -rlE 'canImport\((Darwin|XcodeProjectPlugin)\)' Sources Plugins | cut -d/ -f1,2 | sort -u); do
  mapfile -t files < <(find "$target" -name '*.swift')
  case $target in
    Plugins/*)
      check "${target#*/}" "${files[@]}" Tests/AppleStubs/Foundation.swift -I "$plugin_api" -parse-as-library \
        -package-description-version 6.2.0 ;;
    *) check "${target#*/}" "${files[@]}" Tests/AppleStubs/Foundation.swift -I .build/debug/Modules ;;
  esac
  count=$((count + 1))
done
[ "$count" -ge 4 ] || { echo "check-apple: only $count targets have code for Apple's systems, which cannot be" >&2; exit 1; }

# Names that this package shares with modules that apps import as well.
swiftc -typecheck -warnings-as-errors -module-name App "${settings[@]}" Tests/AppleStubs/Collisions.swift -I .build/debug/Modules
echo "check-apple: an app with Combine and swift-http-types"
