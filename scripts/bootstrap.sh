#!/usr/bin/env bash
# Installs what building and testing needs and a fresh Debian machine with Swift, git, make and python3 may lack.
# Does nothing where everything is there, so it costs next to nothing to call.
# `bootstrap.sh peers` also installs the servers of other projects that tests talk to: GraphQL servers, and nginx.
set -euo pipefail
cd "$(dirname "$0")/.."

as_root=""
[ "$(id -u)" = 0 ] || as_root=sudo

if ! command -v swift >/dev/null; then
  echo "Swift 6.2 or later is needed: https://www.swift.org/install" >&2
  exit 1
fi

# Foundation's networking loads the system's libcurl, and ApolloSQLite links with the system's SQLite; the compiler links
# with the system's C library and binutils.
if [ "$(uname)" = Linux ] && command -v apt-get >/dev/null; then
  missing=()
  installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }
  installed libcurl4 || installed libcurl4t64 || missing+=(libcurl4)
  for package in libc6-dev libxml2 libsqlite3-dev ca-certificates; do
    installed "$package" || missing+=("$package")
  done
  # A test sees by it that a mutation is on the disk before it is sent.
  command -v strace >/dev/null || missing+=(strace)
  # Tests of TLS make their certificates with it.
  command -v openssl >/dev/null || missing+=(openssl)
  command -v ld >/dev/null || command -v ld.gold >/dev/null || missing+=(binutils)
  if [ ${#missing[@]} -gt 0 ]; then
    echo "Installing ${missing[*]}"
    $as_root apt-get update -qq
    $as_root apt-get install -y -qq "${missing[@]}"
  fi
fi

[ "${1:-}" = peers ] || exit 0

# Without a network the tests do without what is not there yet, and it is said here. CI must not do without.
not_installed() {
  echo "bootstrap: $1; the tests that need it are skipped" >&2
  [ -z "${CI:-}" ] || exit 1
}
installed=.venv/peers
mkdir -p "$installed"
needs_venv() {
  if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
    $as_root apt-get update -qq && $as_root apt-get install -y -qq python3-venv
  fi
}

# Each has the versions of all that it needs beside its program.
for requirements in Tests/PeerServers/Servers/*-requirements.txt; do
  peer=$(basename "$requirements" -requirements.txt)
  if ! cmp -s "$requirements" "$installed/$peer/installed"; then
    echo "Installing $peer in $installed"
    if needs_venv && rm -rf "${installed:?}/$peer" && python3 -m venv "$installed/$peer" &&
      "$installed/$peer/bin/pip" install -q --disable-pip-version-check -r "$requirements"; then
      cp "$requirements" "$installed/$peer/installed"
    else
      rm -rf "${installed:?}/$peer"
      not_installed "$peer cannot be installed"
    fi
  fi
done

# nginx is unpacked, and not installed: its package would start a server of the whole machine.
if [ ! -x "$installed/nginx/nginx" ]; then
  echo "Installing nginx in $installed"
  rm -rf "$installed/nginx" && mkdir -p "$installed/nginx"
  if found=$(PATH="$PATH:/usr/sbin" command -v nginx); then
    ln -s "$found" "$installed/nginx/nginx"
  elif command -v apt-get >/dev/null && (
    cd "$installed/nginx"
    apt-get download -qq nginx 2>/dev/null || { $as_root apt-get update -qq && apt-get download -qq nginx; }
    dpkg-deb -x nginx_*.deb . && ln -s usr/sbin/nginx nginx && ./nginx -v
  ); then
    rm -f "$installed"/nginx/*.deb
  else
    rm -rf "$installed/nginx"
    not_installed "nginx cannot be installed"
  fi
fi
