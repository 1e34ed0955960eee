#!/usr/bin/env python3
"""Type-checks this package on Linux as Apple's systems compile it.

usage: check.py [--quick] [--planted] [--systems macOS,iOS,…] [--modes 6,5,xcode,xcode6] [--only NAME,…]

Each target is compiled for each system at the minimum that its manifest declares, with availability, and with one
Foundation: by the settings of its manifest, and code as apps have it also in Swift 5 mode, in Swift 6 mode and with the
defaults of a new project in Xcode (isolation to the main actor, approachable concurrency).

It sees what the compiler sees before it makes machine code. Errors of isolation come while SIL, the compiler's own
language, is made. Where the compiler crashes there, only types are checked, and the table at the end says so. With
--quick this is so too for modules that are on iOS what they are on macOS. It does not see how Apple's systems behave,
32-bit integers, linking, and signatures of Apple's Foundation that differ from those of Foundation for Linux.

How the libraries are made stands in library.py. They are kept in `.build-apple`, and made anew for another toolchain.
"""

import argparse
import concurrent.futures
import os
import pathlib
import platform
import shutil
import sys
import time

import foundation_symbols
import one_foundation
import planted
import table
import targets as manifests
from compiler import MODES, Compiler
from library import MINIMUMS, SYSTEMS, Library, Refused, Toolchain

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORKERS = max(2, os.cpu_count() or 2)


def say(text, seconds=None):
    print(f"{text}{'' if seconds is None else f' ({seconds:.1f} s)'}", flush=True)


class Check:
    """Compiles targets for systems."""

    def __init__(self, systems, modes, is_quick):
        self.toolchain = Toolchain()
        self.systems, self.modes, self.is_quick = systems, modes, is_quick
        self.is_whole = len(systems) == len(SYSTEMS)
        self.home = ROOT / ".build-apple"
        self.folder = self.home / self.toolchain.key()
        self.copies = self.home / "sources"
        self.pool = concurrent.futures.ThreadPoolExecutor(WORKERS)

    def prepare(self):
        """Reads the targets, and copies their files; then makes the libraries that are not there yet."""
        self.home.mkdir(exist_ok=True)
        for old in self.home.iterdir():
            # What other toolchains left behind.
            if old.is_dir() and old.name[0].isdigit() and old.name != self.folder.name:
                shutil.rmtree(old)
        self.libraries = {system: Library(self.toolchain, system, self.folder) for system in self.systems}
        begin = time.monotonic()
        found = manifests.read(ROOT)
        self.targets, self.left_out = found.ordered, found.left_out
        self.sources = {
            target: [
                one_foundation.copy(file, ROOT, self.copies, target.group != "Dependencies")
                for file in target.swift_files()]
            for target in self.targets}
        say(f"{len(self.targets)} targets, {sum(map(len, self.sources.values()))} files", time.monotonic() - begin)
        missing = [library for library in self.libraries.values() if not library.is_made]
        if missing:
            begin = time.monotonic()
            say(f"Making the library for {', '.join(library.system.name for library in missing)}, "
                f"from {self.toolchain.version}")
            made = [library for library in self.libraries.values() if library.is_made]
            if not made:
                missing[0].make(say)
                made.append(missing.pop(0))
            list(self.pool.map(lambda library: library.make(say, made[0]), missing))
            say("The libraries are made", time.monotonic() - begin)
        self.compilers = {
            system: Compiler(self.toolchain, ROOT, library, library.folder / "package", self.copies, found.maps)
            for system, library in self.libraries.items()}

    def modes_of(self, target):
        """The modes beside the settings of its manifest."""
        return [MODES[name] for name in self.modes] if target.is_app_code else []

    def run(self, only=None):
        """Compiles everything: {(target, mode, system): Outcome}. The mode None stands for the manifest's settings."""
        wanted = [target for target in self.targets if not only or target.name in only]
        needed = closure(wanted)
        steps = [(target, None) for target in self.targets if target in needed]
        steps += [(target, mode) for target in wanted for mode in self.modes_of(target)]
        begin, futures, outcomes = time.monotonic(), {}, {}
        for target, mode in steps:
            for system in self.systems:
                if target.group == "Dependencies" or target.version(system):
                    futures[target, mode, system] = self.pool.submit(self._compile, target, mode, system, futures)
        for number, (target, mode) in enumerate(steps, 1):
            parts = []
            for system in self.systems:
                if (target, mode, system) in futures:
                    outcome = outcomes[target, mode, system] = futures[target, mode, system].result()
                    parts.append(f"{system.name} {outcome.what} {outcome.seconds:.1f} s")
            name = target.name + (f" in {mode.words}" if mode else "")
            say(f"[{number}/{len(steps)}, {time.monotonic() - begin:.0f} s] {name}: "
                f"{', '.join(parts) or 'not for these systems'}")
        return outcomes

    def _compile(self, target, mode, system, futures):
        # Those that it needs were given to the pool before it, so that they are done or under way.
        for needed in target.needs:
            if (needed, None, system) in futures:
                futures[needed, None, system].result()
        compiler = self.compilers[system]
        if target.group == "Dependencies":
            return compiler.dependency(target, MINIMUMS[system.name], self.sources[target])
        # The SIL of code that does not ask for the system is the same for all of them.
        makes_sil = not self.is_quick or system is self.systems[0] or target.differs_between_systems()
        return compiler.compile(target, mode, target.version(system), self.sources[target], makes_sil)


def closure(targets):
    """Targets, and those that they need."""
    found, stack = set(), list(targets)
    while stack:
        target = stack.pop()
        if target not in found:
            found.add(target)
            stack += target.needs
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="macOS and iOS, by the settings of the manifests, and the names that are used on macOS")
    parser.add_argument("--planted", action="store_true", help="prove that errors are reported: plant some")
    parser.add_argument("--systems", default="", help=", ".join(system.name for system in SYSTEMS))
    parser.add_argument("--modes", default="", help=", ".join(MODES))
    parser.add_argument("--only", default="", help="names of targets")
    options = parser.parse_args()
    if platform.system() == "Darwin":
        say("check-apple: this is one of Apple's systems, where `swift build` checks all of it")
        return 0
    known = {system.name.lower(): system for system in SYSTEMS}
    chosen = options.systems.replace(",", " ").split() or (
        ["macOS", "iOS"] if options.quick or options.planted else list(known))
    modes = options.modes.replace(",", " ").split() or ([] if options.quick or options.planted else list(MODES))
    for name, names in [(name, known) for name in map(str.lower, chosen)] + [(name, MODES) for name in modes]:
        if name not in names:
            parser.error(f"{name} is none of {', '.join(names)}")
    check = Check([known[name.lower()] for name in chosen], modes, options.quick)
    check.prepare()
    if options.planted:
        return planted.run(check, say)
    only = set(options.only.replace(",", " ").split())
    for name in only - {target.name for target in check.targets}:
        parser.error(f"there is no target {name}")
    outcomes = check.run(only)
    failures = table.show(outcomes, check, say)
    if not only:
        failures += foundation_symbols.run(check, say)
    if failures:
        say(f"check-apple: {failures} problems")
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Refused as refusal:
        sys.exit(f"check-apple: the toolchain does not do what the check needs, so that nothing was checked.\n{refusal}")
