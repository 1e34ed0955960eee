#!/usr/bin/env bash
# `swift`, as all scripts call it for the package and for its examples: swift.sh build --product apollo-codegen
#
# usage: swift.sh COMMAND [--examples] [OPTIONS]
#
# Both packages have one build folder, because most of what the examples need is the package itself. So every build gives
# the compiler the same options, or all of it would be compiled again: warnings are errors in the package, the traits are
# on, and there is nothing that only debuggers and editors read.
set -euo pipefail
export APOLLO_DEVELOPMENT=1
# SwiftPM passes the traits to the compiler in the order of a Set. Without this, each build may have another order.
export SWIFT_DETERMINISTIC_HASHING=1
command=$1 options=(-debug-info-format none --disable-index-store) package=.
shift
if [ "${1:-}" = --examples ]; then
  shift
  package=Examples
  options+=(--package-path Examples --scratch-path .build)
  # SwiftPM keeps what a manifest has said, as long as its text and the environment are the same. This one lists folders.
  APOLLO_EXAMPLE_MODULES=$(echo Tests/{Readme,RealProjects/Generated,Guides,GuideTests,DocumentSamples/Modules}/* | cksum)
  export APOLLO_EXAMPLE_MODULES
fi
# SwiftPM keeps the plan of its last build in that folder, and may take the one of the other package for it.
last=.build/last-package
[ "$(cat "$last" 2> /dev/null)" = "$package" ] || options+=(--disable-build-manifest-caching)
case " $* " in
  *" --show-bin-path "*) ;;
  *) mkdir -p .build && echo "$package" > "$last" ;;
esac
exec swift "$command" "${options[@]}" "$@"
