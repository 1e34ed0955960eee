#!/usr/bin/env bash
# Installs what building and testing needs and a fresh Debian machine with Swift, git, make and python3 may lack.
# Does nothing where everything is there, so it costs next to nothing to call.
# `bootstrap.sh peers` also installs the GraphQL servers of other projects that tests talk to.
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
  # Tests of TLS make their certificates with it.
  command -v openssl >/dev/null || missing+=(openssl)
  command -v ld >/dev/null || command -v ld.gold >/dev/null || missing+=(binutils)
  if [ ${#missing[@]} -gt 0 ]; then
    echo "Installing ${missing[*]}"
    as_root=""
    [ "$(id -u)" = 0 ] || as_root=sudo
    $as_root apt-get update -qq
    $as_root apt-get install -y -qq "${missing[@]}"
  fi
fi

# The servers' programs, and the script that installs what they need, are in the reference folder beside the project.
if [ "${1:-}" = peers ]; then
  peers=$(realpath -q "${APOLLO_SHARED:-../shared}")/peers
  if [ ! -f "$peers/setup.sh" ]; then
    echo "bootstrap: no peers: $peers is not there (set APOLLO_SHARED); their tests will be skipped"
  elif ! cmp -s "$peers/setup.sh" .venv/peers/installed; then
    if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
      as_root=""
      [ "$(id -u)" = 0 ] || as_root=sudo
      $as_root apt-get update -qq
      $as_root apt-get install -y -qq python3-venv
    fi
    echo "Installing the peers in .venv/peers"
    mkdir -p .venv
    bash "$peers/setup.sh" "$PWD/.venv/peers"
    cp "$peers/setup.sh" .venv/peers/installed
  fi
fi
