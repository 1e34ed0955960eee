#!/usr/bin/env bash
# `swift`, as all scripts call it for the package and for its examples: swift.sh build --product apollo-codegen
#
# usage: swift.sh COMMAND [--examples] [OPTIONS]
#
# Both packages have one build folder, because most of what the examples need is the package itself. So every build gives
# the compiler the same options, or all of it would be compiled again: warnings are errors in the package, the traits are
# on, and there is nothing that only debuggers read.
set -euo pipefail
export APOLLO_DEVELOPMENT=1
# SwiftPM passes the traits to the compiler in the order of a Set. Without this, each build may have another order.
export SWIFT_DETERMINISTIC_HASHING=1
command=$1 options=(-debug-info-format none)
shift
if [ "${1:-}" = --examples ]; then
  shift
  options+=(--package-path Examples --scratch-path .build)
fi
exec swift "$command" "${options[@]}" "$@"
