#!/usr/bin/env bash
# Fuzzes one target under the address sanitizer: fuzz.sh TARGET SECONDS
set -euo pipefail
[ "$(uname)" = Linux ] || { echo "fuzz: needs Linux: Xcode has no libFuzzer for Swift" >&2; exit 1; }
cd "$(dirname "$0")/../Fuzzing"
target=${1:-response} seconds=${2:-1200}
[ "$target" != response ] || ../scripts/fuzz-models.sh
# (SwiftPM passes only one sanitizer on; with both, the fuzzer would get no coverage.)
sanitizers=(--sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address)
swift build -c release "${sanitizers[@]}" --scratch-path .build-fuzz --product "fuzz-$target"
binary="$(swift build -c release "${sanitizers[@]}" --scratch-path .build-fuzz --show-bin-path)/fuzz-$target"
mkdir -p ".build-fuzz/corpus-$target"
[ -d "Seeds/$target" ] && cp -n "Seeds/$target"/* ".build-fuzz/corpus-$target/" || true
options=()
[ -f "Seeds/$target.dict" ] && options=("-dict=Seeds/$target.dict")
# Swift's own backtraces would hide a crash from the fuzzer.
SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 "$binary" ".build-fuzz/corpus-$target" \
  -max_total_time="$seconds" -max_len=4096 -timeout=60 -artifact_prefix=.build-fuzz/ -print_final_stats=1 "${options[@]}"
