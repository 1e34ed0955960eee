#!/usr/bin/env bash
# `swift`, as all scripts call it for the package and for its examples: swift.sh build --product apollo-codegen
#
# usage: swift.sh COMMAND [--examples] [OPTIONS]
#        swift.sh run [--examples] [--quiet] PROGRAM [ARGUMENTS]
#
# Both packages have one build folder, because most of what the examples need is the package itself. So every build gives
# the compiler the same options, or all of it would be compiled again: warnings are errors in the package, and there is
# nothing that only debuggers and editors read. With APOLLO_TRAITS=1 the options are others, and so is the folder; the same holds
# for APOLLO_SANITIZER=thread and APOLLO_SANITIZER=address.
set -euo pipefail
export APOLLO_DEVELOPMENT=1
# SwiftPM passes the traits to the compiler in the order of a Set. Without this, each build may have another order.
export SWIFT_DETERMINISTIC_HASHING=1
command=$1 options=(-debug-info-format none --disable-index-store) package=.
scratch=.build${APOLLO_TRAITS:+-traits}
shift
if [ -n "${APOLLO_SANITIZER:-}" ]; then
  scratch=.build-$APOLLO_SANITIZER
  [ -e "$scratch" ] || { mkdir "$scratch" && touch "$scratch/whole-modules"; }
  options+=(--sanitize="$APOLLO_SANITIZER" --scratch-path "$scratch")
fi
# From nothing, the compiler takes a third less time when it is given each module as a whole, and writes what other modules
# need of it at the end, in place of reading all of it twice. After an edit it takes more.
whole=
if [ -e $scratch/whole-modules ]; then
  whole=1
  options+=(-Xswiftc -wmo -Xswiftc -disable-batch-mode -Xswiftc -num-threads -Xswiftc 1 -Xswiftc -no-emit-module-separately-wmo)
fi
if [ "${1:-}" = --examples ]; then
  shift
  package=Examples
  options+=(--package-path Examples --scratch-path $scratch)
  # SwiftPM keeps what a manifest has said, as long as its text and the environment are the same. This one lists folders.
  APOLLO_EXAMPLE_MODULES=$(echo Tests/{Readme,RealProjects/Generated,Guides,GuideTests,DocumentSamples/Modules}/* | cksum)
  export APOLLO_EXAMPLE_MODULES
fi
# While scripts/test.sh runs, what it has built is there: to ask SwiftPM takes seconds each time.
if [ "$command" = build ] && [[ " ${APOLLO_BUILT:-} " = *" $package "* && " $* " != *" --show-bin-path "* ]]; then exit 0; fi
# SwiftPM keeps the plan of its last build in that folder, and may take the one of the other package for it.
last=$scratch/last-package
[ "$(cat "$last" 2> /dev/null)" = "$package" ] || options+=(--disable-build-manifest-caching)
case " $* " in
  *" --show-bin-path "*) ;;
  *) mkdir -p $scratch && echo "$package" > "$last" ;;
esac

# What plugins need is built first, by a database of its own, which does not know what the last build has made of the same
# commands: without this, the generator would be compiled once more.
if [ -e $scratch/build.db ] && [ ! $scratch/plugin-tools.db -nt $scratch/build.db ]; then
  cp $scratch/build.db $scratch/plugin-tools.db
fi

# On Linux, the tool itself now and then ends in libdispatch's list of processes (swiftlang/swift, issue 87033). A program that
# it runs is started here, so that only the tool can have ended by a signal: then it is started once more.
tool() {
  local status=0
  once "$@" || status=$?
  case $status in
    132 | 134 | 138 | 139)
      echo "swift $1 crashed (status $status). Once more:" >&2
      once "$@"
      ;;
    *) return $status ;;
  esac
}
once() {
  if [ -z "$whole" ]; then
    swift "$@"
    return
  fi
  # (The compiler remarks for each module that it takes it as a whole.)
  swift "$@" | { grep --line-buffered -v '^remark: Incremental compilation has been disabled' || true; }
}
if [ "$command" = run ]; then
  quiet=()
  if [ "$1" = --quiet ]; then quiet=("$1") && shift; fi
  product=$1
  shift
  tool build "${options[@]}" ${quiet[@]+"${quiet[@]}"} --product "$product" >&2
  exec "$scratch/debug/$product" "$@"
fi
tool "$command" "${options[@]}" "$@"
