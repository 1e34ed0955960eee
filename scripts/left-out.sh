#!/usr/bin/env bash
# Says that a check is left out, and why: left-out.sh "the code of public applications" "../shared/projects is not there"
# `make test` says it once more in its last line.
echo "left out: $1 ($2)" >&2
[ -z "${APOLLO_LEFT_OUT:-}" ] || echo "$1 ($2)" >> "$APOLLO_LEFT_OUT"
