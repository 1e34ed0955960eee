#!/usr/bin/env bash
# Installs what building and testing needs and a fresh Debian machine with Swift, git, make and python3 may lack.
# Does nothing where everything is there, so it costs next to nothing to call.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v swift >/dev/null; then
  echo "Swift 6.2 or later is needed: https://www.swift.org/install" >&2
  exit 1
fi

# Foundation's networking loads the system's libcurl; the compiler links with the system's C library and binutils.
if [ "$(uname)" = Linux ] && command -v apt-get >/dev/null; then
  missing=()
  installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }
  installed libcurl4 || installed libcurl4t64 || missing+=(libcurl4)
  for package in libc6-dev libxml2 ca-certificates; do
    installed "$package" || missing+=("$package")
  done
  command -v ld >/dev/null || command -v ld.gold >/dev/null || missing+=(binutils)
  if [ ${#missing[@]} -gt 0 ]; then
    echo "Installing ${missing[*]}"
    as_root=""
    [ "$(id -u)" = 0 ] || as_root=sudo
    $as_root apt-get update -qq
    $as_root apt-get install -y -qq "${missing[@]}"
  fi
fi
